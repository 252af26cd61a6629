package org.ibidem.hub.pools;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Parts;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// A member and what the hub knows of it.
public final class Seat {
    final Member member;
    final Ledger ledger = new Ledger();

    /// Number of the change by which it became a member, or after which it has not had signals: one
    /// that knows more than a state that lost its end has had all that this state holds.
    long since;

    /// How to reach it; null for one that only others remember.
    @Nullable Contact contact;

    /// Its connection; 0: none yet since the hub was started.
    long session;

    /// By which of its joins it came; 0: it did not say.
    long join;

    /// Whether contact is lost now, and the pool was told.
    boolean suspected;

    /// Whether it has not been back yet since the hub was started again; nobody was told.
    boolean awaited;

    /// When one without contact counts as dead, in nanoseconds.
    long deadline;

    /// Number of the last signal for it that is not kept any more.
    long forgotten;

    Seat(Member member, long since) {
        this.member = member;
        this.since = since;
    }

    /// Who it is.
    public Member member() {
        return member;
    }

    /// Number of the change after which it is told signals.
    public long since() {
        return since;
    }

    /// Its connection; 0: none yet since the hub was started.
    public long session() {
        return session;
    }

    /// How to reach it; null for one that only others remember.
    public @Nullable Contact contact() {
        return contact;
    }

    /// Whether the hub has no contact with it now.
    public boolean lost() {
        return suspected || awaited;
    }

    /// Whether the pool was told that contact is lost.
    public boolean suspected() {
        return suspected;
    }

    /// Whether signals for it after change `seen` are forgotten.
    boolean missed(long seen) {
        return forgotten > Math.max(seen, since);
    }

    void write(ControlWriter out) {
        Parts.flag(Parts.member(out, member).i64(since), contact != null);
        if (contact != null) {
            Parts.contact(out, contact);
        }
        Parts.flag(Parts.flag(out.i64(session).i64(join), suspected), awaited);
        ledger.write(out.i64(deadline).i64(forgotten));
    }

    static Seat read(ControlReader in) {
        var seat = new Seat(Parts.member(in), in.i64("since"));
        seat.contact = Parts.flag(in, "contact known") ? Parts.contact(in) : null;
        seat.session = in.i64("session");
        seat.join = in.i64("join");
        seat.suspected = Parts.flag(in, "suspected");
        seat.awaited = Parts.flag(in, "awaited");
        seat.deadline = in.i64("deadline");
        seat.forgotten = in.i64("forgotten");
        seat.ledger.read(in);
        return seat;
    }
}
