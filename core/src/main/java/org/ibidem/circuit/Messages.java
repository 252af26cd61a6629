package org.ibidem.circuit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.buffer.Frame;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A circuit whose messages are put together piece by piece, and taken apart the same way, as in
/// Madeleine. Both ends name the same pieces in the same order: nothing in the message says what it
/// is made of.
///
/// ```java
/// try (var message = messages.begin(1)) {
///     message.pack(header, SendMode.SAFER);
///     message.pack(field, SendMode.CHEAPER);
/// }
///
/// try (var message = messages.receive()) {
///     message.unpack(header, ReceiveMode.EXPRESS);
///     message.unpack(fieldOf(header), ReceiveMode.CHEAPER);
/// }
/// ```
///
/// Pieces are copied once at each side, between where they are and the driver's memory. What nobody
/// reads waits at its sender, who waits for room.
public final class Messages implements AutoCloseable {
    private final Circuit circuit;
    private final AtomicReferenceArray<@Nullable Frame> frames;
    private final AtomicReferenceArray<@Nullable String> lost;
    private final boolean[] reading;
    private final Queue<Integer> begun = new ConcurrentLinkedQueue<>();
    private final Semaphore[] writers;

    /// How often there was room again, or something to be told, for each member.
    private final AtomicLongArray changes;

    private Messages(NodeRuntime runtime, String name, List<NodeId> members, String stack) {
        int size = members.size();
        this.frames = new AtomicReferenceArray<>(size);
        this.lost = new AtomicReferenceArray<>(size);
        this.reading = new boolean[size];
        this.changes = new AtomicLongArray(size);
        this.writers = new Semaphore[size];
        for (int i = 0; i < size; i++) {
            writers[i] = new Semaphore(1);
        }
        this.circuit = Circuit.open(runtime, name, members, stack, new Arrivals());
    }

    /// Opens this node's end, as [Circuit#open].
    public static Messages open(Node node, String name, List<NodeId> members, String stack) {
        return open(Runtimes.of(node), name, members, stack);
    }

    static Messages open(NodeRuntime runtime, String name, List<NodeId> members, String stack) {
        return new Messages(runtime, name, members, stack);
    }

    /// The circuit below.
    public Circuit circuit() {
        return circuit;
    }

    private final class Arrivals implements CircuitReceiver {
        @Override
        public boolean frame(int from, Frame frame) {
            frames.set(from, frame);
            if (!reading[from]) {
                reading[from] = true;
                begun.add(from);
            }
            return false;
        }

        @Override
        public void room(int to) {
            changes.incrementAndGet(to);
        }

        @Override
        public void closed(int to, String why) {
            changes.incrementAndGet(to);
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {
            lost.set(from, why);
            changes.incrementAndGet(from);
        }
    }

    /// Begins a message. One at a time is on its way to a member; who wants to begin another waits.
    public Packing begin(int to) {
        try {
            writers[to].acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
        return new Packing(this, to);
    }

    /// Waits for the next message, of whichever member.
    ///
    /// @throws CircuitBroken when all other members are gone
    public Unpacking receive() {
        var next = poll();
        while (next == null) {
            circuit.await(() -> !begun.isEmpty() || allLost());
            next = poll();
            if (next == null && allLost()) {
                throw new CircuitBroken(-1, "all other members of " + circuit + " are gone");
            }
        }
        return next;
    }

    private boolean allLost() {
        for (int i = 0; i < lost.length(); i++) {
            if (lost.get(i) == null && i != circuit.self()) {
                return false;
            }
        }
        return true;
    }

    /// The next message if one has begun to come, else null.
    public @Nullable Unpacking poll() {
        circuit.enter();
        try {
            if (begun.isEmpty()) {
                circuit.poll();
            }
            var from = begun.poll();
            return from == null ? null : new Unpacking(this, from);
        } finally {
            circuit.leave();
        }
    }

    /// Room for at least so many bytes, waited for.
    void claim(int to, Frame room, int atLeast) {
        while (true) {
            long seen = changes.get(to);
            circuit.enter();
            try {
                if (circuit.claim(to, room, Math.min(atLeast, circuit.largest(to)))) {
                    return;
                }
            } finally {
                circuit.leave();
            }
            circuit.await(() -> changes.get(to) != seen);
        }
    }

    void commit(int to, Frame room, int flags) {
        circuit.enter();
        try {
            circuit.commit(to, room, flags);
        } finally {
            circuit.leave();
        }
    }

    /// What an error of memory that was cut short means: it is the link's, or the program's own,
    /// which is a file that is mapped.
    ///
    /// @return to be thrown, where the link's memory is gone
    CircuitBroken unwritable(int to, Frame room, InternalError e) {
        return requireCut(room, e, () -> circuit.unwritable(to, e));
    }

    /// The same for a frame in hand.
    CircuitBroken unreadable(int from, Frame frame, InternalError e) {
        return requireCut(frame, e, () -> circuit.unreadable(from, e));
    }

    private CircuitBroken requireCut(Frame frame, InternalError e, Supplier<CircuitBroken> told) {
        if (frame.isThere()) {
            throw e;
        }
        frame.empty(); // it is nobody's any more
        circuit.enter();
        try {
            return told.get();
        } finally {
            circuit.leave();
        }
    }

    void ended(int to) {
        writers[to].release();
    }

    /// The frame in hand.
    Frame frame(int from) {
        var frame = frames.get(from);
        if (frame == null) {
            throw new IllegalStateException("no message of member " + from + " is in hand");
        }
        return frame;
    }

    /// Gives the frame in hand back, and waits for the one behind it.
    Frame next(int from) {
        proceed(from);
        circuit.await(() -> frames.get(from) != null || lost.get(from) != null);
        if (frames.get(from) == null) {
            throw new CircuitBroken(
                    from,
                    "member " + from + " is gone in the middle of a message: " + lost.get(from));
        }
        return frame(from);
    }

    private void proceed(int from) {
        circuit.enter();
        try {
            frames.set(from, null);
            circuit.proceed(from);
        } finally {
            circuit.leave();
        }
    }

    /// The message in hand is over.
    void over(int from) {
        circuit.enter();
        try {
            frames.set(from, null);
            reading[from] = false;
            circuit.proceed(from);
        } finally {
            circuit.leave();
        }
    }

    /// Ends it, as [Circuit#close].
    @Override
    public void close() {
        circuit.close();
    }
}
