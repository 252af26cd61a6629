package org.ibidem.registry.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.trust.RevokedList;

/// Coding of [Reply]s: a byte that says which, then its parts.
public final class ReplyCoding {
    private static final int WELCOME = 1;
    private static final int FORGOTTEN = 2;
    private static final int REFUSED = 3;
    private static final int SNAPSHOT = 4;
    private static final int EVENTS = 5;
    private static final int FOUND = 6;
    private static final int BYE = 7;
    private static final int SETTLED = 8;
    private static final int DESCRIBE = 9;
    private static final int SURVEYED = 10;
    private static final int PROBED = 11;
    private static final int REVOKED = 12;
    private static final int NOBODY = 0;
    private static final int A_MEMBER = 1;
    private static final int A_VISITOR = 2;
    private static final int A_DEAD = 3;
    private static final int LEAST_CHANGE = 3;
    private static final int LEAST_ENTRY = 24;
    private static final int LEAST_DEAD = 18;

    private ReplyCoding() {}

    /// The bytes of a reply.
    public static byte[] encode(Reply reply) {
        var out = new ControlWriter(Protocol.MOST_BYTES);
        switch (reply) {
            case Reply.Welcome welcome -> welcome(out.u8(WELCOME), welcome);
            case Reply.Forgotten(var known) -> out.u8(FORGOTTEN).i64(known);
            case Reply.Refused(var code, var text) ->
                    out.u8(REFUSED).u8(code.code()).text(text, Protocol.REASON_BYTES);
            case Reply.Snapshot snapshot -> snapshot(out.u8(SNAPSHOT), snapshot);
            case Reply.Events events -> events(out.u8(EVENTS), events);
            case Reply.Found(var call, var found, var died) -> {
                int none = died.isEmpty() ? NOBODY : A_DEAD;
                out.u8(FOUND).i32(call).u8(found.map(ReplyCoding::kind).orElse(none));
                if (found.isEmpty() && none == A_DEAD) {
                    Parts.reason(out, died);
                }
                found.ifPresent(it -> {
                    it.member().ifPresent(member -> Parts.member(out, member));
                    Parts.contact(out, it.contact());
                });
            }
            case Reply.Settled(var call, var outcome) ->
                    OutcomeCoding.write(out.u8(SETTLED).i64(call), outcome);
            case Reply.Bye() -> out.u8(BYE);
            case Reply.Describe() -> out.u8(DESCRIBE);
            case Reply.Surveyed(var call, var age, var found) -> {
                Parts.flag(out.u8(SURVEYED).i32(call).i32(age), found.isPresent());
                found.ifPresent(known -> SurroundingsCoding.write(out, known));
            }
            case Reply.Probed probed -> probed(out.u8(PROBED), probed);
            case Reply.Revoked(var list) -> out.u8(REVOKED).bytes(list, RevokedList.LONGEST);
        }
        return out.toBytes();
    }

    /// The reply that these bytes are.
    ///
    /// @throws org.ibidem.buffer.Malformed when they are none
    public static Reply decode(byte[] message) {
        var in = new ControlReader(message);
        int code = in.u8("kind");
        var reply =
                switch (code) {
                    case WELCOME -> welcome(in);
                    case FORGOTTEN -> new Reply.Forgotten(in.i64("known"));
                    case REFUSED -> new Reply.Refused(refusal(in), Parts.reason(in));
                    case SNAPSHOT -> snapshot(in);
                    case EVENTS -> events(in);
                    case FOUND -> found(in);
                    case SETTLED -> new Reply.Settled(in.i64("call"), OutcomeCoding.read(in));
                    case BYE -> new Reply.Bye();
                    case DESCRIBE -> new Reply.Describe();
                    case SURVEYED -> surveyed(in);
                    case PROBED -> probed(in);
                    case REVOKED -> new Reply.Revoked(in.bytes("list", RevokedList.LONGEST));
                    default -> throw Parts.unknown(in, code);
                };
        in.end();
        return reply;
    }

    private static void welcome(ControlWriter out, Reply.Welcome welcome) {
        out.u16(welcome.version()).i64(welcome.epoch()).i64(welcome.number());
        out.i32(welcome.rank()).i32(welcome.size());
        out.text(welcome.observed(), Protocol.ADDRESS_BYTES);
    }

    private static Reply welcome(ControlReader in) {
        int version = in.u16("version");
        long epoch = in.i64("epoch");
        long number = in.i64("number");
        int rank = in.i32("rank");
        int size = in.i32("size");
        if (epoch == 0 || rank < Reply.Welcome.NO_RANK || size < 0) {
            throw in.bad(
                    "welcome", "epoch " + epoch + ", rank " + rank + ", size " + size + " is none");
        }
        return new Reply.Welcome(
                version, epoch, number, rank, size, in.reason("observed", Protocol.ADDRESS_BYTES));
    }

    private static JoinRefusal refusal(ControlReader in) {
        int code = in.u8("refusal");
        for (var refusal : JoinRefusal.values()) {
            if (refusal.code() == code) {
                return refusal;
            }
        }
        throw in.bad("refusal", "there is no refusal " + code);
    }

