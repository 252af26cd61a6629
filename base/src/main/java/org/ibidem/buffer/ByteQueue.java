package org.ibidem.buffer;

import java.nio.ByteBuffer;

/// Bytes that wait, the first in the first out; not more than a bound. Its memory grows with what
/// waits, and is given back when nothing does. One thread at a time.
public final class ByteQueue {
    private static final int LEAST = 4 << 10;
    private static final byte[] NOTHING = {};

    private final int most;
    private final int least;
    private byte[] ring = NOTHING;
    private int head;
    private int size;

    /// An empty one.
    ///
    /// @param most bytes that may wait
    public ByteQueue(int most) {
        this(most, LEAST);
    }

    /// An empty one that is used now and then.
    ///
    /// @param most bytes that may wait
    /// @param least memory it takes, and keeps when nothing waits, once something did
    public ByteQueue(int most, int least) {
        this.most = most;
        this.least = least;
    }

    /// Takes what has room, moving the position of `from`.
    ///
    /// @return bytes taken
    public int put(ByteBuffer from) {
        int taken = Math.min(from.remaining(), most - size);
        if (taken <= 0) {
            return 0;
        }
        if (size + taken > ring.length) {
            grow(size + taken);
        }
        int tail = (head + size) % ring.length;
        int first = Math.min(taken, ring.length - tail);
        from.get(ring, tail, first);
        from.get(ring, 0, taken - first);
        size += taken;
        return taken;
    }

    /// Gives what fits, moving the position of `into`.
    ///
    /// @param limit no more than so many bytes
    /// @return bytes given
    public int get(ByteBuffer into, int limit) {
        int given = Math.min(Math.min(into.remaining(), size), limit);
        if (given <= 0) {
            return 0;
        }
        int first = Math.min(given, ring.length - head);
        into.put(ring, head, first);
        into.put(ring, 0, given - first);
        head = (head + given) % ring.length;
        size -= given;
        if (size == 0) {
            head = 0;
            if (ring.length > least) {
                ring = NOTHING;
            }
        }
        return given;
    }

    /// Bytes that wait.
    public int size() {
        return size;
    }

    /// Bytes that it would take now.
    public int room() {
        return most - size;
    }

    /// Drops all that waits.
    public void clear() {
        ring = NOTHING;
        head = 0;
        size = 0;
    }

    private void grow(int wanted) {
        int length = Math.max(least, Integer.highestOneBit(wanted - 1) << 1);
        var larger = new byte[Math.min(Math.max(length, wanted), Math.max(most, least))];
        int first = Math.min(size, ring.length - head);
        System.arraycopy(ring, head, larger, 0, first);
        System.arraycopy(ring, 0, larger, first, size - first);
        ring = larger;
        head = 0;
    }
}
