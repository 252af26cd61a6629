package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.serial.graph.Trip;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is done besides copying once: nothing.
@Timeout(120)
@Isolated("looks again and again, which others make slow")
class CopiesTest {
    private static final int LARGE = 100_000;

    /// The first elements come with what was read before them; of 100 kB that is little.
    private static final int BESIDE = 4096;

    private static final int MESSAGES = 2_000;

    /// On a busy machine the compiler may not be done with the first ones.
    private static final int MOST_ROUNDS = 1_500;

    /// Of all messages of a round together: what the JVM itself does now and then. The smallest
    /// object for each message is more.
    private static final long MOST_BYTES = 5 * MESSAGES;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// An object without methods of its own for this.
    @SuppressWarnings("unused") // its fields are there to be sent
    private static final class Plain implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number = 1;
        final long time = 2;
        final String name = "a name";
        final double[] values = {1, 2, 3};
        final Plain next;
        final Plain same;

        Plain(int depth) {
            next = depth == 0 ? null : new Plain(depth - 1);
            same = next;
        }
    }

    /// Holds an array.
    @SuppressWarnings("serial") // it holds what it holds
    private record Holder(int before, Object array, String behind) implements Serializable {}

    private static Stream<Object> arrays() {
        return Stream.of(
                new byte[LARGE],
                new short[LARGE],
                new char[LARGE],
                new int[LARGE],
                new long[LARGE],
                new float[LARGE],
                new double[LARGE]);
    }

    /// Remembers which arrays came past the page.
    private static final class Watched implements Sink {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final ToStream stream = new ToStream(bytes);
        private final List<Object> past = new ArrayList<>();
        private long paged;

        @Override
        public void write(byte[] page, int offset, int count) throws IOException {
            paged += count;
            stream.write(page, offset, count);
        }

        @Override
        public void writeArray(PrimitiveArray kind, Object array, int offset, int count)
                throws IOException {
            past.add(array);
            stream.writeArray(kind, array, offset, count);
        }
    }

    /// A byte array goes as bytes.
    @ParameterizedTest
    @MethodSource("arrays")
    void a_primitive_array_in_an_object_goes_past_the_page(Object array) throws Exception {
        var sink = new Watched();
        var encoder = new Encoder(Tiers.LAST, sink);
        var graph = new Holder(1, array, "behind");
        encoder.writeMessage(graph);
        assertThat(sink.past).hasSize(1);
        assertThat(sink.past.getFirst()).isSameAs(array);
        assertThat(sink.paged).isLessThan(BESIDE);
        var in = new Lent(sink.bytes.toByteArray());
        var policy = Trip.POLICY;
        var got = (Holder) new Decoder(Tiers.LAST, in, policy.gate(), true).readRoot();
        assertThat(got.array).isEqualTo(array);
        assertThat(got.behind).isEqualTo("behind");
        assertThat(in.filled).hasSize(1);
        assertThat(in.filled.getFirst()).isSameAs(got.array);
        assertThat(in.paged).isLessThan(BESIDE);
    }

    /// Remembers into which arrays was read past the page.
    private static final class Lent implements Source {
        private final FromStream stream;
        private final List<Object> filled = new ArrayList<>();
        private long paged;

        Lent(byte[] bytes) {
            stream = new FromStream(new ByteArrayInputStream(bytes));
        }

        @Override
        public int read(byte[] bytes, int offset, int least, int most) throws IOException {
            int count = stream.read(bytes, offset, least, Math.min(most, BESIDE / 2));
            paged += count;
            return count;
        }

        @Override
        public void readArray(PrimitiveArray kind, Object array, int offset, int count)
                throws IOException {
            filled.add(array);
            stream.readArray(kind, array, offset, count);
        }
    }

    /// Forgets what it gets.
    private static final class Nowhere implements Sink {
        @Override
        public boolean lasting() {
            return true;
        }

        @Override
        public boolean describe(byte[] description) {
            return true;
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {}

        @Override
        public void writeArray(PrimitiveArray kind, Object array, int offset, int count) {}
    }

    @Test
    void writing_an_object_without_methods_of_its_own_allocates_nothing() throws Exception {
        var encoder = new Encoder(Tiers.LAST, new Nowhere());
        var graph = new Plain(20);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && least >= MOST_BYTES; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < MESSAGES; i++) {
                encoder.writeRoot(graph);
                encoder.endMessage();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes for %d messages", MESSAGES).isLessThan(MOST_BYTES);
    }
}
