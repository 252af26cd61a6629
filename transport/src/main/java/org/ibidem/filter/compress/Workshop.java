package org.ibidem.filter.compress;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.ibidem.codec.Codec;
import org.jspecify.annotations.Nullable;

/// What all links of a process share: places to compress at, encoders, decoders and large buffers.
/// A link that has nothing in hand holds none of them.
final class Workshop {
    /// A processor is left for those who send and receive.
    static final Workshop SHARED =
            new Workshop(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));

    /// So many of a kind are kept for who comes next.
    private static final int KEPT = 8;

    private static final int KEPT_BUFFERS = 64;

    private final Semaphore places;
    private final Map<Kind, Queue<Codec.Encoder>> encoders = new ConcurrentHashMap<>();
    private final Map<Codec, Queue<Codec.Decoder>> decoders = new ConcurrentHashMap<>();
    private final Queue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();
    private final Semaphore spare = new Semaphore(KEPT_BUFFERS);

    private record Kind(Codec codec, int level) {}

    Workshop(int places) {
        this.places = new Semaphore(places);
    }

    /// Runs `body` when there is a place.
    void at(Runnable body) {
        places.acquireUninterruptibly();
        try {
            body.run();
        } finally {
            places.release();
        }
    }

    Codec.Encoder encoder(Codec codec, int level) {
        var kept = queue(encoders, new Kind(codec, level)).poll();
        return kept == null ? codec.encoder(level) : kept;
    }

    void giveBack(Codec codec, int level, Codec.Encoder encoder) {
        var kept = queue(encoders, new Kind(codec, level));
        if (kept.size() < KEPT) {
            kept.add(encoder);
        } else {
            encoder.close();
        }
    }

    Codec.Decoder decoder(Codec codec) {
        var kept = queue(decoders, codec).poll();
        return kept == null ? codec.decoder() : kept;
    }

    void giveBack(Codec codec, Codec.Decoder decoder) {
        var kept = queue(decoders, codec);
        if (kept.size() < KEPT) {
            kept.add(decoder);
        } else {
            decoder.close();
        }
    }

    private static <K, V> Queue<V> queue(Map<K, Queue<V>> all, K key) {
        return all.computeIfAbsent(key, _ -> new ConcurrentLinkedQueue<>());
    }

    /// Large buffers that are kept for who comes next.
    int kept() {
        return buffers.size();
    }

    /// A cleared direct buffer for a block and its header.
    ByteBuffer borrow() {
        var kept = buffers.poll();
        if (kept == null) {
            return ByteBuffer.allocateDirect(Header.CODED + Header.BLOCK);
        }
        spare.release();
        return kept.clear();
    }

    void giveBack(@Nullable ByteBuffer buffer) {
        if (buffer != null && spare.tryAcquire()) {
            buffers.add(buffer);
        }
    }
}
