package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.model.Orders;
import org.ibidem.model.StepLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The hand-over of upcalls in every order in which threads can take their steps: no message is
/// lost, two handlers of a port never run at once, nobody waits for ever, and no thread stays that
/// has nothing to do.
@Timeout(120)
class HandOverModelTest {
    private static final int MESSAGES = Boolean.getBoolean("ibidem.full") ? 3 : 2;
    private static final Duration LIMIT = Duration.ofSeconds(1);

    /// A message, and what its handler does with it.
    private static final class Letter {
        final int number;
        final Does does;
        boolean live = true;

        Letter(int number, Does does) {
            this.number = number;
            this.does = does;
        }

        @Override
        public String toString() {
            return number + (live ? "" : "-");
        }
    }

    private enum Does {
        RETURN,
        CLOSE_EARLY,
        CLOSE_THE_PORT,
        HAND_THE_NEXT
    }

    /// What ends a message that its sender gave up.
    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GivenUp() {
            super("given up", null, false, false);
        }
    }

    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("closed", null, false, false);
        }
    }

    /// A port, without connections: its turn, and the messages that have come.
    private static final class Port implements Orders.Scenario, HandOver.Messages<Letter> {
        final Orders orders;
        final boolean polled;
        final StepLock lock;
        final HandOver<Letter> handOver;
        private final Consumer<Port> start;
        private final Deque<Letter> come = new ArrayDeque<>();
        private final List<Integer> handled = new ArrayList<>();
        private int sent;
        private int running;
        private int threads;
        private int tellers;
        private int told;
        private boolean turnTaken;
        private boolean closed;
        private boolean over;
        private boolean disabled;
        private boolean givesUp;

        /// No upcall is ever enabled.
        private boolean unwanted;

        Port(Orders orders, boolean polled, Consumer<Port> start) {
            this.orders = orders;
            this.polled = polled;
            this.lock = new StepLock(orders);
            this.handOver = new HandOver<>(this, polled, lock);
            this.start = start;
        }

        @Override
        public void begin() {
            start.accept(this);
        }

        void sends(Does... each) {
            for (var does : each) {
                come.add(new Letter(sent++, does));
            }
        }

        @Override
        public void another() {
            assertThat(over).as("is closed").isFalse();
            orders.start("server " + threads++, this::serve);
        }

        /// As `Upcalls.serve`.
        private void serve() {
            boolean mine = true;
            while (mine) {
                orders.anew();
                try {
                    mine = handOver.serveOne();
                } catch (GivenUp _) {
                    mine = true;
                } catch (Ended _) {
                    return;
                }
            }
        }

        @Override
        public Letter receive() {
            orders.step("takes the turn", () -> !turnTaken);
            turnTaken = true;
            orders.step("receives", () -> closed || !come.isEmpty());
            if (closed) {
                turnTaken = false;
                throw new Ended();
            }
            return come.remove();
        }

        @Override
        public Letter poll() {
            assertThat(disabled).as("is disabled").isFalse();
            orders.step("polls");
            if (closed) {
                throw new Ended();
            }
            if (turnTaken || come.isEmpty()) {
                return null;
            }
            turnTaken = true;
            return come.remove();
        }

        @Override
        public void handle(Letter letter) {
            begins();
            assertThat(disabled && !polled).as("is disabled").isFalse(); // else when it looks
            handled.add(letter.number);
            orders.step("handles " + letter);
            switch (letter.does) {
                case RETURN -> running--;
                case CLOSE_EARLY -> closesEarly(letter);
                case CLOSE_THE_PORT -> {
                    closes();
                    running--;
                }
                case HAND_THE_NEXT -> {
                    closesEarly(letter);
                    handOver.handOne();
                }
            }
            if (!letter.live) {
                orders.step("has closed " + letter);
            }
        }

        private void closesEarly(Letter letter) {
            running--;
            try {
                close(letter);
            } catch (GivenUp _) {
                // a handler throws it on, and it is logged
            }
            assertThat(letter.live).isFalse();
        }

        private void begins() {
            running++;
            assertThat(running).as("upcalls at a time").isOne();
        }

        /// As `ReadMessage.close`, which skips the rest, and `ReceivePort.finished`.
        @Override
        public void close(Letter letter) {
            if (!letter.live) {
                return;
            }
            letter.live = false;
            assertThat(turnTaken).as("it was in hand").isTrue();
            handOver.closedEarly(letter);
            turnTaken = false;
            if (givesUp) {
                throw new GivenUp();
            }
        }

        /// As `ReceivePort.close`, before it waits for the turn.
        void closes() {
            closed = true;
            handOver.close();
            over = true;
        }

        /// Another upcall, for a connection.
        void tells(boolean fails) {
            tellers++;
            orders.start(
                    "teller",
                    () -> {
                        try {
                            handOver.call(() -> {
                                begins();
                                orders.step("tells");
                                told++;
                                running--;
                                if (fails) {
                                    throw new IllegalStateException("of the program");
                                }
                            });
                        } catch (IllegalStateException e) {
                            assertThat(fails).isTrue(); // UpcallQueue logs it
                        }
                    });
        }

        void asks() {
            orders.start(
                    "asker",
                    () -> {
                        boolean before = over;
                        if (handOver.beginWithin(LIMIT)) {
                            assertThat(before).as("was closed before").isFalse();
                            begins();
                            orders.step("asks");
                            running--;
                            handOver.end();
                        }
                    });
        }

        void disablesForAWhile() {
            orders.start(
                    "disabler",
                    () -> {
                        handOver.enable(false);
                        disabled = true;
                        orders.step("is disabled");
                        disabled = false;
                        handOver.enable(true);
                    });
        }

        void polls() {
            orders.start(
                    "poller " + threads++,
                    () -> {
                        for (int i = 0; i < 2; i++) {
                            boolean before = over;
                            try {
                                handOver.handOne();
                            } catch (Ended _) {
                                assertThat(before).as("was closed before").isFalse();
                            }
                        }
                    });
        }

        @Override
        public String state() {
            return handOver + " " + lock + come + handled + running + turnTaken + closed + disabled
                    + told;
        }

        @Override
        public void end(List<String> waiting) {
            assertThat(running).as("upcalls").isZero();
            if (closed || polled) {
                assertThat(waiting).isEmpty();
                assertThat(turnTaken).as("the turn is taken").isFalse();
            } else {
                assertThat(waiting).hasSize(1).first().asString().endsWith("receives");
                assertThat(come).isEmpty();
            }
            assertThat(closed || told == tellers).as("told of connections").isTrue();
            assertThat(unwanted && come.size() < sent).as("in hand for nobody").isFalse();
            var first = IntStream.range(0, closed ? handled.size() : sent - come.size());
            assertThat(handled).isEqualTo(first.boxed().toList());
        }
    }

    private static void explore(boolean polled, Consumer<Port> start) {
        var result = Orders.explore(orders -> new Port(orders, polled, start));
        assertThat(result.wrong()).isEmpty();
        assertThat(result.states()).isGreaterThan(5);
    }

    /// In a port whose messages are all of this kind, and whose connections come and go.
    private static void serves(Does what, Consumer<Port> start) {
        explore(
                false,
                port -> {
                    port.sends(
                            IntStream.range(0, MESSAGES).mapToObj(_ -> what).toArray(Does[]::new));
                    port.handOver.enable(true);
                    port.another();
                    start.accept(port);
                });
    }

    @Test
    void handlers_that_return_are_called_one_after_the_other() {
        serves(Does.RETURN, port -> port.tells(false));
    }

    @Test
    void handlers_that_close_early_are_called_one_after_the_other() {
        serves(Does.CLOSE_EARLY, port -> port.tells(false));
    }

    @Test
    void messages_that_are_given_up_stop_nothing() {
        for (var does : List.of(Does.RETURN, Does.CLOSE_EARLY)) {
            serves(does, port -> port.givesUp = true);
        }
    }

    @Test
    void an_upcall_that_throws_stops_no_other() {
        serves(Does.CLOSE_EARLY, port -> port.tells(true));
    }

    @Test
    void who_asks_the_program_within_a_limit_does_so_alone() {
        for (var does : List.of(Does.RETURN, Does.CLOSE_EARLY)) {
            serves(does, Port::asks);
        }
    }

    @Test
    @Tag("slow")
    void none_begins_while_they_are_disabled_and_all_when_they_are_enabled_again() {
        for (var does : List.of(Does.RETURN, Does.CLOSE_EARLY)) {
            serves(does, Port::disablesForAWhile);
        }
    }

    @Test
    void connections_are_told_while_no_messages_are_wanted() {
        explore(
                true,
                port -> {
                    port.sends(Does.RETURN);
                    port.tells(false);
                    port.tells(false);
                });
    }

    @Test
    void who_polls_gets_none_while_they_are_disabled() {
        explore(
                true,
                port -> {
                    port.sends(Does.RETURN, Does.RETURN);
                    port.handOver.enable(true);
                    port.polls();
                    port.disablesForAWhile();
                });
    }

    @Test
    @Tag("slow")
    void a_port_that_is_closed_leaves_no_thread() {
        for (var does : List.of(Does.RETURN, Does.CLOSE_EARLY, Does.CLOSE_THE_PORT)) {
            serves(
                    does,
                    port -> {
                        port.tells(false);
                        port.orders.start("closer", port::closes);
                    });
        }
        serves(
                Does.CLOSE_EARLY,
                port -> {
                    port.asks();
                    port.orders.start("closer", port::closes);
                });
    }

    @Test
    void a_port_that_is_closed_while_they_are_disabled_leaves_no_thread() {
        explore(
                false,
                port -> {
                    port.sends(Does.RETURN);
                    port.unwanted = true;
                    port.another();
                    port.orders.start("closer", port::closes);
                });
    }

    @Test
    @Tag("slow")
    void those_who_poll_never_run_two_at_once() {
        for (var does : List.of(Does.RETURN, Does.CLOSE_EARLY, Does.HAND_THE_NEXT)) {
            explore(
                    true,
                    port -> {
                        port.sends(does, Does.RETURN);
                        port.handOver.enable(true);
                        port.polls();
                        port.polls();
                        port.tells(false);
                    });
        }
    }

    @Test
    void who_polls_a_port_that_is_closed_leaves_nothing_taken() {
        explore(
                true,
                port -> {
                    port.sends(Does.CLOSE_EARLY, Does.RETURN);
                    port.handOver.enable(true);
                    port.polls();
                    port.polls();
                    port.orders.start("closer", port::closes);
                });
    }

    /// With a real lock: the limit is long, and the other upcall does not end.
    @Test
    void who_asks_is_told_of_a_close_though_another_upcall_runs() throws Exception {
        var handOver =
                new HandOver<Letter>(new Port(null, false, _ -> {}), false, new ReentrantLock());
        var runs = new CountDownLatch(1);
        var ends = new CompletableFuture<Void>();
        var other =
                Background.run(() ->
                        handOver.call(() -> {
                            runs.countDown();
                            ends.join();
                        }));
        runs.await();
        var asking = new CompletableFuture<Thread>();
        var asked =
                Background.call(() -> {
                    asking.complete(Thread.currentThread());
                    return handOver.beginWithin(Duration.ofMinutes(5));
                });
        var thread = asking.get();
        eventually("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        handOver.close();
        assertThat(asked.get(20, TimeUnit.SECONDS)).isFalse();
        ends.complete(null);
        other.get();
    }
}
