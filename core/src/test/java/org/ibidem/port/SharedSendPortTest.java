package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several threads write to one send port, as any may.
@Timeout(60)
class SharedSendPortTest {
    private static final int THREADS = 4;
    private static final int EACH = 20_000;

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    /// Whoever closes its message behind `finish` finds the next one of another thread.
    @Test
    void closing_a_finished_message_takes_nothing_from_the_next_of_another_thread() {
        var type = PortType.oneToOne().stack("shm");
        var in = pair.receive(pair.there, type, "in");
        var out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), "in");
        var writing = new ArrayList<CompletableFuture<Void>>();
        for (int thread = 0; thread < THREADS; thread++) {
            int base = thread * EACH;
            writing.add(
                    Background.run(() -> {
                        for (int i = base; i < base + EACH; i++) {
                            try (var message = out.newMessage()) {
                                message.writeInt(i).finish();
                            }
                        }
                    }));
        }
        var next = new int[THREADS];
        for (int i = 0; i < THREADS * EACH; i++) {
            try (var message = in.receive(Duration.ofSeconds(20))) {
                int value = message.readInt();
                assertThat(value % EACH).isEqualTo(next[value / EACH]++);
            }
        }
        writing.forEach(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(20)));
    }
}
