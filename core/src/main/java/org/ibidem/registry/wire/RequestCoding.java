package org.ibidem.registry.wire;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Request.Past;

/// Coding of [Request]s: a byte that says which, then its parts.
public final class RequestCoding {
    private static final int ATTACH = 1;
    private static final int RECALL = 2;
    private static final int LEAVE = 3;
    private static final int LOOKUP = 4;
    private static final int REPORT = 5;

    private RequestCoding() {}

    /// The bytes of a request.
    public static byte[] encode(Request request) {
        var out = new ControlWriter(Protocol.MOST_BYTES);
        switch (request) {
            case Request.Attach attach -> attach(out.u8(ATTACH), attach);
            case Request.Unspoken(var version) -> out.u8(ATTACH).u16(version);
            case Request.Recall(var members) -> {
                out.u8(RECALL).count(members.size(), Protocol.MEMBERS_AT_ONCE);
                members.forEach(member -> Parts.member(out, member));
            }
            case Request.Leave() -> out.u8(LEAVE);
            case Request.Lookup(var call, var id) -> Parts.id(out.u8(LOOKUP).i32(call), id);
            case Request.Report(var id, var why) -> {
                Parts.id(out.u8(REPORT), id);
                out.text(why, Protocol.REASON_BYTES);
            }
        }
        return out.toBytes();
    }

    /// The request that these bytes are.
    ///
    /// @throws org.ibidem.buffer.Malformed when they are none
    public static Request decode(byte[] message) {
        var in = new ControlReader(message);
        int code = in.u8("kind");
        var request =
                switch (code) {
                    case ATTACH -> attach(in);
                    case RECALL -> new Request.Recall(members(in));
                    case LEAVE -> new Request.Leave();
                    case LOOKUP -> new Request.Lookup(in.i32("call"), Parts.id(in));
                    case REPORT -> new Request.Report(Parts.id(in), Parts.reason(in));
                    default -> throw Parts.unknown(in, code);
                };
        in.end();
        return request;
    }

    private static void attach(ControlWriter out, Request.Attach attach) {
        // The version stays first for ever: what follows may change with it.
        out.u16(attach.version());
        Parts.contact(out, attach.contact());
        Parts.location(out, attach.location());
        out.i32(attach.size()).i32(attach.rank());
        var past = attach.past();
        out.i64(past.epoch()).i64(past.last());
        out.text(past.closed(), Protocol.REASON_BYTES).u8(past.recalled() ? 1 : 0);
    }

    private static Request attach(ControlReader in) {
        int version = in.u16("version");
        if (version != Protocol.VERSION) {
            in.raw("what another version has here", in.remaining());
            return new Request.Unspoken(version);
        }
        var contact = Parts.contact(in);
        var location = Parts.location(in);
        int size = bounded(in, "size", 0);
        int rank = bounded(in, "rank", -1);
        var past =
                new Past(
                        in.i64("epoch"),
                        in.i64("last"),
                        Parts.reason(in),
                        Parts.flag(in, "recalled"));
        return new Request.Attach(version, contact, location, size, rank, past);
    }

    private static int bounded(ControlReader in, String field, int least) {
        int value = in.i32(field);
        if (value < least) {
            throw in.bad(field, "is " + least + " or more, not " + value);
        }
        return value;
    }

    private static List<Member> members(ControlReader in) {
        int count = in.count("members", Protocol.MEMBERS_AT_ONCE);
        var members = new ArrayList<Member>(count);
        for (int i = 0; i < count; i++) {
            members.add(Parts.member(in));
        }
        return members;
    }
}
