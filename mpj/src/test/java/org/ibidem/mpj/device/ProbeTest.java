package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A probe answers although others go on sending.
@Tag("slow")
@Timeout(40)
class ProbeTest {
    private static final int CHAIN = 200;
    private static final int LINKED = 1;
    private static final int CONTEXT = 2;

    /// Each message that comes makes the next one be sent, so there is always one more.
    @ParameterizedTest
    @EnumSource(names = {"SHM", "TCP"})
    void a_probe_ends_while_others_send(Fleet.Over over) {
        try (var fleet = over.open(2).connected(LINKED)) {
            var zero = fleet.device(0);
            var one = fleet.device(1);
            var come = new AtomicInteger();
            for (int i = 0; i < CHAIN; i++) {
                one.irecv(new Next(zero, come), 0, 7, CONTEXT);
            }
            zero.send(new Pattern(1, 1), 1, 7, CONTEXT);
            fleet.until(() -> {
                assertThat(one.iprobe(0, 8, CONTEXT)).isNull();
                assertThat(come.get()).as("come while it probed").isLessThan(CHAIN);
                return come.get() > 0;
            });
            fleet.until(() -> come.get() == CHAIN);
        }
    }

    /// Takes a message, and has the next one sent.
    private record Next(Device sender, AtomicInteger come) implements Incoming {
        @Override
        public long begin(Envelope message) {
            return message.size();
        }

        @Override
        public void read(MemorySegment from, long at, int count) {
            // its byte says nothing
        }

        @Override
        public void end() {
            if (come.incrementAndGet() < CHAIN) {
                sender.isend(new Pattern(1, 1), 1, 7, CONTEXT);
            }
        }
    }
}
