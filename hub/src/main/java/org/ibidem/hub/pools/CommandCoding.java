package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.hub.pools.Command.Recalled;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.ChangeCoding;
import org.ibidem.registry.wire.OperationCoding;
import org.ibidem.registry.wire.Parts;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.NodeId;

/// Coding of [Command]s: a byte that says which, then its parts, as in `docs/wire/journal.md`.
public final class CommandCoding {
    /// Bytes of one command, at most.
    public static final int MOST_BYTES = 256 * 1024 * 1024;

    static final int POOL_BYTES = 1024;

    private static final int ATTACH = 1;
    private static final int LEAVE = 2;
    private static final int OPERATE = 3;
    private static final int PROVED = 4;
    private static final int LOST = 5;
    private static final int HEARD = 6;
    private static final int EXPIRE = 7;
    private static final int RESTART = 8;

    private CommandCoding() {}

    /// The bytes of a command.
    public static byte[] encode(Command command) {
        var out = new ControlWriter(MOST_BYTES);
        switch (command) {
            case Command.Attach attach -> attach(out.u8(ATTACH), attach);
            case Command.Leave(var pool, var id) -> who(out.u8(LEAVE), pool, id);
            case Command.Operate(var pool, var id, var call, var open, var operation) ->
                    OperationCoding.write(
                            RequestCoding.calls(who(out.u8(OPERATE), pool, id).i64(call), open),
                            operation);
            case Command.Proved(var pool, var id, var session, var proof) ->
                    Parts.reason(who(out.u8(PROVED), pool, id).i64(session), Protocol.clip(proof));
            case Command.Lost(var pool, var id, var session, var why, var now) ->
                    Parts.reason(who(out.u8(LOST), pool, id).i64(session), Protocol.clip(why))
                            .i64(now);
            case Command.Heard(var pool, var id, var session) ->
                    who(out.u8(HEARD), pool, id).i64(session);
            case Command.Expire(var now) -> out.u8(EXPIRE).i64(now);
            case Command.Restart(var now) -> out.u8(RESTART).i64(now);
        }
        return out.toBytes();
    }

    /// The command that these bytes are.
    ///
    /// @throws org.ibidem.buffer.Malformed when they are none
    public static Command decode(byte[] bytes) {
        var in = new ControlReader(bytes);
        int kind = in.u8("command");
        var command =
                switch (kind) {
                    case ATTACH -> attach(in);
                    case LEAVE -> new Command.Leave(pool(in), Parts.id(in));
                    case OPERATE ->
                            new Command.Operate(
                                    pool(in),
                                    Parts.id(in),
                                    in.i64("call"),
                                    RequestCoding.calls(in),
                                    OperationCoding.read(in));
                    case PROVED ->
                            new Command.Proved(
                                    pool(in), Parts.id(in), in.i64("session"), Parts.reason(in));
                    case LOST ->
                            new Command.Lost(
                                    pool(in),
                                    Parts.id(in),
                                    in.i64("session"),
                                    Parts.reason(in),
                                    in.i64("now"));
                    case HEARD -> new Command.Heard(pool(in), Parts.id(in), in.i64("session"));
                    case EXPIRE -> new Command.Expire(in.i64("now"));
                    case RESTART -> new Command.Restart(in.i64("now"));
                    default -> throw in.bad("command", "there is no command of kind " + kind);
                };
        in.end();
        return command;
    }

    private static void attach(ControlWriter out, Command.Attach attach) {
        out.text(attach.pool(), POOL_BYTES).i64(attach.session());
        out.bytes(RequestCoding.encode(attach.wish()), Protocol.MOST_BYTES).i64(attach.now());
        var recalled = attach.recalled();
        out.i32(recalled.members().size());
        recalled.members().forEach(member -> Parts.member(out, member));
        out.i32(recalled.elections().size());
        recalled.elections().forEach(result -> ChangeCoding.write(out, result));
    }

    private static Command attach(ControlReader in) {
        var pool = pool(in);
        long session = in.i64("session");
        var request = RequestCoding.decode(in.bytes("wish", Protocol.MOST_BYTES));
        if (!(request instanceof Request.Attach wish)) {
            throw in.bad("wish", "is no wish to attach: " + request);
        }
        long now = in.i64("now");
        return new Command.Attach(pool, session, wish, new Recalled(members(in), results(in)), now);
    }

    private static List<Member> members(ControlReader in) {
        var members = new ArrayList<Member>();
        for (int left = in.i32("members"); left > 0; left--) {
            members.add(Parts.member(in));
        }
        return members;
    }

    private static List<PoolEvent.Elected> results(ControlReader in) {
        var results = new ArrayList<PoolEvent.Elected>();
        for (int left = in.i32("elections"); left > 0; left--) {
            if (!(ChangeCoding.read(in) instanceof PoolEvent.Elected result)) {
                throw in.bad("elections", "this is no result of an election");
            }
            results.add(result);
        }
        return results;
    }

    private static ControlWriter who(ControlWriter out, String pool, NodeId id) {
        return Parts.id(out.text(pool, POOL_BYTES), id);
    }

    private static String pool(ControlReader in) {
        return in.text("pool", POOL_BYTES);
    }
}
