package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// Parts of arrays, buffers and segments, larger than the frames they travel in.
@ParameterizedClass
@Stacks({"shm", "tcp", "fragment(size=128) > tcp"})
@Timeout(60)
class ArraysTest {
    private static final long SEED = 20_261_121;
    private static final int LENGTH = 20_001;

    private final PortType type;
    private final Random random = new Random(SEED);
    @AutoClose private final Pair pair = new Pair();
    @AutoClose private ReceivePort in;
    @AutoClose private SendPort out;

    ArraysTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @BeforeEach
    void connect() {
        in = pair.receive(pair.there, type, "in");
        out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), "in");
    }

    private interface Writing<A> {
        void write(WriteMessage message, A array, int offset, int count);
    }

    private interface Reading<A> {
        void read(ReadMessage message, A array, int offset, int count);
    }

    /// How arrays of one kind are made, written and read.
    private record Kind<A>(IntFunction<A> make, Writing<A> writing, Reading<A> reading) {
        A filled(int length, Random random) {
            var array = make.apply(length);
            for (int i = 0; i < length; i++) {
                switch (array) {
                    case boolean[] booleans -> booleans[i] = random.nextBoolean();
                    case char[] chars -> chars[i] = (char) random.nextInt();
                    case double[] doubles -> doubles[i] = random.nextDouble();
                    case long[] longs -> longs[i] = random.nextLong();
                    case int[] ints -> ints[i] = random.nextInt();
                    default -> Array.setByte(array, i, (byte) random.nextInt());
                }
            }
            return array;
        }
    }

    private static final List<Kind<?>> KINDS =
            List.of(
                    new Kind<>(boolean[]::new, WriteMessage::writeArray, ReadMessage::readArray),
                    new Kind<>(byte[]::new, WriteMessage::writeArray, ReadMessage::readArray),
                    new Kind<>(short[]::new, WriteMessage::writeArray, ReadMessage::readArray),
                    new Kind<>(char[]::new, WriteMessage::writeArray, ReadMessage::readArray),
                    new Kind<>(int[]::new, WriteMessage::writeArray, ReadMessage::readArray),
                    new Kind<>(long[]::new, WriteMessage::writeArray, ReadMessage::readArray),
                    new Kind<>(float[]::new, WriteMessage::writeArray, ReadMessage::readArray),
                    new Kind<>(double[]::new, WriteMessage::writeArray, ReadMessage::readArray));

    @Test
    void carries_parts_of_every_kind_of_array_and_leaves_the_rest_alone() throws Exception {
        for (var kind : KINDS) {
            carriesParts(kind);
        }
    }

    private <A> void carriesParts(Kind<A> kind) throws InterruptedException {
        var source = kind.filled(LENGTH, random);
        var target = kind.filled(LENGTH + 7, random);
        var expected = kind.make().apply(LENGTH + 7);
        System.arraycopy(target, 0, expected, 0, LENGTH + 7);
        System.arraycopy(source, 1, expected, 3, LENGTH - 2);
        var writer =
                Thread.ofPlatform()
                        .start(() -> {
                            try (var message = out.newMessage()) {
                                kind.writing().write(message, source, 1, LENGTH - 2);
                                kind.writing().write(message, source, LENGTH, 0);
                                message.finish();
                            }
                        });
        try (var message = in.receive()) {
            int half = LENGTH / 2;
            kind.reading().read(message, target, 3, half);
            kind.reading().read(message, target, 3 + half, LENGTH - 2 - half);
            kind.reading().read(message, target, LENGTH + 7, 0);
        }
        writer.join();
        assertThat((Object) target).as("seed %d", SEED).isEqualTo(expected);
    }

    private record Sent<A>(Kind<A> kind, A array) {
        static <A> Sent<A> of(Kind<A> kind, Random random) {
            return new Sent<>(kind, kind.filled(random.nextInt(120), random));
        }

        void write(WriteMessage message) {
            kind.writing().write(message, array, 0, Array.getLength(array));
        }

        /// Whole, or in two parts.
        void read(ReadMessage message, Random random) {
            int length = Array.getLength(array);
            int first = random.nextInt(4) == 0 ? random.nextInt(length + 1) : length;
            var got = kind.make().apply(length);
            kind.reading().read(message, got, 0, first);
            if (first < length) {
                kind.reading().read(message, got, first, length - first);
            }
            assertThat((Object) got).as("seed %d", SEED).isEqualTo(array);
        }
    }

    @Test
    void carries_short_arrays_wherever_in_a_frame_they_end() throws Exception {
        var sent =
                Stream.<Sent<?>>generate(
                                () -> Sent.of(KINDS.get(random.nextInt(KINDS.size())), random))
                        .limit(4000)
                        .toList();
        var writer =
                Thread.ofPlatform()
                        .start(() -> {
                            try (var message = out.newMessage()) {
                                sent.forEach(one -> one.write(message));
                                message.finish();
                            }
                        });
        try (var message = in.receive()) {
            sent.forEach(one -> one.read(message, random));
        }
        writer.join();
    }

    /// Around the pieces in which what is near is copied, and the size above which nothing is.
    private static final List<Integer> SIZES =
            List.of(
                    1,
                    1023,
                    1024,
                    1025,
                    2047,
                    2048,
                    2049,
                    4100,
                    (256 << 10) - 1,
                    256 << 10,
                    262_145);

    @Test
    void carries_bytes_and_longs_of_lengths_around_those_of_the_pieces_that_are_copied()
            throws Exception {
        for (int size : SIZES) {
            var bytes = new byte[size];
            random.nextBytes(bytes);
            var longs = random.longs(size / Long.BYTES).toArray();
            var writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                try (var message = out.newMessage()) {
                                    message.writeArray(bytes).writeArray(longs);
                                    message.write(ByteBuffer.wrap(bytes)).finish();
                                }
                            });
            var first = new byte[size];
            var second = new long[longs.length];
            var third = ByteBuffer.allocate(size);
            try (var message = in.receive()) {
                message.readArray(first).readArray(second).read(third);
            }
            writer.join();
            assertThat(first).as("%d bytes, seed %d", size, SEED).isEqualTo(bytes);
            assertThat(second).as("%d longs, seed %d", longs.length, SEED).isEqualTo(longs);
            assertThat(third.array()).as("%d bytes, seed %d", size, SEED).isEqualTo(bytes);
        }
    }

    @Test
    void a_range_outside_the_array_is_the_callers_mistake_and_the_message_goes_on() {
        for (var kind : KINDS) {
            refusesRanges(kind);
        }
    }

    private static final List<int[]> WRONG =
            List.of(
                    new int[] {-1, 1},
                    new int[] {0, -1},
                    new int[] {0, 6},
                    new int[] {5, 1},
                    new int[] {6, 0},
                    new int[] {1, Integer.MAX_VALUE},
                    new int[] {Integer.MIN_VALUE, 2});

    private <A> void refusesRanges(Kind<A> kind) {
        var source = kind.filled(5, random);
        var target = kind.make().apply(5);
        try (var message = out.newMessage()) {
            for (var range : WRONG) {
                assertThatThrownBy(() -> kind.writing().write(message, source, range[0], range[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            kind.writing().write(message, source, 0, 5);
            message.writeInt(42).finish();
        }
        try (var message = in.receive()) {
            for (var range : WRONG) {
                assertThatThrownBy(() -> kind.reading().read(message, target, range[0], range[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            kind.reading().read(message, target, 0, 5);
            assertThat(message.readInt()).isEqualTo(42);
        }
        assertThat((Object) target).isEqualTo(source);
    }

    /// Also of none, after which there would be nothing in hand.
    @Test
    void of_an_array_with_fewer_elements_than_are_read_nothing_is_taken() {
        for (var kind : KINDS) {
            for (int length : new int[] {0, 3}) {
                refusesMore(kind, length);
            }
        }
    }

    private <A> void refusesMore(Kind<A> kind, int length) {
        var source = kind.filled(length, random);
        try (var message = out.newMessage()) {
            kind.writing().write(message, source, 0, length);
            message.writeInt(42).finish();
        }
        var target = kind.make().apply(length + 1);
        try (var message = in.receive()) {
            assertThatThrownBy(() -> kind.reading().read(message, target, 0, length + 1))
                    .isInstanceOf(ReadMismatch.class);
            var right = kind.make().apply(length);
            kind.reading().read(message, right, 0, length);
            assertThat((Object) right).isEqualTo(source);
            assertThat(message.readInt()).isEqualTo(42);
        }
    }

    /// A part of a heap buffer, read only, big-endian, of its own memory, a view.
    private static List<ByteBuffer> buffers(byte[] bytes) {
        var heap = ByteBuffer.wrap(bytes).position(100).limit(bytes.length - 7);
        var direct = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        return Stream.of(
                        heap,
                        heap.asReadOnlyBuffer(),
                        heap.duplicate().order(ByteOrder.BIG_ENDIAN),
                        direct.clear().position(100).limit(bytes.length - 7),
                        ByteBuffer.wrap(bytes, 50, bytes.length - 57).slice().position(50))
                .toList();
    }

    @Test
    void carries_what_remains_of_any_buffer_and_moves_its_position() throws Exception {
        var bytes = new byte[100_000];
        random.nextBytes(bytes);
        for (var buffer : buffers(bytes)) {
            var expected = buffer.duplicate();
            var writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                try (var message = out.newMessage()) {
                                    message.write(buffer).finish();
                                }
                            });
            var target = ByteBuffer.allocate(bytes.length).position(3);
            target.limit(3 + expected.remaining());
            try (var message = in.receive()) {
                message.read(target);
            }
            writer.join();
            assertThat(buffer.remaining()).isZero();
            assertThat(target.remaining()).isZero();
            assertThat(target.position(3)).isEqualTo(expected);
        }
    }

    @Test
    void a_segment_that_cannot_be_read_takes_its_message_with_it() throws Exception {
        var closed = Arena.ofShared();
        var source = closed.allocate(100);
        closed.close();
        refused(source, IllegalStateException.class);
        var another = new AtomicReference<MemorySegment>();
        Thread.ofPlatform().start(() -> another.set(Arena.ofConfined().allocate(100))).join();
        refused(another.get(), WrongThreadException.class);
        try (var message = out.newMessage()) {
            message.writeInt(7).finish();
        }
        try (var message = in.receive()) {
            assertThat(message.readInt()).isEqualTo(7);
        }
    }

    private void refused(MemorySegment source, Class<? extends RuntimeException> error) {
        try (var message = out.newMessage()) {
            message.writeInt(1);
            assertThatThrownBy(() -> message.write(source, 0, 100)).isInstanceOf(error);
            assertThatThrownBy(() -> message.writeInt(2)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void carries_parts_of_segments_of_the_heap_and_outside_it() throws Exception {
        var longs = new long[20_000];
        random.longs(20_000).forEach(value -> longs[random.nextInt(20_000)] = value);
        try (var arena = Arena.ofShared()) {
            var heap = MemorySegment.ofArray(longs);
            var outside = arena.allocate(heap.byteSize()).copyFrom(heap);
            for (var source : List.of(heap, outside)) {
                long part = source.byteSize() - 16;
                var writer =
                        Thread.ofPlatform()
                                .start(() -> {
                                    try (var message = out.newMessage()) {
                                        message.write(source, 8, part).finish();
                                    }
                                });
                var target = arena.allocate(source.byteSize()).fill((byte) 1);
                try (var message = in.receive()) {
                    message.read(target, 4, part);
                }
                writer.join();
                assertThat(target.asSlice(4, part).mismatch(source.asSlice(8, part))).isEqualTo(-1);
                assertThat(target.get(ValueLayout.JAVA_BYTE, 3)).isOne();
                assertThat(target.get(ValueLayout.JAVA_BYTE, part + 4)).isOne();
            }
        }
    }
}
