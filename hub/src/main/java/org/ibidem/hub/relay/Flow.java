package org.ibidem.hub.relay;

import org.ibidem.buffer.ByteQueue;
import org.ibidem.connect.routed.RoutedFrames;
import org.jspecify.annotations.Nullable;

/// One direction of a routed stream: what waits here, and what may still come. All of it is guarded
/// by the lock of the spoke that it goes to.
final class Flow {
    final Spoke from;
    final int fromNumber;
    final Spoke to;
    final int toNumber;

    /// Bytes that could not be written on at once.
    final ByteQueue waiting = new ByteQueue(RoutedFrames.MOST_CREDIT);

    /// The other direction.
    private @Nullable Flow back;

    /// What its sender may still send.
    private long open;

    /// What was passed on to its sender and has not been written on yet: as much may come to wait
    /// here.
    private long owed;

    /// What its receiver has granted and was not passed on yet.
    private long held;

    /// Whether its sender has ended it, and why the stream is over if it is.
    boolean ended;

    @Nullable String reset;

    /// Whether it is in its spoke's line of those that have something to send.
    boolean listed;

    /// Whether what still comes is dropped.
    boolean dropped;

    /// When it last carried something.
    volatile long used;

    Flow(Spoke from, int fromNumber, Spoke to, int toNumber) {
        this.from = from;
        this.fromNumber = fromNumber;
        this.to = to;
        this.toNumber = toNumber;
    }

    static void join(Flow one, Flow other) {
        one.back = other;
        other.back = one;
    }

    Flow back() {
        var other = back;
        if (other == null) {
            throw new IllegalStateException("a flow without its other direction");
        }
        return other;
    }

    /// Its receiver grants so much more.
    void granted(int bytes) {
        held += bytes;
    }

    /// How much of what was granted can be passed on now, which then is: nothing as long as it is
    /// not worth a message.
    ///
    /// @param most what may come to wait here
    int pass(long most) {
        long now = Math.min(held, most - owed);
        boolean worth = now > 0 && (now >= most / 4 || open == 0 || now >= Limits.MOST_CREDIT / 4);
        if (!worth) {
            return 0;
        }
        held -= now;
        owed += now;
        open += now;
        return (int) now;
    }

    /// So much came.
    ///
    /// @return false: more than was let
    boolean came(int bytes) {
        open -= bytes;
        return open >= 0;
    }

    /// So much was written on, or will never be.
    void gone(int bytes) {
        owed -= bytes;
    }
}
