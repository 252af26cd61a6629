package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/// An interrupt is for whoever waits. A thread that was interrupted and has no need to wait goes on
/// writing, wakes its reader, and has its ring grow; where it must wait, its message is given up;
/// the link stays as it was.
@Timeout(60)
class InterruptedWriterTest {
    private static final int TIMES = 20;
    private static final int GROWS = 4 << 20;

    @ParameterizedTest
    @Stacks({"loopback", "shm", "tcp"})
    void a_thread_that_was_interrupted_leaves_the_link_as_it_was(String stack)
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
                        boolean all = true;
                        for (int i = 0; i < TIMES; i++) {
                            all &= interrupted(out, i);
                        }
                        write(out, TIMES);
                        kept.complete(all);
                    });
            while (!isLast(in)) {
                // it comes
            }
            writer.join();
            assertThat(kept).isCompletedWithValue(true);
        }
    }

    private static boolean isLast(ReceivePort in) {
        try (var message = in.receive()) {
            int i = message.readInt();
            message.readArray(new byte[size(i)]);
            return i == TIMES;
        } catch (MessageAbandoned _) {
            return false;
        }
    }

    private static int size(int i) {
        return i % 2 == 0 ? 8 : GROWS;
    }

    /// Answers whether its status was kept.
    private static boolean interrupted(SendPort out, int i) {
        Thread.currentThread().interrupt();
        try {
            write(out, i);
        } catch (WaitInterrupted _) {
            // it had to wait
        }
        return Thread.interrupted();
    }

    private static void write(SendPort out, int i) {
        try (var message = out.newMessage()) {
            message.writeInt(i).writeArray(new byte[size(i)]).finish();
        }
    }
}
