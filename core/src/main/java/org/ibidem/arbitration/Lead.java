package org.ibidem.arbitration;

/// Lets a stream of messages get ahead of its reader.
///
/// A reader that has caught up with its writer looks at the very line that the writer is filling,
/// and takes it away from the writer's core again and again: both then go at the pace of trips
/// between the cores. A reader that stays a few messages behind never touches a line that is being
/// written. So one that found several messages without waiting, and then none, pauses for a moment.
///
/// Whoever waits for answers must not pause: there, each message is waited for. But so it is in a
/// stream whose reader is always too close. Hence a pause now and then to find out: if several
/// messages are there after it, it was a stream.
final class Lead {
    /// Messages found at once that make a stream.
    private static final int STREAM = 4;

    /// Waits between two pauses to find out.
    private static final int WAITS = 1024;

    /// Of `onSpinWait`, some 25 ns each.
    private static final int PAUSE = 16;

    private int found;
    private int waits = WAITS;

    /// A message was there at the first look.
    void atOnce() {
        found++;
    }

    /// None was: pauses, if it is time to.
    void leave() {
        if (found >= STREAM || --waits == 0) {
            waits = WAITS;
            for (int i = 0; i < PAUSE; i++) {
                Thread.onSpinWait();
            }
        }
        found = 0;
    }
}
