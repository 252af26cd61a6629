package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.receive;
import static org.ibidem.port.Traffic.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;

/// How a port tells that a peer is lost: to whom, when and how often; and what goes on.
@Timeout(60)
class DeadPeerTest {
    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    /// Although no link says so, or with a link that ends under its user.
    @Nested
    @ParameterizedClass
    @Stacks({
        "loopback",
        "shm",
        "tcp",
        "fragment(size=128) > tcp",
        "multiplex > shm",
        "multiplex > tcp"
    })
    @Execution(ExecutionMode.CONCURRENT)
    class OnlyOne {
        private final PortType type;

        OnlyOne(String stack) {
            this.type = PortType.oneToOne().stack(stack);
        }

        private SendPort connected(String port) {
            var out = pair.send(pair.here, type, "out");
            out.connect(pair.there.id(), port);
            return out;
        }

        @Test
        @Tag("slow")
        void a_reader_that_waits_for_a_dead_node_is_told() {
            try (var in = pair.receive(pair.there, type, "in");
                    var out = connected("in")) {
                send(out, 1);
                assertThat(receive(in)).isEqualTo(1);
                var waiting =
                        CompletableFuture.supplyAsync(in::receive, Thread::startVirtualThread);
                pair.there.gone(pair.here.id(), "it is dead for this test");
                assertThatThrownBy(waiting::join)
                        .hasCauseInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("port 'out'")
                        .hasMessageContaining("it is dead for this test");
                assertThat(in.connections()).isEmpty();
                eventually("the link is gone", () -> pair.there.channels().links() == 0);
                assertThat(in.poll()).as("a loss is told once").isNull();
            }
        }

        @Test
        @Tag("slow")
        void what_a_dead_node_had_sent_is_read_before_its_loss_is_told() {
            try (var in = pair.receive(pair.there, type, "in");
                    var out = connected("in")) {
                for (int i = 0; i < 10; i++) {
                    send(out, i);
                }
                pair.there.gone(pair.here.id(), "it is dead for this test");
                for (int i = 0; i < 10; i++) {
                    assertThat(receive(in)).isEqualTo(i);
                }
                assertThatThrownBy(in::receive).isInstanceOf(ConnectionLost.class);
            }
        }

        /// It sleeps before it looks, and was woken for the loss while there were messages to read.
        @Test
        @Tag("slow")
        void so_is_it_by_a_reader_that_sleeps_at_once() {
            try (var in = pair.receive(pair.there, type, "in");
                    var out = connected("in")) {
                in.waiting(WaitPolicy.SLEEP);
                assertThat(in.receive(Duration.ofMillis(1))).as("from now on it does").isNull();
                for (int i = 0; i < 10; i++) {
                    send(out, i);
                }
                assertThat(receive(in)).isZero();
                pair.there.gone(pair.here.id(), "it is dead for this test");
                eventually("it is said", () -> !pair.there.peers().connected(pair.here.id()));
                for (int i = 1; i < 10; i++) {
                    assertThat(receive(in)).isEqualTo(i);
                }
                assertThatThrownBy(in::receive).isInstanceOf(ConnectionLost.class);
            }
        }

        @Test
        @Tag("slow")
        void a_reader_in_the_middle_of_a_message_of_a_dead_node_is_told() {
            try (var in = pair.receive(pair.there, type, "in");
                    var out = connected("in");
                    var half = out.newMessage()) {
                half.writeInt(1).flush();
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isEqualTo(1);
                    pair.there.gone(pair.here.id(), "it is dead for this test");
                    assertThatThrownBy(message::readInt)
                            .isInstanceOf(ConnectionLost.class)
                            .hasMessageContaining("in the middle of a message");
                }
            }
        }

