package org.ibidem.lab.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.hub.Hub;
import org.ibidem.lab.budget.watched.WatchedDriver;
import org.ibidem.lab.budget.watched.WatchedStream;
import org.ibidem.lab.budget.watched.WatchedStream.Call;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What lies between a user's call and the system's: at most six methods of ours and one for each
/// filter, no other thread, one copy.
@Timeout(60)
class BudgetTest {
    private static final int FRAMES = 6;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Node here = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
    private final Node there = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));

    @BeforeEach
    void forget() {
        WatchedDriver.STREAMS.clear();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        hub.close();
    }

    private static WatchedStream stream(boolean active) throws InterruptedException {
        while (WatchedDriver.STREAMS.size() < 2) {
            Thread.onSpinWait(); // the other end is still being made
        }
        var found = WatchedDriver.STREAMS.stream().filter(s -> s.active == active).toList();
        assertThat(found).hasSize(1);
        found.getFirst().watching = true;
        return found.getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "watched, 0, 0",
        "fragment(size=64k) > watched, 1, 0",
        "fragment(size=1k) > fragment(size=512) > watched, 2, 0",
        "cut(after=1G) > watched, 1, 1",
        "fragment(size=1k) > cut(after=1G) > watched, 2, 1"
    })
    void six_methods_and_one_for_each_filter_and_no_other_thread(
            String stack, int filtersOut, int filtersIn) throws Exception {
        var type = PortType.oneToOne().stack(stack);
        try (var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            var sent = stream(true);
            var received = stream(false);
            for (int i = 0; i < 3; i++) {
                small(out, in, i);
            }
            var writer = Thread.ofPlatform().start(() -> large(out));
            try (var message = in.receive()) {
                message.readArray(new byte[1 << 20], 0, 1 << 20);
            }
            writer.join();
            assertThat(sent.calls)
                    .hasSizeGreaterThan(3)
                    .allSatisfy(call -> within(call, FRAMES + filtersOut));
            assertThat(received.calls)
                    .hasSizeGreaterThan(3)
                    .allSatisfy(call -> within(call, FRAMES + filtersIn));
            assertThat(received.calls)
                    .allSatisfy(
                            call -> assertThat(call.thread()).isEqualTo(Thread.currentThread()));
            assertThat(sent.calls)
                    .allSatisfy(
                            call -> assertThat(call.thread()).isIn(writer, Thread.currentThread()));
        }
    }

    /// Where `multireceive` stands between network and reader, and `multicast` between writer and
    /// network.
    @Test
    void with_several_at_either_end_there_is_no_other_thread_either() throws Exception {
        var type = PortType.manyToMany().stack("watched");
        try (var first = ReceivePort.open(there, type, "first");
                var second = ReceivePort.open(there, type, "second");
                var one = SendPort.open(here, type, "one");
                var other = SendPort.open(here, type, "other")) {
            for (var in : List.of(first, second)) {
                one.connect(there.id(), in.name());
                other.connect(there.id(), in.name());
            }
            while (WatchedDriver.STREAMS.size() < 8) {
                Thread.onSpinWait(); // the other ends are still being made
            }
            WatchedDriver.STREAMS.forEach(stream -> stream.watching = true);
            for (int i = 0; i < 3; i++) {
                for (var out : List.of(one, other)) {
                    try (var message = out.newMessage()) {
                        message.writeInt(i).finish();
                    }
                }
            }
            for (var in : List.of(first, second)) {
                for (int i = 0; i < 6; i++) {
                    in.receive().close();
                }
            }
            assertThat(WatchedDriver.STREAMS)
                    .flatExtracting(stream -> List.copyOf(stream.calls))
                    .hasSizeGreaterThan(12)
                    .extracting(Call::thread)
                    .containsOnly(Thread.currentThread());
        }
    }

    private static void within(Call call, int most) {
        assertThat(call.frames()).as("methods of ours").isNotEmpty().hasSizeLessThanOrEqualTo(most);
    }

    private static void small(SendPort out, ReceivePort in, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
        try (var message = in.receive()) {
            assertThat(message.readInt()).isEqualTo(value);
        }
    }

    /// With offset and length: the shorthand for whole arrays is a method more.
    private static void large(SendPort out) {
        try (var message = out.newMessage()) {
            message.writeArray(new byte[1 << 20], 0, 1 << 20).finish();
        }
    }

    /// Aggregation: what is held back is in one buffer and leaves in one write.
    @Test
    void ten_held_messages_are_one_write_and_nothing_leaves_before_the_flush() throws Exception {
        var type = PortType.oneToOne().stack("watched");
        try (var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            var sent = stream(true);
            for (int i = 0; i < 10; i++) {
                try (var message = out.newMessage()) {
                    message.writeInt(i).finishHeld();
                }
            }
            assertThat(sent.calls).isEmpty();
            out.flush();
            int frame = 4 + Run.TAG + Integer.BYTES;
            assertThat(sent.calls).extracting(Call::bytes).containsExactly(10 * frame);
            for (int i = 0; i < 10; i++) {
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isEqualTo(i);
                }
            }
        }
    }

    @Test
    void of_large_messages_768_KiB_are_held_back() throws Exception {
        var type = PortType.oneToOne().stack("watched");
        var array = new byte[100_000];
        try (var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            var sent = stream(true);
            var writer = Thread.ofPlatform().start(() -> large(out)); // a large buffer from now on
            try (var message = in.receive()) {
                message.readArray(new byte[1 << 20], 0, 1 << 20);
            }
            writer.join();
            sent.calls.clear();
            for (int i = 0; i < 7; i++) {
                hold(out, array);
            }
            assertThat(sent.calls).isEmpty();
            hold(out, array);
            assertThat(sent.calls).isNotEmpty();
            var rest = Thread.ofPlatform().start(out::flush);
            for (int i = 0; i < 8; i++) {
                try (var message = in.receive()) {
                    message.readArray(array);
                }
            }
            rest.join();
        }
    }

    /// More than the system takes at a time, so that some of it may have to wait here.
    @Test
    void large_messages_that_are_held_back_arrive_whole() throws Exception {
        var type = PortType.oneToOne().stack("watched");
        int messages = 300;
        var expected = new byte[100_000];
        var got = new byte[100_000];
        try (var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            var writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                var array = new byte[100_000];
                                for (int i = 0; i < messages; i++) {
                                    Arrays.fill(array, (byte) i);
                                    hold(out, array);
                                }
                                out.flush();
                            });
            for (int i = 0; i < messages; i++) {
                Arrays.fill(expected, (byte) i);
                try (var message = in.receive()) {
                    message.readArray(got);
                }
                assertThat(Arrays.mismatch(got, expected)).as("in message %d", i).isNegative();
            }
            writer.join();
        }
    }

    private static void hold(SendPort out, byte[] array) {
        try (var message = out.newMessage()) {
            message.writeArray(array).finishHeld();
        }
    }

    @Test
    void a_finish_takes_what_was_held_back_along() throws Exception {
        var type = PortType.oneToOne().stack("watched");
        try (var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            var sent = stream(true);
            for (int i = 0; i < 10; i++) {
                try (var message = out.newMessage()) {
                    message.writeInt(i);
                    if (i < 9) {
                        message.finishHeld();
                    } else {
                        message.finish();
                    }
                }
            }
            assertThat(sent.calls).hasSize(1);
            try (var message = in.receive()) {
                assertThat(message.readInt()).isZero();
            }
        }
    }

    /// The array goes into the memory that the system writes from, and comes out of the memory that
    /// it read into.
    @Test
    void one_copy_at_each_side_of_a_hundred_thousand_bytes() throws Exception {
        var type = PortType.oneToOne().stack("watched");
        var array = new byte[100_000];
        try (var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            var sent = stream(true);
            var received = stream(false);
            long filled;
            try (var message = out.newMessage()) {
                message.writeArray(array);
                filled = memory(message, WriteMessage.class);
                message.finish();
            }
            try (var message = in.receive()) {
                message.readArray(new byte[4]);
                message.readArray(new byte[array.length - 4]);
                long read = memory(message, ReadMessage.class);
                assertThat(received.calls)
                        .allSatisfy(call -> {
                            assertThat(call.direct()).isTrue();
                            assertThat(call.base()).isEqualTo(read);
                        });
            }
            assertThat(sent.calls)
                    .isNotEmpty()
                    .allSatisfy(call -> {
                        assertThat(call.direct()).isTrue();
                        assertThat(call.base()).isEqualTo(filled);
                    });
            int frames = 2; // of 64 KiB at most, each with a header of 4 bytes
            assertThat(sent.calls.stream().mapToInt(Call::bytes).sum())
                    .isEqualTo(array.length + 4 * frames + Run.LENGTH + Run.TAG * frames);
        }
    }

    // The frame is nobody's business but the message's, so the test takes it.
    private static long memory(Object message, Class<?> type) throws ReflectiveOperationException {
        var layer = type.getSuperclass();
        while (Stream.of(layer.getDeclaredFields()).noneMatch(f -> f.getName().equals("frame"))) {
            layer = layer.getSuperclass();
        }
        var field = layer.getDeclaredField("frame");
        field.setAccessible(true);
        MemorySegment memory = ((Frame) field.get(message)).memory;
        return memory.address();
    }
}
