package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.ibidem.task.Tasks;
import org.junit.jupiter.api.Test;

/// What becomes of upcalls while nothing can be received: for want of a selector, say.
class CannotReceiveTest {
    /// What is to be done later.
    private final Queue<Runnable> later = new ArrayDeque<>();

    private final Tasks tasks =
            new Tasks() {
                @Override
                public Task start(String name, Runnable body) {
                    body.run();
                    return () -> {};
                }

                @Override
                public Task after(Duration delay, String name, Runnable body) {
                    assertThat(delay).isPositive();
                    later.add(body);
                    return () -> later.remove(body);
                }

                @Override
                public long nanoTime() {
                    return 0;
                }
            };

    /// One that throws whatever is asked of it.
    @SuppressWarnings("NullAway")
    private static ReceivePort broken() {
        return null;
    }

    @Test
    void it_is_tried_again_until_the_port_is_closed() {
        var setup = ReceiveSetup.USUAL.upcall(_ -> {});
        var upcalls = new Upcalls(broken(), setup, false, tasks);
        upcalls.enable(true);
        upcalls.another();
        for (int i = 0; i < 3; i++) {
            assertThat(later).hasSize(1);
            later.remove().run();
        }
        upcalls.close();
        later.remove().run();
        assertThat(later).isEmpty();
    }
}
