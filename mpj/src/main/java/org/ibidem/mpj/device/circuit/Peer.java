package org.ibidem.mpj.device.circuit;

import java.util.ArrayDeque;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitBroken;
import org.jspecify.annotations.Nullable;

/// Another process, as this one deals with it. With the circuit's turn in hand.
final class Peer {
    /// What is asked for at least, where there is so much to write: pieces of this size cost
    /// little.
    static final int PIECE = 8 << 10;

    /// What a message costs its receiver beside its bytes.
    private static final int OVERHEAD = 128;

    final int rank;
    final Frame room = new Frame();
    private final Circuit circuit;
    private final long window;
    private final ArrayDeque<Item> waiting = new ArrayDeque<>();

    /// Bytes of eager messages that may still lie there.
    private long credit;

    /// Bytes of its eager messages that lie here, as it counts them.
    private long held;

    /// Bytes of its eager messages that have left our memory, and of which it was not told.
    private long freed;

    /// Its messages of which only the header is here, and that have not met a receive.
    private int announced;

    /// The eager message of which more is to come.
    private @Nullable Target stream;

    private boolean busy;

    /// What it speaks, as far as it has said so.
    private int version = 1;

    /// Whether it was told what this process speaks.
    private boolean told;

    Peer(Circuit circuit, int rank, long window) {
        this.circuit = circuit;
        this.rank = rank;
        this.window = window;
        this.credit = window;
    }

    /// Writes it now, or as soon as there is room, behind what waits already.
    void offer(Item item) {
        if (!waiting.isEmpty() || busy || !writes(item)) {
            waiting.add(item);
        }
    }

    /// Writes it now, if that takes no waiting and nothing waits already.
    ///
    /// @return false: nothing was done
    boolean writesNow(Item item) {
        return !busy && waiting.isEmpty() && writes(item);
    }

    private boolean writes(Item item) {
        busy = true;
        try {
            return item.write(this);
        } catch (CircuitBroken e) {
            room.empty(); // it is nobody's any more
            throw e;
        } catch (InternalError e) { // of memory that was cut short
            room.empty();
            throw circuit.unwritable(rank, e);
        } finally {
            busy = false;
        }
    }

    /// There is room: writes what waits, each in its turn.
    void writeOn() {
        while (!busy && !waiting.isEmpty()) {
            var first = waiting.peek();
            boolean all = writes(first);
            if (all) {
                waiting.remove();
            } else if (first instanceof Sending one && one.letsOthersGo()) {
                waiting.add(waiting.remove());
            } else {
                return;
            }
        }
    }

    boolean othersWait() {
        return waiting.size() > 1;
    }

    boolean claims(int atLeast) {
        return room.room() >= atLeast
                || circuit.claim(rank, room, Math.min(atLeast, circuit.largest(rank)));
    }

    /// @param last false: more of the message follows at once, so that the network may get both in
    ///   one go
    void commit(boolean last) {
        circuit.commit(rank, room, last ? 0 : Frame.HOLD);
    }

    /// What was begun is not gone on with, so nothing behind it could be read there.
    ///
    /// @return to be thrown
    CircuitBroken givesUp(String why) {
        return circuit.givenUp(rank, why);
    }

    /// Whether all that was offered was written.
    boolean isIdle() {
        return waiting.isEmpty();
    }

    boolean remove(Item item) {
        return waiting.remove(item);
    }

    /// Nothing goes there any more: what waits to be written will not be.
    List<Item> forget() {
        var left = List.copyOf(waiting);
        waiting.clear();
        room.empty();
        return left;
    }

    /// Whether an eager message of this size may be sent; then it is counted.
    boolean affords(long size) {
        long cost = size + OVERHEAD;
        if (cost > credit) {
            return false;
        }
        credit -= cost;
        return true;
    }

    /// One that was counted is not sent.
    void spares(long size) {
        credited(size + OVERHEAD);
    }

    void credited(long bytes) {
        credit = Math.min(window, credit + Math.max(0, bytes));
    }

    /// An eager message of it comes.
    ///
    /// @return false: it may not, by what it has here already
    boolean holds(long size) {
        if (size > window - held - OVERHEAD) {
            return false;
        }
        held += size + OVERHEAD;
        return true;
    }

    /// An eager message of it is here no more.
    ///
    /// @return how many bytes it is to be told of now, or 0
    long freed(long size) {
        held -= size + OVERHEAD;
        freed += size + OVERHEAD;
        if (freed < window / 2) {
            return 0;
        }
        long all = freed;
        freed = 0;
        return all;
    }

    /// Only the header of a message of it is here, and waits for a receive.
    ///
    /// @return false: it may not, as more wait already than it can have sent
    boolean announces(int most) {
        return announced++ < most;
    }

    /// One of those has met its receive, or was taken back.
    void announcesLess() {
        announced--;
    }

    @Nullable Target stream() {
        return stream;
    }

    void stream(@Nullable Target of) {
        stream = of;
    }

    /// It speaks this version.
    void speaks(int itsVersion) {
        version = Math.max(version, itsVersion);
    }

    /// Whether it knows CANCEL, CANCELLED and VERSION.
    boolean takesCancels() {
        return version >= Header.SPOKEN;
    }

    /// Whether it is to be told what this process speaks: once, and if it understands.
    boolean isToBeTold() {
        boolean now = takesCancels() && !told;
        told |= now;
        return now;
    }
}
