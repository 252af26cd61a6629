package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An interrupt is for whoever waits. A thread that was interrupted and has no need to wait goes on
/// writing, wakes its reader, and leaves the link as it was.
@Timeout(60)
class InterruptedWriterTest {
    private static final int TIMES = 20;
    private static final int GROWS = 4 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "shm", "tcp"})
    void a_thread_that_was_interrupted_wakes_its_reader_and_lets_its_ring_grow(String stack)
            throws InterruptedException {
        var type = PortType.oneToOne().stack(stack);
        var setup = SendSetup.USUAL.waiting(WaitPolicy.SPIN_ONLY);
        try (var pair = new Pair();
                var in = pair.receive(pair.there, type, "in");
                var out = SendPort.open(pair.here, type, "out", setup)) {
            in.waiting(WaitPolicy.SLEEP);
            out.connect(pair.there.id(), "in");
            var kept = new CompletableFuture<Boolean>();
            var writer =
                    Thread.startVirtualThread(() -> {
                        Thread.currentThread().interrupt();
                        write(out);
                        kept.complete(Thread.currentThread().isInterrupted());
                    });
            for (int i = 0; i < TIMES; i++) {
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isEqualTo(i);
                    message.readArray(new byte[i % 2 == 0 ? 8 : GROWS]);
                }
            }
            writer.join();
            assertThat(kept).isCompletedWithValue(true);
        }
    }

    private static void write(SendPort out) {
        for (int i = 0; i < TIMES; i++) {
            try (var message = out.newMessage()) {
                message.writeInt(i).writeArray(new byte[i % 2 == 0 ? 8 : GROWS]).finish();
            }
        }
    }
}
