package org.ibidem.lab.net.emulator;

/// What one direction of a line has done so far.
///
/// @param packets that were sent on
/// @param bytes of them, whole IP packets
/// @param lost packets, by the line's loss
/// @param overflowed packets that found the queue full
/// @param waiting bytes in the queue now
/// @param mostWaiting the most bytes that were, since the line was last set
public record Tally(
        long packets, long bytes, long lost, long overflowed, long waiting, long mostWaiting) {

    /// The numbers, with blanks between.
    @Override
    public String toString() {
        return packets
                + " "
                + bytes
                + " "
                + lost
                + " "
                + overflowed
                + " "
                + waiting
                + " "
                + mostWaiting;
    }

    /// Reads what [#toString] wrote.
    public static Tally parse(String text) {
        var n = text.split(" ", -1);
        return new Tally(
                Long.parseLong(n[0]),
                Long.parseLong(n[1]),
                Long.parseLong(n[2]),
                Long.parseLong(n[3]),
                Long.parseLong(n[4]),
                Long.parseLong(n[5]));
    }
}
