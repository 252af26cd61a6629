package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.Stacks;
import org.ibidem.service.Station;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// One of the receivers of a send port ends under a message: that is told once, in the way that was
/// asked for, with the reason; and the others go on.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class LostReceiversTest {
    private final PortType type;
    private final Pair pair = new Pair();
    private final Station doomed = pair.station();
    private final LinkedBlockingQueue<Lost<Target>> told = new LinkedBlockingQueue<>();

    LostReceiversTest(String stack) {
        this.type = PortType.oneToMany().stack(stack);
    }

    @AfterEach
    void close() {
        pair.close();
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
                var out = connected(upcalls, SendSetup.USUAL.lost((_, loss) -> told.add(loss)))) {
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