        @Test
        @Tag("slow")
        void a_writer_that_waits_for_a_dead_node_is_told() {
            try (var in = pair.receive(pair.there, type, "in");
                    var out = connected("in")) {
                var writing =
                        CompletableFuture.runAsync(
                                () -> sendForEver(out), Thread::startVirtualThread);
                eventually("something was sent", () -> out.messages() > 0);
                pair.here.gone(pair.there.id(), "it is dead for this test");
                assertThatThrownBy(writing::join)
                        .hasCauseInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("it is dead for this test");
                assertThat(out.connections()).isEmpty();
                assertThat(in.name()).isEqualTo("in");
            }
        }

        /// The memory a writer fills in place must not go away under it.
        @Test
        @Tag("slow")
        void a_writer_in_the_middle_of_a_message_finds_a_loss_and_not_a_fault() {
            try (var in = pair.receive(pair.there, type, "in");
                    var out = connected("in");
                    var back = pair.receive(pair.here, type, "back");
                    var reply = pair.send(pair.there, type, "reply")) {
                reply.connect(pair.here.id(), "back");
                eventually("both ends are there", () -> in.connections().size() == 1);
                assertThat(pair.here.channels().links()).isEqualTo(1);
                var message = out.newMessage();
                message.writeInt(1);
                pair.there.channels().close(); // as if its process had ended
                assertThatThrownBy(back::receive).isInstanceOf(ConnectionLost.class);
                assertThatThrownBy(() -> writeForEver(message)).isInstanceOf(ConnectionLost.class);
                message.close();
                assertThatThrownBy(out::newMessage).isInstanceOf(NotConnected.class);
                eventually("so the other end knows", () -> in.connections().isEmpty());
            }
        }

        private static void writeForEver(WriteMessage message) {
            for (int i = 0; ; i++) {
                message.writeInt(i);
            }
        }

