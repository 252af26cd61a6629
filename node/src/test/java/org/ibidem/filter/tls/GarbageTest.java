package org.ibidem.filter.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.identity.Identity;
import org.ibidem.link.ByteStream;
import org.ibidem.link.StreamOver;
import org.ibidem.link.TestLower;
import org.ibidem.tls.Engines;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the JDK's engines allocate is theirs: nothing is added to that, and they are not asked in
/// vain, for what they allocate then.
@Timeout(60)
class GarbageTest {
    private static final Identity CLIENT = Identity.create();
    private static final Identity SERVER = Identity.create();
    private static final int FRAMES = 500;
    private static final int MOST_ROUNDS = 100;

    /// For a round; the smallest object for each frame is more.
    private static final long MOST_BYTES = 8 * FRAMES;

    private record End(ByteStream stream, Measured engine, Network network) {}

    /// What an end writes to, which notes the memory that it is given.
    private static final class Network extends StreamOver {
        @Nullable ByteBuffer taken;

        Network(ByteStream below) {
            super(below);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            taken = from;
            return below.write(from);
        }
    }

    private static CompletableFuture<End> end(TestLower lower) {
        var credentials =
                lower.active() ? CLIENT.towards(SERVER.id()) : SERVER.towards(CLIENT.id());
        return Background.call(() -> {
            var engine = Engines.engine(credentials, lower.active(), lower.key());
            var measured = new Measured(engine);
            var network = new Network(lower.stream());
            var stream = new TlsStream(network, measured);
            var end = lower.tasks().deadline(Duration.ofSeconds(30));
            var keyed = new Keyed(lower, credentials, lower.key(), lower.said());
            new Opening(stream, lower.tasks(), end).run(keyed);
            return new End(stream, measured, network);
        });
    }

    @Test
    void a_frame_costs_what_the_engines_allocate_for_its_records_and_no_more() throws IOException {
        costsWhatTheEnginesAllocate(64, 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"16000, 1", "40000, 3"})
    void a_large_one_does_so_too(int size, int records) throws IOException {
        costsWhatTheEnginesAllocate(size, records);
    }

    private static void costsWhatTheEnginesAllocate(int size, int records) throws IOException {
        var lowers = TestLower.pair();
        try {
            var opening = end(lowers[0]);
            var writer = end(lowers[1]).join();
            var reader = opening.join();
            var from = ByteBuffer.allocateDirect(size);
            var into = ByteBuffer.allocateDirect(size);
            long least = Long.MAX_VALUE;
            carry(writer.stream, reader.stream, from, into); // with what follows a handshake
            for (int i = 0; i < MOST_ROUNDS && least > MOST_BYTES; i++) {
                least = Math.min(least, round(writer, reader, from, into));
                assertThat(writer.engine.calls).as("encrypted").isEqualTo((long) FRAMES * records);
                assertThat(reader.engine.calls).as("decrypted").isEqualTo((long) FRAMES * records);
            }
            assertThat(least).as("bytes of ours").isLessThanOrEqualTo(MOST_BYTES);
        } finally {
            lowers[0].stream().close();
            lowers[1].stream().close();
        }
    }

    /// A frame is encrypted where its writer has claimed it, into the memory that the network is
    /// given, which no system call has to copy first.
    @ParameterizedTest
    @CsvSource({"64, 1", "40000, 3"})
    void a_frame_is_encrypted_from_where_it_is_into_what_the_network_takes(int size, int records)
            throws IOException {
        var lowers = TestLower.pair();
        try {
            var opening = end(lowers[0]);
            var writer = end(lowers[1]).join();
            var reader = opening.join();
            var from = ByteBuffer.allocateDirect(size);
            var into = ByteBuffer.allocateDirect(size);
            carry(writer.stream, reader.stream, from, into); // with what follows a handshake
            writer.engine.calls = 0;
            carry(writer.stream, reader.stream, from, into);
            assertThat(writer.engine.calls).as("passes over it").isEqualTo(records);
            assertThat(writer.engine.plain).isSameAs(from);
            assertThat(writer.engine.encrypted).isSameAs(writer.network.taken);
            assertThat(Objects.requireNonNull(writer.network.taken).isDirect()).isTrue();
        } finally {
            lowers[0].stream().close();
            lowers[1].stream().close();
        }
    }

    /// Bytes that are not the engines'.
    private static long round(End writer, End reader, ByteBuffer from, ByteBuffer into)
            throws IOException {
        for (var end : new End[] {writer, reader}) {
            end.engine.bytes = 0;
            end.engine.calls = 0;
        }
        long before = Measured.allocated();
        for (int i = 0; i < FRAMES; i++) {
            carry(writer.stream, reader.stream, from, into);
        }
        return Measured.allocated() - before - writer.engine.bytes - reader.engine.bytes;
    }

    private static void carry(
            ByteStream writer, ByteStream reader, ByteBuffer from, ByteBuffer into)
            throws IOException {
        from.clear();
        into.clear();
        while (from.hasRemaining()) {
            writer.write(from);
        }
        while (!writer.flush()) {
            Thread.onSpinWait();
        }
        while (into.hasRemaining()) {
            reader.read(into);
        }
    }
}
