package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;

/// Peers that are known to be dead although no link says so, and links that end under a user.
@ParameterizedClass
@Stacks({
    "loopback",
    "shm",
    "tcp",
    "fragment(size=128) > tcp",
    "multiplex > shm",
    "multiplex > tcp"
})
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class DeadPeerTest {
    private final PortType type;
    private final Pair pair = new Pair();

    DeadPeerTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @AfterEach
    void close() {
        pair.close();
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
            var waiting = CompletableFuture.supplyAsync(in::receive, Thread::startVirtualThread);
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
                    CompletableFuture.runAsync(() -> sendForEver(out), Thread::startVirtualThread);
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

    private static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    private static int receive(ReceivePort in) {
        try (var message = in.receive()) {
            return message.readInt();
        }
    }
}
