package org.ibidem.registry.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.PoolEvent.Change;

/// Coding of [Reply]s: a byte that says which, then its parts.
public final class ReplyCoding {
    private static final int WELCOME = 1;
    private static final int FORGOTTEN = 2;
    private static final int REFUSED = 3;
    private static final int SNAPSHOT = 4;
    private static final int EVENTS = 5;
    private static final int FOUND = 6;
    private static final int BYE = 7;

    private ReplyCoding() {}

    /// The bytes of a reply.
    public static byte[] encode(Reply reply) {
        var out = new ControlWriter(Protocol.MOST_BYTES);
        switch (reply) {
            case Reply.Welcome welcome -> welcome(out.u8(WELCOME), welcome);
            case Reply.Forgotten() -> out.u8(FORGOTTEN);
            case Reply.Refused(var code, var text) ->
                    out.u8(REFUSED).u8(code.code()).text(text, Protocol.REASON_BYTES);
            case Reply.Snapshot snapshot -> snapshot(out.u8(SNAPSHOT), snapshot);
            case Reply.Events(var first, var changes) -> {
                out.u8(EVENTS).i64(first).count(changes.size(), Protocol.EVENTS_AT_ONCE);
                changes.forEach(change -> Parts.change(out, change));
            }
            case Reply.Found(var call, var contact) -> {
                out.u8(FOUND).i32(call).u8(contact.isPresent() ? 1 : 0);
                contact.ifPresent(found -> Parts.contact(out, found));
            }
            case Reply.Bye() -> out.u8(BYE);
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
                    case FORGOTTEN -> new Reply.Forgotten();
                    case REFUSED -> new Reply.Refused(refusal(in), Parts.reason(in));
                    case SNAPSHOT -> snapshot(in);
                    case EVENTS -> new Reply.Events(in.i64("first"), changes(in));
                    case FOUND -> found(in);
                    case BYE -> new Reply.Bye();
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
        if (epoch == 0 || rank < 0 || size < 0) {
            throw in.bad(
                    "welcome", "epoch " + epoch + ", rank " + rank + ", size " + size + " is none");
        }
        return new Reply.Welcome(
                version, epoch, number, rank, size, in.text("observed", Protocol.ADDRESS_BYTES));
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
        out.i64(snapshot.number()).u8(snapshot.more() ? 1 : 0);
        out.text(snapshot.closed(), Protocol.REASON_BYTES);
        out.count(snapshot.entries().size(), Protocol.MEMBERS_AT_ONCE);
        for (var entry : snapshot.entries()) {
            Parts.member(out, entry.member());
            out.u8(entry.suspected() ? 1 : 0);
        }
    }

    private static Reply snapshot(ControlReader in) {
        long number = in.i64("number");
        boolean more = Parts.flag(in, "more");
        var closed = Parts.reason(in);
        int count = in.count("members", Protocol.MEMBERS_AT_ONCE);
        var entries = new ArrayList<Reply.Entry>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new Reply.Entry(Parts.member(in), Parts.flag(in, "suspected")));
        }
        return new Reply.Snapshot(number, more, closed, entries);
    }

    private static List<Change> changes(ControlReader in) {
        int count = in.count("changes", Protocol.EVENTS_AT_ONCE);
        if (count == 0) {
            throw in.bad("changes", "there must be one at least");
        }
        var changes = new ArrayList<Change>(count);
        for (int i = 0; i < count; i++) {
            changes.add(Parts.change(in));
        }
        return changes;
    }

    private static Reply found(ControlReader in) {
        int call = in.i32("call");
        return new Reply.Found(
                call, Parts.flag(in, "found") ? Optional.of(Parts.contact(in)) : Optional.empty());
    }
}
