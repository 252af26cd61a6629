package org.ibidem.buffer;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Direct buffers that links borrow while they have data in hand, so that an idle connection holds
/// none.
///
/// They come in two sizes: the usual one, and a few large ones for who writes so much that every
/// call of the kernel he spares counts. At most [#KEPT] free ones of each size are kept; more are
/// left to the garbage collector. One hot slot for each size spares the lock where a single
/// connection borrows and gives back for every message.
public final class BufferPool {
    /// Bytes of a buffer of the usual size, where nobody said otherwise.
    public static final int SIZE = 256 << 10;

    /// Bytes of the smallest buffer.
    public static final int SMALLEST = 4 << 10;

    /// Bytes of the largest buffer of the usual size.
    public static final int LARGEST = 16 << 20;

    private static final int KEPT = 64;

    /// How many times as large the large ones are, and how many bytes larger at most.
    private static final int TIMES = 5;

    private static final int MOST_MORE = 1 << 20;

    private static final int MOST_LARGE = 16;

    /// What part of the memory the large ones may have; there is as much outside the heap as in it,
    /// where nobody said otherwise.
    private static final int SHARE = 8;

    private final Shelf usual;
    private final Shelf large;
    private final long mostLarge;

    /// The large ones that somebody has or that lie here; who lost his link may have let go of his.
    private final List<WeakReference<Chunk>> made = new ArrayList<>();

    /// Makes an empty pool of buffers of [#SIZE] bytes.
    public BufferPool() {
        this(SIZE);
    }

    /// Makes an empty pool.
    ///
    /// @param size bytes of each buffer of the usual size, from [#SMALLEST] to [#LARGEST]
    public BufferPool(int size) {
        if (size < SMALLEST || size > LARGEST) {
            throw new IllegalArgumentException("buffers have 4k to 16M bytes, not " + size);
        }
        usual = new Shelf(size);
        large = new Shelf(size + Math.min((TIMES - 1) * size, MOST_MORE));
        mostLarge = Math.min(Runtime.getRuntime().maxMemory() / SHARE / large.size, MOST_LARGE);
    }

    /// Bytes of a buffer of the usual size.
    public int size() {
        return usual.size;
    }

    /// A buffer of [#size] bytes with arbitrary content, position 0 and limit at its end.
    public Chunk borrow() {
        var chunk = usual.take();
        return chunk != null ? chunk : Chunk.allocate(usual.size);
    }

    /// A larger buffer, or one of the usual size while as many large ones are out as may be.
    public Chunk borrowLarge() {
        var chunk = large.take();
        if (chunk == null) {
            chunk = makeLarge();
        }
        return chunk != null ? chunk : borrow();
    }

    private @Nullable Chunk makeLarge() {
        synchronized (made) {
            if (made.size() >= mostLarge) {
                made.removeIf(one -> one.refersTo(null));
            }
            if (made.size() >= mostLarge) {
                return null;
            }
            var chunk = Chunk.allocate(large.size);
            made.add(new WeakReference<>(chunk));
            return chunk;
        }
    }

    /// Takes a buffer back; the caller must not touch it any more.
    public void giveBack(Chunk chunk) {
        chunk.bytes().clear();
        (chunk.size() == usual.size ? usual : large).put(chunk);
    }

    /// The free buffers of one size.
    private static final class Shelf {
        private final int size;
        private final AtomicReference<@Nullable Chunk> hot = new AtomicReference<>();
        private final ArrayDeque<Chunk> free = new ArrayDeque<>();

        private Shelf(int size) {
            this.size = size;
        }

        private @Nullable Chunk take() {
            var chunk = hot.getAndSet(null);
            return chunk != null ? chunk : takeSlowly();
        }

        private @Nullable Chunk takeSlowly() {
            synchronized (free) {
                return free.pollLast();
            }
        }

        private void put(Chunk chunk) {
            if (!hot.compareAndSet(null, chunk)) {
                synchronized (free) {
                    if (free.size() < KEPT) {
                        free.addLast(chunk);
                    }
                }
            }
        }
    }
}
