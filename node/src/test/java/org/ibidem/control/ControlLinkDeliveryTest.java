package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.ibidem.buffer.ControlReader;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Wire;
import org.ibidem.identity.Identity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages of a control link that the thread which drives it hands on.
@Timeout(60)
class ControlLinkDeliveryTest {
    private static final ControlLink.Limits LIMITS =
            new ControlLink.Limits(1000, 50, 20_000, Duration.ofSeconds(5), Duration.ofSeconds(15));
    private static final int MANY = 40;

    private final SteppedTasks tasks = new SteppedTasks();
    private final Identity alice = Identity.create();
    private final Identity bob = Identity.create();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private Wire.Sockets wire;
    private ControlLink toBob;
    private ControlLink toAlice;

    @BeforeEach
    void connect() throws IOException {
        wire = Wire.sockets();
        toBob = link(new SocketPath(wire.client()), bob, true);
        toAlice = link(new SocketPath(wire.server()), alice, false);
    }

    private ControlLink link(SocketPath path, Identity peer, boolean active) {
        var hello = Hello.service("demo", bob.id());
        return ControlLink.over(new Proved(path, peer.key(), hello, 1, active), tasks, LIMITS);
    }

    @AfterEach
    void close() throws IOException {
        wire.client().close();
        wire.server().close();
        tasks.close();
    }

    private void deliver(Consumer<byte[]> messages) {
        toAlice.deliver(messages, () -> seen.add("end " + toAlice.ending()));
    }

    private void note(byte[] message) {
        seen.add(String.valueOf(ByteBuffer.wrap(message).getInt()));
    }

    private void send(int number) {
        assertThat(toBob.send(ByteBuffer.allocate(4).putInt(number).array())).isTrue();
    }

    private void seen(int count) {
        eventually("so much is seen", () -> seen.size() >= count);
        assertThat(seen).hasSize(count);
    }

    @Test
    void what_has_come_and_what_comes_is_handed_on_in_order_and_then_the_end() {
        send(0);
        eventually("it has gone", () -> toBob.waiting() == 0);
        deliver(this::note);
        for (int i = 1; i < MANY; i++) {
            send(i);
        }
        toBob.close("done");
        seen(MANY + 1);
        for (int i = 0; i < MANY; i++) {
            assertThat(seen.get(i)).isEqualTo(String.valueOf(i));
        }
        assertThat(seen.getLast()).isEqualTo("end " + new Ending.Left("done"));
    }

    @Test
    void the_end_of_a_link_that_was_over_before_is_told_too() {
        toBob.deliver(_ -> {}, () -> {}); // and so hears of it
        toAlice.close("over");
        deliver(this::note);
        seen(1);
        assertThat(seen).containsExactly("end " + new Ending.Closed("over"));
    }

    @Test
    void who_closes_is_told_the_end_once() {
        toBob.deliver(_ -> {}, () -> {}); // and so hears of it
        deliver(this::note);
        toAlice.close("over");
        seen(1);
        toAlice.close();
        toBob.close();
        assertThat(seen).containsExactly("end " + new Ending.Closed("over"));
    }

    @Test
    void a_message_that_makes_no_sense_ends_the_link_and_says_what_it_was() {
        deliver(message -> {
            new ControlReader(message).end();
            seen.add("it was taken");
        });
        send(7);
        seen(1);
        assertThat(toAlice.ending()).isInstanceOf(Ending.Violation.class);
        assertThat(seen.getFirst()).isEqualTo("end " + toAlice.ending());
        assertThat(toBob.receive()).as("its peer waits for nobody").isNull();
    }

    @Test
    void a_user_that_fails_is_told_the_end_and_its_peer_waits_for_nobody() {
        deliver(_ -> {
            throw new IllegalStateException("for this test");
        });
        send(7);
        seen(1);
        assertThat(toBob.receive()).isNull();
        assertThat(toBob.ending()).isNotNull();
    }
}
