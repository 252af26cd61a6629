package org.ibidem.registry.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ibidem.accept.ProbePort;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.wire.Request.Arrival;
import org.ibidem.registry.wire.Request.Past;

/// Coding of [Request]s: a byte that says which, then its parts.
public final class RequestCoding {
    private static final int ATTACH = 1;
    private static final int RECALL = 2;
    private static final int LEAVE = 3;
    private static final int LOOKUP = 4;
    private static final int REPORT = 5;
    private static final int OPERATE = 6;
    private static final int SURVEY = 7;
    private static final int DESCRIBED = 8;
    private static final int PROBE = 9;
    private static final int VISIT = 10;
    private static final int LEAST_MEMBER = 23;

    private RequestCoding() {}

    /// The bytes of a request.
    public static byte[] encode(Request request) {
        var out = new ControlWriter(Protocol.MOST_BYTES);
        switch (request) {
            case Request.Attach attach -> attach(out.u8(ATTACH), attach);
            case Request.Visit(var version, var contact) ->
                    Parts.contact(out.u8(VISIT).u16(version), contact);
            case Request.Unspoken(var version) -> out.u8(ATTACH).u16(version);
            case Request.Recall(var members, var elections) -> {
                out.u8(RECALL).count(members.size(), Protocol.AT_ONCE);
                members.forEach(member -> Parts.member(out, member));
                ReplyCoding.elections(out, elections);
            }
            case Request.Leave() -> out.u8(LEAVE);
            case Request.Lookup(var call, var id) -> Parts.id(out.u8(LOOKUP).i32(call), id);
            case Request.Report(var id, var why) -> Parts.reason(Parts.id(out.u8(REPORT), id), why);
            case Request.Operate(var call, var open, var operation) ->
                    OperationCoding.write(calls(out.u8(OPERATE).i64(call), open), operation);
            case Request.Survey(var call, var id) -> Parts.id(out.u8(SURVEY).i32(call), id);
            case Request.Described(var known) -> SurroundingsCoding.write(out.u8(DESCRIBED), known);
            case Request.Probe(var call, var port, var token) ->
                    out.u8(PROBE).i32(call).u16(port).raw(ProbePort.bytes(token));
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
                    case RECALL -> new Request.Recall(members(in), ReplyCoding.elections(in));
                    case LEAVE -> new Request.Leave();
                    case LOOKUP -> new Request.Lookup(in.i32("call"), Parts.id(in));
                    case REPORT -> new Request.Report(Parts.id(in), Parts.reason(in));
                    case OPERATE ->
                            new Request.Operate(
                                    in.i64("call"), calls(in), OperationCoding.read(in));
                    case SURVEY -> new Request.Survey(in.i32("call"), Parts.id(in));
                    case DESCRIBED -> new Request.Described(SurroundingsCoding.read(in));
                    case PROBE -> probe(in);
                    case VISIT -> visit(in);
                    default -> throw Parts.unknown(in, code);
                };
        in.end();
        return request;
    }

    /// Writes the numbers of operations.
    public static ControlWriter calls(ControlWriter out, List<Long> calls) {
        out.count(calls.size(), Protocol.MOST_OPEN);
        calls.forEach(out::i64);
        return out;
    }

    /// Reads what [#calls(ControlWriter, List)] wrote.
    public static List<Long> calls(ControlReader in) {
        int count = in.count("open calls", Protocol.MOST_OPEN);
        var calls = new ArrayList<Long>(count);
        for (int i = 0; i < count; i++) {
            calls.add(in.i64("open call"));
        }
        return calls;
    }

    private static Request probe(ControlReader in) {
        int call = in.i32("call");
        int port = in.u16("port");
        if (port < Request.Probe.LEAST_PORT) {
            throw in.bad("port", "is " + Request.Probe.LEAST_PORT + " or more, not " + port);
        }
        return new Request.Probe(call, port, Parts.token(in));
    }

    private static void attach(ControlWriter out, Request.Attach attach) {
        // The version stays first for ever: what follows may change with it.
        out.u16(attach.version());
        Parts.contact(out, attach.contact());
        Parts.tag(Parts.location(out, attach.location()), attach.tag());
        out.i32(attach.size()).i32(attach.rank()).u8(code(attach.membership()));
        var past = attach.past();
        Parts.reason(out.i64(past.epoch()).i64(past.last()), past.closed());
        Parts.flag(out, past.terminated().isPresent());
        past.terminated().ifPresent(by -> Parts.member(out, by));
        Parts.flag(out, past.recalled());
        out.i64(attach.arrival().join());
        out.text(attach.arrival().from(), Protocol.ADDRESS_BYTES);
        out.text(attach.arrival().to(), Protocol.ADDRESS_BYTES);
    }

    private static Request attach(ControlReader in) {
        int version = in.u16("version");
        if (version != Protocol.VERSION) {
            in.raw("what another version has here", in.remaining());
            return new Request.Unspoken(version);
        }
        var contact = Parts.contact(in);
        var location = Parts.location(in);
        var tag = Parts.tag(in);
        int size = bounded(in, "size", 0);
        int rank = bounded(in, "rank", -1);
        var membership = membership(in);
        return new Request.Attach(
                version, contact, location, tag, size, rank, membership, past(in), arrival(in));
    }

    private static Arrival arrival(ControlReader in) {
        return new Arrival(
                in.i64("join"),
                in.name("from", Protocol.ADDRESS_BYTES),
                in.name("to", Protocol.ADDRESS_BYTES));
    }

    private static Request visit(ControlReader in) {
        int version = in.u16("version");
        if (version != Protocol.VERSION) {
            in.raw("what another version has here", in.remaining());
            return new Request.Unspoken(version);
        }
        return new Request.Visit(version, Parts.contact(in));
    }

    private static Past past(ControlReader in) {
        long epoch = in.i64("epoch");
        long last = in.i64("last");
        if (last < Past.NOTHING) {
            throw in.bad("last", "is -1 or more, not " + last);
        }
        var closed = Parts.reason(in);
        var terminated =
                Parts.flag(in, "terminated")
                        ? Optional.of(Parts.member(in))
                        : Optional.<Member>empty();
        return new Past(epoch, last, closed, terminated, Parts.flag(in, "recalled"));
    }

    private static int code(Membership membership) {
        return switch (membership) {
            case NONE -> 0;
            case EVENTUAL -> 1;
            case ORDERED -> 2;
        };
    }

    private static Membership membership(ControlReader in) {
        int code = in.u8("membership");
        return switch (code) {
            case 0 -> Membership.NONE;
            case 1 -> Membership.EVENTUAL;
            case 2 -> Membership.ORDERED;
            default -> throw in.bad("membership", "there is no kind " + code);
        };
    }

    private static int bounded(ControlReader in, String field, int least) {
        int value = in.i32(field);
        if (value < least) {
            throw in.bad(field, "is " + least + " or more, not " + value);
        }
        return value;
    }

    private static List<Member> members(ControlReader in) {
        int count = in.count("members", Protocol.AT_ONCE);
        var members = new ArrayList<Member>(Math.min(count, in.remaining() / LEAST_MEMBER));
        for (int i = 0; i < count; i++) {
            members.add(Parts.member(in));
        }
        return members;
    }
}
