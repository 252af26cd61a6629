package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A message may be larger than any number of 32 bits, and than this machine's memory.
@Tag("lab")
@Timeout(180)
class HugeMessageTest {
    private static final int ARRAYS = 33;
    private static final int LENGTH = 64 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void one_message_of_more_than_two_gibibytes_arrives_whole(String stack) throws Exception {
        var type = PortType.oneToOne().stack(stack);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var here = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var there = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            var source = new byte[LENGTH];
            var target = new byte[LENGTH];
            var memory = new Memory();
            var written =
                    CompletableFuture.supplyAsync(
                            () -> write(out, source),
                            command -> Thread.ofPlatform().start(command));
            try (var message = in.receive()) {
                for (int i = 0; i < ARRAYS; i++) {
                    message.readArray(target);
                    requireMarked(target, i);
                }
                assertThat(message.readInt()).isEqualTo(42);
                assertThat(message.bytesRead())
                        .isGreaterThan((long) ARRAYS * LENGTH)
                        .isEqualTo(written.join());
            }
            assertThat(out.bytes()).isGreaterThanOrEqualTo(written.join());
            memory.requireFlat();
            // The port goes on as after any other message.
            try (var message = out.newMessage()) {
                message.writeInt(7).finish();
            }
            try (var message = in.receive()) {
                assertThat(message.readInt()).isEqualTo(7);
            }
        }
    }

    /// First, last and some bytes between say which array it is.
    private static final int STEP = (1 << 20) - 1;

    private static void mark(byte[] array, int number) {
        for (int i = 0; i < LENGTH; i += STEP) {
            array[i] = (byte) (number * 31 + i / STEP);
        }
        array[LENGTH - 1] = (byte) ~number;
    }

    private static void requireMarked(byte[] array, int number) {
        for (int i = 0; i < LENGTH - 1; i += STEP) {
            assertThat(array[i]).isEqualTo((byte) (number * 31 + i / STEP));
        }
        assertThat(array[LENGTH - 1]).isEqualTo((byte) ~number);
    }

    private static long write(SendPort out, byte[] source) {
        try (var message = out.newMessage()) {
            for (int i = 0; i < ARRAYS; i++) {
                mark(source, i);
                message.writeArray(source);
            }
            return message.writeInt(42).finish();
        }
    }
}
