package org.ibidem.registry.wire;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// Coding of [Outcome]s: a byte that says which, then its parts.
public final class OutcomeCoding {
    private static final int DONE = 1;
    private static final int ELECTED = 2;
    private static final int NUMBER = 3;
    private static final int TAKEN = 4;
    private static final int REFUSED = 5;

    private OutcomeCoding() {}

    /// Writes an outcome.
    public static void write(ControlWriter out, Outcome outcome) {
        switch (outcome) {
            case Outcome.Done() -> out.u8(DONE);
            case Outcome.Elected(var winner, var term) ->
                    Parts.member(out.u8(ELECTED), winner).i64(term);
            case Outcome.Value(var value) -> out.u8(NUMBER).i64(value);
            case Outcome.Taken(var got) -> Parts.flag(out.u8(TAKEN), got);
            case Outcome.Refused(var why) -> Parts.reason(out.u8(REFUSED), why);
        }
    }

    /// Reads what [#write] wrote.
    ///
    /// @throws org.ibidem.buffer.Malformed when it is no outcome
    public static Outcome read(ControlReader in) {
        int kind = in.u8("outcome");
        return switch (kind) {
            case DONE -> new Outcome.Done();
            case ELECTED -> new Outcome.Elected(Parts.member(in), Parts.term(in));
            case NUMBER -> new Outcome.Value(in.i64("number"));
            case TAKEN -> new Outcome.Taken(Parts.flag(in, "taken"));
            case REFUSED -> new Outcome.Refused(Parts.reason(in));
            default -> throw in.bad("outcome", "there is no outcome of kind " + kind);
        };
    }
}