    private static void snapshot(ControlWriter out, Reply.Snapshot snapshot) {
        Parts.flag(out.i64(snapshot.number()), snapshot.more());
        var facts = snapshot.facts();
        Parts.flag(Parts.reason(out, facts.closed()), facts.terminated().isPresent());
        facts.terminated().ifPresent(by -> Parts.member(out, by));
        Parts.flag(Parts.flag(out, facts.missed()), facts.vague());
        out.count(snapshot.entries().size(), Protocol.AT_ONCE);
        for (var entry : snapshot.entries()) {
            Parts.flag(Parts.member(out, entry.member()), entry.suspected());
        }
        elections(out, snapshot.elections());
        out.count(snapshot.dead().size(), Protocol.AT_ONCE);
        snapshot.dead().forEach(dead -> Parts.reason(Parts.id(out, dead.id()), dead.why()));
    }

    private static Reply snapshot(ControlReader in) {
        long number = in.i64("number");
        boolean more = Parts.flag(in, "more");
        var closed = Parts.reason(in);
        var terminated =
                Parts.flag(in, "terminated")
                        ? Optional.of(Parts.member(in))
                        : Optional.<Member>empty();
        var facts =
                new Reply.Facts(
                        closed, terminated, Parts.flag(in, "missed"), Parts.flag(in, "vague"));
        int count = in.count("members", Protocol.AT_ONCE);
        var entries = new ArrayList<Reply.Entry>(Math.min(count, in.remaining() / LEAST_ENTRY));
        for (int i = 0; i < count; i++) {
            entries.add(new Reply.Entry(Parts.member(in), Parts.flag(in, "suspected")));
        }
        return new Reply.Snapshot(number, more, facts, entries, elections(in), dead(in));
    }

    private static List<Reply.Dead> dead(ControlReader in) {
        int count = in.count("dead", Protocol.AT_ONCE);
        var dead = new ArrayList<Reply.Dead>(Math.min(count, in.remaining() / LEAST_DEAD));
        for (int i = 0; i < count; i++) {
            dead.add(new Reply.Dead(Parts.id(in), Parts.reason(in)));
        }
        return dead;
    }

    static void elections(ControlWriter out, List<PoolEvent.Elected> elections) {
        out.count(elections.size(), Protocol.AT_ONCE);
        elections.forEach(elected -> ChangeCoding.elected(out, elected));
    }

    static List<PoolEvent.Elected> elections(ControlReader in) {
        int count = in.count("elections", Protocol.AT_ONCE);
        var elections =
                new ArrayList<PoolEvent.Elected>(Math.min(count, in.remaining() / LEAST_ENTRY));
        for (int i = 0; i < count; i++) {
            elections.add(ChangeCoding.elected(in));
        }
        return elections;
    }

    private static void events(ControlWriter out, Reply.Events events) {
        out.i64(events.after()).i64(events.upto());
        out.count(events.changes().size(), Protocol.AT_ONCE);
        events.changes().forEach(change -> ChangeCoding.write(out, change));
    }

    private static Reply events(ControlReader in) {
        long after = in.i64("after");
        long upto = in.i64("up to");
        if (upto < after) {
            throw in.bad("up to", "is " + after + " or more, not " + upto);
        }
        int count = in.count("changes", Protocol.AT_ONCE);
        var changes =
                new ArrayList<PoolEvent.Change>(Math.min(count, in.remaining() / LEAST_CHANGE));
        for (int i = 0; i < count; i++) {
            changes.add(ChangeCoding.read(in));
        }
        return new Reply.Events(after, upto, changes);
    }

    private static Reply surveyed(ControlReader in) {
        int call = in.i32("call");
        int age = in.i32("age");
        if (age < 0) {
            throw in.bad("age", "is 0 or more, not " + age);
        }
        return new Reply.Surveyed(
                call,
                age,
                Parts.flag(in, "found")
                        ? Optional.of(SurroundingsCoding.read(in))
                        : Optional.empty());
    }

    private static void probed(ControlWriter out, Reply.Probed probed) {
        out.i32(probed.call()).u8(SurroundingsCoding.code(probed.passage()));
        out.text(probed.at(), Protocol.ADDRESS_BYTES);
        Parts.reason(out, Protocol.clip(probed.why()));
    }

    private static Reply probed(ControlReader in) {
        int call = in.i32("call");
        var passage = SurroundingsCoding.passage(in);
        return new Reply.Probed(
                call, passage, in.reason("at", Protocol.ADDRESS_BYTES), Parts.reason(in));
    }

    private static Reply found(ControlReader in) {
        int call = in.i32("call");
        int kind = in.u8("found");
        var found =
                switch (kind) {
                    case NOBODY, A_DEAD -> Optional.<Reply.Whereabouts>empty();
                    case A_MEMBER -> Optional.of(whereabouts(Optional.of(Parts.member(in)), in));
                    case A_VISITOR -> Optional.of(whereabouts(Optional.empty(), in));
                    default -> throw in.bad("found", "is 0 to 3, not " + kind);
                };
        return new Reply.Found(call, found, kind == A_DEAD ? Parts.reason(in) : "");
    }

    private static int kind(Reply.Whereabouts found) {
        return found.member().isPresent() ? A_MEMBER : A_VISITOR;
    }

    private static Reply.Whereabouts whereabouts(Optional<Member> member, ControlReader in) {
        return new Reply.Whereabouts(member, Parts.contact(in));
    }
}