        private static void sendForEver(SendPort out) {
            var much = new byte[50_000];
            while (true) {
                try (var message = out.newMessage()) {
                    message.writeArray(much).finish();
                }
            }
        }
    }

    /// Of the receivers of a send port, under a message: that is told once, in the way that was
    /// asked for, with the reason; and the others go on.
    @Nested
    @ParameterizedClass
    @Stacks({"loopback", "shm", "tcp"})
    class OneOfSeveral {
        private final PortType type;
        private final NodeRuntime doomed = pair.runtime();
        private final LinkedBlockingQueue<Lost<Target>> told = new LinkedBlockingQueue<>();

        OneOfSeveral(String stack) {
            this.type = PortType.oneToMany().stack(stack);
        }

        @AfterEach
        void closeTheDoomed() {
            doomed.close();
        }

        /// As if its process had ended.
        private void dies() {
            Thread.currentThread().interrupt(); // and does not wait for those who use its links
            doomed.channels().close();
            assertThat(Thread.interrupted()).isTrue();
        }

        private SendPort connected(PortType mine, SendSetup setup) {
            var out = pair.send(pair.here, mine, "out", setup);
            out.connect(pair.there.id(), "stays");
            out.connect(doomed.id(), "goes");
            return out;
        }

        private void requireOthersGoOn(SendPort out, ReceivePort stays) {
            send(out, 7);
            assertThat(receive(stays)).isEqualTo(7);
            assertThat(out.connections()).containsExactly(new Target(pair.there.id(), "stays"));
        }

        private void requireWhy(Lost<Target> lost) {
            assertThat(lost.peer()).isEqualTo(new Target(doomed.id(), "goes"));
            assertThat(lost.broken()).isTrue();
            assertThat(lost.why()).isNotEmpty().isNotEqualTo("null");
        }

        @Test
        void by_what_is_thrown_where_nothing_else_was_asked_for() {
            try (var stays = pair.receive(pair.there, type, "stays");
                    var _ = pair.receive(doomed, type, "goes");
                    var out = connected(type, SendSetup.USUAL)) {
                send(out, 1);
                assertThat(receive(stays)).isEqualTo(1);
                dies();
                assertThatThrownBy(() -> sendForEver(out, stays))
                        .isInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("port 'goes'")
                        .hasMessageContaining(" is lost: ")
                        .hasMessageNotContaining("null");
                drain(stays);
                requireOthersGoOn(out, stays);
            }
        }

        private static void sendForEver(SendPort out, ReceivePort stays) {
            while (true) {
                send(out, 1);
                drain(stays);
            }
        }

        private static void drain(ReceivePort in) {
            for (var message = in.poll(); message != null; message = in.poll()) {
                message.close();
            }
        }

        @Test
        void by_a_list_where_the_type_says_so_also_when_the_message_is_given_up() {
            var listed = type.with(Capability.CONNECTION_DOWNCALLS);
            try (var stays = pair.receive(pair.there, listed, "stays");
                    var _ = pair.receive(doomed, listed, "goes");
                    var out = connected(listed, SendSetup.USUAL)) {
                var message = out.newMessage();
                message.writeInt(1);
                dies();
                message.close();
                var lost = new ArrayList<Lost<Target>>();
                eventually(
                        "it is listed",
                        () -> {
                            send(out, 2);
                            lost.addAll(out.lostConnections());
                            return !lost.isEmpty();
                        });
                assertThat(lost).hasSize(1).first().satisfies(this::requireWhy);
                assertThat(out.lostConnections()).isEmpty();
                drainAll(stays);
                requireOthersGoOn(out, stays);
            }
        }

        /// Also what was given up.
        private static void drainAll(ReceivePort in) {
            while (true) {
                try {
                    drain(in);
                    return;
                } catch (MessageAbandoned _) {
                    // the next one
                }
            }
        }

        @Test
        void by_the_upcall_where_there_is_one() throws Exception {
            var upcalls = type.with(Capability.CONNECTION_UPCALLS);
            try (var stays = pair.receive(pair.there, upcalls, "stays");
                    var _ = pair.receive(doomed, upcalls, "goes");
                    var out =
                            connected(upcalls, SendSetup.USUAL.lost((_, loss) -> told.add(loss)))) {
                dies();
                eventually(
                        "it is known",
                        () -> {
                            send(out, 1);
                            return out.connections().size() == 1;
                        });
                var lost = told.poll(20, TimeUnit.SECONDS);
                assertThat(lost).isNotNull();
                requireWhy(lost);
                drain(stays);
                requireOthersGoOn(out, stays);
                assertThat(told).isEmpty();
            }
        }

        /// Nothing can be thrown where a message is given up: the next one says it.
        @Test
        void the_loss_of_the_only_one_under_a_message_that_is_given_up_is_told_by_the_next() {
            var one = PortType.oneToOne().stack(type.stack());
            try (var _ = pair.receive(doomed, one, "goes");
                    var out = pair.send(pair.here, one, "out")) {
                out.connect(doomed.id(), "goes");
                var message = out.newMessage();
                message.writeInt(1);
                dies();
                message.close();
                assertThatThrownBy(
                                () -> {
                                    while (true) {
                                        send(out, 2);
                                    }
                                })
                        .isInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("port 'goes'");
                assertThat(out.connections()).isEmpty();
                assertThatThrownBy(out::newMessage).isInstanceOf(NotConnected.class);
            }
        }

        @Test
        void one_that_closes_is_no_loss_but_is_told_and_may_be_connected_to_anew() {
            try (var stays = pair.receive(pair.there, type, "stays")) {
                var goes = pair.receive(doomed, type, "goes");
                try (var out = connected(type, SendSetup.USUAL)) {
                    goes.close();
                    eventually("it is known", () -> out.connections().size() == 1);
                    assertThatThrownBy(out::newMessage)
                            .isInstanceOf(ConnectionLost.class)
                            .hasMessageContaining("port 'goes'")
                            .hasMessageContaining(" is over: the receive port was closed");
                    try (var again = pair.receive(doomed, type, "goes")) {
                        out.connect(doomed.id(), "goes", Duration.ofSeconds(20));
                        send(out, 3);
                        for (var in : List.of(stays, again)) {
                            assertThat(receive(in)).isEqualTo(3);
                        }
                    }
                }
            }
        }
    }
}
