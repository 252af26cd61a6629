package org.ibidem.filter.reliable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.Frame;

/// The frames that were committed and not acknowledged, each in its place. Guarded by the link.
///
/// ```
///     first        sent           next        limit
///       | under way | to be sent    | free      |
/// ```
final class SendWindow {
    private final int mask;
    private final int headerOffset;
    private final int place;
    private final MemorySegment memory;
    private final int[] lengths;
    private final byte[] flags;
    private final long[] sentAt;
    private final boolean[] again;

    private int first;
    private int sent;
    private int next;
    private int limit;

    /// @param window frames, a power of two
    /// @param largest bytes of a frame below, this filter's header included
    SendWindow(int window, int headerOffset, int largest) {
        this.mask = window - 1;
        this.headerOffset = headerOffset;
        this.place = headerOffset + largest;
        this.memory = Arena.ofAuto().allocate((long) window * place, Long.BYTES);
        this.lengths = new int[window];
        this.flags = new byte[window];
        this.sentAt = new long[window];
        this.again = new boolean[window];
        this.limit = window;
    }

    int first() {
        return first;
    }

    int next() {
        return next;
    }

    /// Whether a frame may be committed, as far as this end goes.
    boolean hasRoom() {
        return next - first <= mask;
    }

    /// Whether the other end takes one more.
    boolean mayGo() {
        return next - limit < 0;
    }

    boolean mayGoOn() {
        return hasRoom() && mayGo();
    }

    /// Frames that it holds at most.
    int size() {
        return mask + 1;
    }

    boolean allSent() {
        return sent == next;
    }

    boolean allAcknowledged() {
        return first == next;
    }

    boolean underWay() {
        return first != sent;
    }

    private long base(int number) {
        return (long) (number & mask) * place;
    }

    /// Room for the next frame.
    void show(Frame room) {
        long base = base(next);
        room.show(memory, base, base + place);
        room.position = base + headerOffset + Header.BYTES;
    }

    /// The next frame was filled in.
    void commit(Frame room, int frameFlags) {
        long begin = base(next) + headerOffset + Header.BYTES;
        long length = room.position - begin;
        if (length < 0 || room.position > base(next) + place) {
            throw new IllegalStateException("commit without a claim");
        }
        int at = next & mask;
        lengths[at] = (int) length;
        flags[at] = (byte) (frameFlags & Frame.WIRE_FLAGS);
        again[at] = false;
        next++;
    }

    /// The first that was never sent, or the next one.
    int unsent() {
        return sent;
    }

    int length(int number) {
        return lengths[number & mask];
    }

    int flags(int number) {
        return flags[number & mask];
    }

    /// Copies the payload of one.
    void copy(int number, MemorySegment to, long at) {
        long from = base(number) + headerOffset + Header.BYTES;
        MemorySegment.copy(memory, from, to, at, length(number));
    }

    /// It was sent just now.
    void noteSent(int number, long now) {
        int at = number & mask;
        if (number == sent) {
            sent++;
        } else {
            again[at] = true;
        }
        sentAt[at] = now;
    }

    /// When the first was sent last.
    long firstSentAt() {
        return sentAt[first & mask];
    }

    /// All before `number` have come.
    ///
    /// @return false: no such thing can be
    boolean acknowledged(int number, int newLimit, long now, RoundTrip trip) {
        if (number - first < 0 || newLimit - limit < 0) {
            return true; // it is late
        }
        if (number - sent > 0 || newLimit - number > mask + 1) {
            return false;
        }
        limit = newLimit;
        if (number != first) {
            int last = (number - 1) & mask;
            if (!again[last] && !again[first & mask]) { // else it may have waited for another
                trip.took(now - sentAt[last]);
            }
            trip.progressed();
            first = number;
        }
        return true;
    }
}
