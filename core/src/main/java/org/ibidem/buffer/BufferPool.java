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
    /// Bytes of one buffer, where nobody said otherwise.
    public static final int SIZE = 256 << 10;

    /// Bytes of the smallest buffer.
    public static final int SMALLEST = 4 << 10;

    /// Bytes of the largest buffer.
    public static final int LARGEST = 16 << 20;

    private static final int KEPT = 64;

    private final int size;
    private final AtomicReference<@Nullable Chunk> hot = new AtomicReference<>();
    private final ArrayDeque<Chunk> free = new ArrayDeque<>();

    /// Makes an empty pool of buffers of [#SIZE] bytes.
    public BufferPool() {
        this(SIZE);
    }

    /// Makes an empty pool.
    ///
    /// @param size bytes of each buffer, from [#SMALLEST] to [#LARGEST]
    public BufferPool(int size) {
        if (size < SMALLEST || size > LARGEST) {
            throw new IllegalArgumentException("buffers have 4k to 16M bytes, not " + size);
        }
        this.size = size;
    }

    /// Bytes of each buffer.
    public int size() {
        return size;
    }

    /// A buffer of [#size] bytes with arbitrary content, position 0 and limit at its end.
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
        return Chunk.allocate(size);
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
