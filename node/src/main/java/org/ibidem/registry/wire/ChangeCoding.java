package org.ibidem.registry.wire;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;

/// Coding of the changes of a pool: a byte that says which, then its parts.
public final class ChangeCoding {
    private static final int JOINED = 1;
    private static final int LEFT = 2;
    private static final int DIED = 3;
    private static final int SUSPECTED = 4;
    private static final int RESTORED = 5;
    private static final int CLOSED = 6;
    private static final int ELECTED = 7;
    private static final int VACATED = 8;
    private static final int TERMINATED = 9;
    private static final int SIGNALLED = 10;

    private ChangeCoding() {}

    /// Writes a change.
    public static void write(ControlWriter out, Change change) {
        switch (change) {
            case PoolEvent.Joined(var member) -> Parts.member(out.u8(JOINED), member);
            case PoolEvent.Left(var member) -> Parts.member(out.u8(LEFT), member);
            case PoolEvent.Died(var member, var why) ->
                    Parts.reason(Parts.member(out.u8(DIED), member), why);
            case PoolEvent.Suspected(var member, var why) ->
                    Parts.reason(Parts.member(out.u8(SUSPECTED), member), why);
            case PoolEvent.Restored(var member) -> Parts.member(out.u8(RESTORED), member);
            case PoolEvent.Closed(var why) -> Parts.reason(out.u8(CLOSED), why);
            case PoolEvent.Elected elected -> elected(out.u8(ELECTED), elected);
            case PoolEvent.Vacated(var name, var term) ->
                    Parts.name(out.u8(VACATED), name).i64(term);
            case PoolEvent.Terminated(var by) -> Parts.member(out.u8(TERMINATED), by);
            case PoolEvent.Signalled(var from, var signal) ->
                    Parts.member(out.u8(SIGNALLED), from).text(signal, Protocol.SIGNAL_BYTES);
        }
    }

    /// Reads what [#write] wrote.
    ///
    /// @throws org.ibidem.buffer.Malformed when it is no change
    public static Change read(ControlReader in) {
        int kind = in.u8("change");
        return switch (kind) {
            case JOINED -> new PoolEvent.Joined(Parts.member(in));
            case LEFT -> new PoolEvent.Left(Parts.member(in));
            case DIED -> new PoolEvent.Died(Parts.member(in), Parts.reason(in));
            case SUSPECTED -> new PoolEvent.Suspected(Parts.member(in), Parts.reason(in));
            case RESTORED -> new PoolEvent.Restored(Parts.member(in));
            case CLOSED -> new PoolEvent.Closed(Parts.reason(in));
            case ELECTED -> elected(in);
            case VACATED -> new PoolEvent.Vacated(Parts.name(in), Parts.term(in));
            case TERMINATED -> new PoolEvent.Terminated(Parts.member(in));
            case SIGNALLED ->
                    new PoolEvent.Signalled(
                            Parts.member(in), in.text("signal", Protocol.SIGNAL_BYTES));
            default -> throw in.bad("change", "there is no change of kind " + kind);
        };
    }

    /// Reads the parts of an election's result.
    static PoolEvent.Elected elected(ControlReader in) {
        return new PoolEvent.Elected(Parts.name(in), Parts.member(in), Parts.term(in));
    }

    /// Writes the parts of an election's result.
    static void elected(ControlWriter out, PoolEvent.Elected elected) {
        Parts.member(Parts.name(out, elected.election()), elected.winner()).i64(elected.term());
    }
}
