package org.ibidem.buffer;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Direct buffers of one size that links borrow while they have data in hand, so that an idle
/// connection holds none.
///
/// Keeps at most [#KEPT] free ones; more are left to the garbage collector. One hot slot spares the
/// lock where a single connection borrows and gives back for every message.
public final class BufferPool {
    /// Bytes of one buffer.
    public static final int SIZE = 256 << 10;

    private static final int KEPT = 64;

    private final AtomicReference<@Nullable Chunk> hot = new AtomicReference<>();
    private final ArrayDeque<Chunk> free = new ArrayDeque<>();

    /// Makes an empty pool.
    public BufferPool() {}

    /// A buffer of [#SIZE] bytes with arbitrary content, position 0 and limit at its end.
    public Chunk borrow() {
        var chunk = hot.getAndSet(null);
        return chunk != null ? chunk : borrowSlowly();
    }

    private Chunk borrowSlowly() {
        synchronized (free) {
            var chunk = free.pollLast();
            if (chunk != null) {
                return chunk;
            }
        }
        return Chunk.allocate(SIZE);
    }

    /// Takes a buffer back; the caller must not touch it any more.
    public void giveBack(Chunk chunk) {
        chunk.bytes().clear();
        if (!hot.compareAndSet(null, chunk)) {
            synchronized (free) {
                if (free.size() < KEPT) {
                    free.addLast(chunk);
                }
            }
        }
    }
}
