package org.ibidem.lab.history;

import java.util.List;

/// What a node had its hub do, and what it was told.
///
/// @param who the node
/// @param number of the call, among those of its node
/// @param limit microseconds it may take
/// @param operation its name
/// @param arguments of the operation
/// @param invoked when it began
/// @param ended when it ended, or [#NEVER]
/// @param end how
/// @param result what it gave, or why it failed
public record Call(
        String who,
        long number,
        long limit,
        String operation,
        List<String> arguments,
        long invoked,
        long ended,
        End end,
        List<String> result) {
    /// Later than everything.
    public static final long NEVER = Long.MAX_VALUE;

    /// How a call ended.
    public enum End {
        /// Done.
        OK,

        /// Not done.
        FAIL,

        /// It ended, and nobody knows.
        UNKNOWN,

        /// Nobody heard of an end.
        NONE
    }

    static Call begun(Entry entry) {
        return new Call(
                entry.who(),
                Long.parseLong(entry.word(0)),
                1_000 * Long.parseLong(entry.word(1)),
                entry.word(2),
                entry.words().subList(3, entry.words().size()),
                entry.at(),
                NEVER,
                End.NONE,
                List.of());
    }

    Call ended(Entry entry) {
        return ended(
                entry.at(),
                End.valueOf(entry.what().toUpperCase(java.util.Locale.ROOT)),
                entry.words().subList(1, entry.words().size()));
    }

    private Call ended(long at, End how, List<String> gave) {
        return new Call(who, number, limit, operation, arguments, invoked, at, how, gave);
    }

    /// The same, of which is not known what became of it.
    public Call forgotten() {
        return ended(NEVER, End.NONE, List.of());
    }

    /// Whether it was done for sure.
    public boolean ok() {
        return end == End.OK;
    }

    /// Whether it may have been done, or may still be.
    public boolean open() {
        return end == End.UNKNOWN || end == End.NONE;
    }

    /// The first argument: the name of what it is about.
    public String name() {
        return arguments.getFirst();
    }

    /// A number it gave.
    public long number(int index) {
        return Long.parseLong(result.get(index));
    }

    @Override
    public String toString() {
        return who
                + " "
                + operation
                + arguments
                + " "
                + invoked
                + ".."
                + (ended == NEVER ? "" : ended)
                + " "
                + end
                + result;
    }
}
