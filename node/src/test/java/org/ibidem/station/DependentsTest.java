package org.ibidem.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.Background;
import org.ibidem.Logged;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a node closes with itself, in which order, and what waits for a peer meanwhile.
@Timeout(60)
class DependentsTest {
    private static final Duration LONG = Duration.ofMinutes(7);

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final Dependents all = new Dependents(threads);
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        threads.close();
    }

    /// Its peer makes room when the future says so.
    private class Lingering implements Lingers {
        final CompletableFuture<Void> room = new CompletableFuture<>();
        private final String name;

        Lingering(String name) {
            this.name = name;
        }

        @Override
        public void flushAtOnce() {
            seen.add(name + " flushed");
        }

        @Override
        public boolean closeAtOnce() {
            if (room.isDone()) {
                seen.add(name + " at once");
            }
            return room.isDone();
        }

        @Override
        public void closeWithin(Duration limit) {
            seen.add(name + " within " + limit);
            room.join();
            seen.add(name + " closed");
        }

        @Override
        public void close() {
            throw new AssertionError("it would wait without a limit");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Lingering lingering(String name) {
        var made = new Lingering(name);
        all.add(made);
        return made;
    }

    private void plain(String name) {
        all.add(() -> seen.add(name));
    }

    @Test
    void all_are_closed_the_last_one_first() {
        plain("first");
        lingering("second").room.complete(null);
        plain("third");
        all.close(threads.deadline(LONG));
        assertThat(seen).containsExactly("third", "second at once", "first");
        all.close(threads.deadline(LONG));
        assertThat(seen).as("none is closed twice").hasSize(3);
    }

    @Test
    void what_was_closed_by_itself_is_not_closed_again() {
        var closed = lingering("closed");
        plain("open");
        all.remove(closed);
        all.close(threads.deadline(LONG));
        assertThat(seen).containsExactly("open");
    }

    @Test
    void what_waits_for_a_peer_holds_up_nobody_and_is_waited_for() {
        plain("plain");
        var one = lingering("one");
        var other = lingering("other");
        var closing = Background.run(() -> all.close(threads.deadline(LONG)));
        eventually("both wait", () -> seen.size() == 3);
        assertThat(seen).startsWith("plain").contains("one within PT7M", "other within PT7M");
        one.room.complete(null);
        eventually("one is closed", () -> seen.contains("one closed"));
        assertThat(closing).isNotDone();
        other.room.complete(null);
        closing.join();
        assertThat(seen).endsWith("other closed");
    }

    @Test
    void what_waits_when_the_time_is_over_is_left() {
        lingering("one");
        all.close(threads.nanoTime());
        eventually("it was told", () -> !seen.isEmpty());
        assertThat(seen).containsExactly("one within PT0.000000001S");
    }

    @Test
    void an_interrupt_ends_the_wait_and_stays() {
        lingering("one");
        Thread.currentThread().interrupt();
        all.close(threads.deadline(LONG));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void one_that_fails_is_logged_and_the_others_are_closed() {
        plain("first");
        all.add(
                new AutoCloseable() {
                    @Override
                    public void close() throws IOException {
                        throw new IOException("for this test");
                    }

                    @Override
                    public String toString() {
                        return "the bad one";
                    }
                });
        try (var log = new Logged(Dependents.class)) {
            all.close(threads.deadline(LONG));
            assertThat(log.lines())
                    .contains(
                            """
                            WARNING the bad one could not be closed in order
                            java.io.IOException: for this test\
                            """);
        }
        assertThat(seen).containsExactly("first");
    }

    @Test
    void one_that_fails_as_it_waits_is_not_waited_for() {
        lingering("one").room.completeExceptionally(new IllegalStateException("for this test"));
        var failing =
                new Lingering("failing") {
                    @Override
                    public boolean closeAtOnce() {
                        return false;
                    }
                };
        failing.room.completeExceptionally(new IllegalStateException("for this test"));
        all.add(failing);
        all.close(threads.deadline(LONG));
        assertThat(seen).contains("failing within PT7M").doesNotContain("failing closed");
    }

    @Test
    void at_the_end_of_a_program_what_lingers_is_handed_on_and_stays_open() {
        var one = lingering("one");
        plain("plain");
        lingering("other");
        all.flush();
        assertThat(seen).containsExactly("other flushed", "one flushed");
        one.room.complete(null);
        all.close(threads.nanoTime());
        assertThat(seen).contains("plain", "one at once");
    }
}
