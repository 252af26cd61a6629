package org.ibidem.registry.wire;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.topology.NodeId;

/// Coding of [Operation]s: a byte that says which, then its parts.
public final class OperationCoding {
    private static final int ELECT = 1;
    private static final int WITHDRAW = 2;
    private static final int NEXT = 3;
    private static final int ADD = 4;
    private static final int SET = 5;
    private static final int TAKE = 6;
    private static final int COUNT = 7;
    private static final int CANCEL = 8;
    private static final int SIGNAL = 9;
    private static final int ASSUME_DEAD = 10;
    private static final int CLOSE = 11;
    private static final int TERMINATE = 12;

    private OperationCoding() {}

    /// Writes an operation.
    public static void write(ControlWriter out, Operation operation) {
        switch (operation) {
            case Operation.Elect(var name) -> Parts.name(out.u8(ELECT), name);
            case Operation.Withdraw(var name) -> Parts.name(out.u8(WITHDRAW), name);
            case Operation.Next(var name, var count) -> Parts.name(out.u8(NEXT), name).i32(count);
            case Operation.Add(var name, var count) -> Parts.name(out.u8(ADD), name).i64(count);
            case Operation.Set(var name, var count) -> Parts.name(out.u8(SET), name).i64(count);
            case Operation.Take(var name, var wait) ->
                    Parts.flag(Parts.name(out.u8(TAKE), name), wait);
            case Operation.Count(var name) -> Parts.name(out.u8(COUNT), name);
            case Operation.Cancel(var call) -> out.u8(CANCEL).i64(call);
            case Operation.Signal signal -> signal(out.u8(SIGNAL), signal);
            case Operation.AssumeDead(var id, var why) ->
                    Parts.reason(Parts.id(out.u8(ASSUME_DEAD), id), why);
            case Operation.Close(var why) -> Parts.reason(out.u8(CLOSE), why);
            case Operation.Terminate() -> out.u8(TERMINATE);
        }
    }

    /// Reads what [#write] wrote.
    ///
    /// @throws org.ibidem.buffer.Malformed when it is no operation
    public static Operation read(ControlReader in) {
        int kind = in.u8("operation");
        return switch (kind) {
            case ELECT -> new Operation.Elect(Parts.name(in));
            case WITHDRAW -> new Operation.Withdraw(Parts.name(in));
            case NEXT -> new Operation.Next(Parts.name(in), (int) atLeast(in, 1, in.i32("count")));
            case ADD -> new Operation.Add(Parts.name(in), atLeast(in, 1, in.i64("count")));
            case SET -> new Operation.Set(Parts.name(in), atLeast(in, 0, in.i64("count")));
            case TAKE -> new Operation.Take(Parts.name(in), Parts.flag(in, "wait"));
            case COUNT -> new Operation.Count(Parts.name(in));
            case CANCEL -> new Operation.Cancel(in.i64("call"));
            case SIGNAL ->
                    new Operation.Signal(
                            in.text("signal", Protocol.SIGNAL_BYTES),
                            Parts.flag(in, "to all"),
                            ids(in));
            case ASSUME_DEAD -> new Operation.AssumeDead(Parts.id(in), Parts.reason(in));
            case CLOSE -> new Operation.Close(Parts.reason(in));
            case TERMINATE -> new Operation.Terminate();
            default -> throw in.bad("operation", "there is no operation of kind " + kind);
        };
    }

    private static void signal(ControlWriter out, Operation.Signal signal) {
        out.text(signal.signal(), Protocol.SIGNAL_BYTES);
        Parts.flag(out, signal.toAll()).count(signal.to().size(), Protocol.MOST_ADDRESSEES);
        signal.to().forEach(id -> Parts.id(out, id));
    }

    private static List<NodeId> ids(ControlReader in) {
        int count = in.count("addressees", Protocol.MOST_ADDRESSEES);
        var ids = new ArrayList<NodeId>(Math.min(count, in.remaining() / NodeId.BYTES));
        for (int i = 0; i < count; i++) {
            ids.add(Parts.id(in));
        }
        return ids;
    }

    private static long atLeast(ControlReader in, long least, long value) {
        if (value < least) {
            throw in.bad("count", "is " + least + " or more, not " + value);
        }
        return value;
    }
}
