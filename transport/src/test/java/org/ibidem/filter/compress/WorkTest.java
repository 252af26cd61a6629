package org.ibidem.filter.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.codec.Codec;
import org.ibidem.codec.Codecs;
import org.ibidem.codec.Deflate;
import org.ibidem.link.ByteStream;
import org.ibidem.link.TestLower;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What codecs are given to do: by how many at once, and of what.
@Timeout(60)
class WorkTest {
    /// In hand for each direction.
    private static final int BLOCKS = 4;

    private final List<TestLower> lowers = new ArrayList<>();

    @AfterEach
    void close() {
        lowers.forEach(lower -> lower.stream().close());
    }

    /// How often a codec was asked, and by how many at once; each time it ends when it may.
    private static final class Counted {
        final Semaphore may;
        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final Codec codec = new VainCodec(7, "counted", this::work);
        private final AtomicInteger atOnce = new AtomicInteger();

        Counted(int permits) {
            may = new Semaphore(permits);
        }

        private void work() {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            begun.incrementAndGet();
            may.acquireUninterruptibly();
            atOnce.decrementAndGet();
        }
    }

    private static CompletableFuture<ByteStream> end(TestLower lower, Codec codec) {
        var options = new Compress(codec.levels().getFirst().number() + "", "auto");
        var filter = new CompressFilter(Codecs.of(List.of(codec)));
        return Background.call(() -> filter.over(lower.stream(), options, lower));
    }

    /// Both ends of one link.
    private ByteStream[] pair(Codec codec) throws IOException {
        var both = List.of(TestLower.pair());
        lowers.addAll(both);
        var one = end(both.getFirst(), codec);
        var other = end(both.getLast(), codec);
        return new ByteStream[] {one.join(), other.join()};
    }

    private static ByteBuffer text(int bytes) {
        var words = "public static final int WORD; ".repeat(bytes / 30 + 1).substring(0, bytes);
        return direct(words.getBytes(StandardCharsets.US_ASCII));
    }

    private static ByteBuffer noise(int bytes) {
        var noise = new byte[bytes];
        new Random(1).nextBytes(noise);
        return direct(noise);
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /// Writes and reads, until all has come.
    private static void carry(ByteStream[] ends, ByteBuffer what) throws IOException {
        var room = ByteBuffer.allocateDirect(what.remaining());
        while (room.hasRemaining()) {
            int _ = ends[0].write(what);
            boolean _ = ends[0].flush();
            assertThat(ends[1].read(room)).isNotNegative();
        }
        assertThat(room.flip()).isEqualTo(what.rewind());
    }

    @Test
    void no_codec_is_asked_what_becomes_of_data_that_cannot_become_less() throws IOException {
        var counted = new Counted(Integer.MAX_VALUE);
        var ends = pair(counted.codec);
        carry(ends, noise(2_000_000));
        assertThat(counted.begun).hasValue(0);
        carry(ends, text(2_000_000));
        assertThat(counted.begun.get()).isGreaterThanOrEqualTo(2_000_000 / Header.BLOCK);
    }

    /// All links of a process together.
    @Test
    void a_processor_is_left_by_those_who_compress() throws IOException {
        int places = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
        var counted = new Counted(0);
        var links = new ArrayList<ByteStream[]>();
        for (int blocks = 0; blocks <= places; blocks += BLOCKS) {
            links.add(pair(counted.codec));
        }
        int all = links.size() * BLOCKS;
        for (var ends : links) {
            assertThat(ends[0].write(text((BLOCKS + 1) * Header.BLOCK)))
                    .as("what there is room for")
                    .isEqualTo(BLOCKS * Header.BLOCK);
        }
        for (int block = 0; block < all; block++) {
            int begun = Math.min(all, block + places);
            eventually("blocks are begun", () -> counted.begun.get() >= begun);
            counted.may.release();
        }
        assertThat(counted.most).hasValue(places);
        for (var ends : links) {
            var room = ByteBuffer.allocateDirect(BLOCKS * Header.BLOCK);
            while (room.hasRemaining()) {
                boolean _ = ends[0].flush();
                assertThat(ends[1].read(room)).isNotNegative();
            }
        }
    }

    /// Bytes that a message takes behind another one.
    private int behind(String first, String message) throws IOException {
        var lower = List.of(TestLower.pair());
        lowers.addAll(lower);
        var hand = lower.getLast().stream();
        var one = end(lower.getFirst(), new Deflate());
        var other = end(lower.getLast(), new Deflate());
        other.join(); // both have said what they have; from now on this end reads by hand
        int before = 0;
        int all = 0;
        for (var each : List.of(first, message)) {
            before = all;
            var bytes = direct(each.getBytes(StandardCharsets.US_ASCII));
            assertThat(one.join().write(bytes)).isEqualTo(each.length());
            eventually("it is flushed", () -> flushed(one.join()));
            all += size(hand);
        }
        return all - before;
    }

    private static boolean flushed(ByteStream stream) {
        try {
            return stream.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Of the one block that comes.
    private static int size(ByteStream hand) throws IOException {
        var header = ByteBuffer.allocateDirect(Header.PLAIN).order(ByteOrder.LITTLE_ENDIAN);
        fill(hand, header);
        int word = header.getInt(0);
        boolean coded = word >>> Header.CODEC_SHIFT != 0;
        int bytes = word & Header.LENGTH_MASK;
        fill(hand, ByteBuffer.allocateDirect(bytes + (coded ? Header.CODED - Header.PLAIN : 0)));
        return bytes;
    }

    private static void fill(ByteStream from, ByteBuffer room) throws IOException {
        while (room.hasRemaining()) {
            assertThat(from.read(room)).isNotNegative();
        }
    }

    /// As what ports send is flushed by the message, also that of a type that is secret: who has a
    /// say in one message learns nothing of another by how far it shrinks.
    @Test
    void messages_are_compressed_one_by_one() throws IOException {
        var secret =
                "the word that nobody may know is swordfish, and 4711 is the number; ".repeat(12);
        var other =
                "of what else there might be said something, this is not about a fi; ".repeat(12);
        assertThat(other).hasSameSizeAs(secret);
        int alone = behind(other, secret);
        assertThat(alone).isLessThan(secret.length() / 2);
        assertThat(behind(secret, secret)).isEqualTo(alone);
    }
}
