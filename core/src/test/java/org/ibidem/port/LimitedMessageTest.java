package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/// Messages with a time limit: what is sent, what is given up, and that nobody waits.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "multicast"})
@Timeout(60)
class LimitedMessageTest {
    private static final Duration NOW = Duration.ZERO;
    private static final Duration BRIEF = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /// Larger than any frame.
    private static final int LARGE = 10_000_000;

    private final Pair pair = new Pair();

    @Parameter String stack;

    private ReceivePort in;
    private SendPort out;

    @BeforeEach
    void connect() {
        boolean several = stack.equals("multicast");
        var type = several ? PortType.oneToMany().stack("tcp") : PortType.oneToOne().stack(stack);
        in = pair.receive(pair.there, type, "in");
        out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), "in");
        if (several) {
            var other = pair.receive(pair.there, type, "other");
            out.connect(pair.there.id(), "other");
            var reading =
                    Background.run(() -> {
                        while (true) {
                            other.receive().close();
                        }
                    });
            assertThat(reading).isNotDone();
        }
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private boolean offers(int value) {
        try (var message = out.newMessage(NOW)) {
            if (message != null) {
                message.writeInt(value).writeArray(new byte[1000]).finish();
            }
            return message != null;
        } catch (WriteTimedOut _) {
            return false;
        }
    }

    /// Skips those that were given up.
    private int hears() {
        while (true) {
            int value;
            try (var message = in.receive()) {
                value = message.readInt();
            } catch (MessageAbandoned _) {
                continue;
            }
            return value;
        }
    }

    private int fill() {
        int sent = 0;
        while (offers(sent)) {
            sent++;
        }
        return sent;
    }

    @Test
    @Tag("slow")
    void what_was_offered_arrives_and_what_found_no_room_does_not() {
        int sent = fill();
        assertThat(sent).isPositive();
        boolean taken = offers(-1); // a kernel may have made room late
        for (int i = 0; i < sent; i++) {
            assertThat(hears()).isEqualTo(i);
        }
        if (taken) {
            assertThat(hears()).isEqualTo(-1);
        }
        eventually("there is room again", () -> offers(sent));
        assertThat(hears()).isEqualTo(sent);
    }

    @Test
    void a_port_is_flushed_once_its_reader_has_made_room() {
        assertThat(offers(-1)).isTrue();
        assertThat(out.isFlushed()).isTrue();
        assertThat(hears()).isEqualTo(-1);
        int sent = fill();
        for (int i = 0; i < sent; i++) {
            assertThat(hears()).isEqualTo(i);
        }
        eventually("all is on the network", out::isFlushed);
    }

    @Test
    void the_next_message_has_all_the_time_it_needs() throws Exception {
        int sent = fill();
        var waiting =
                Background.run(() -> {
                    try (var message = out.newMessage()) {
                        message.writeInt(sent).writeArray(new byte[1000]).finish();
                    }
                });
        var last = new ArrayList<>(List.of(sent));
        if (offers(-1)) { // a kernel has made room late
            last.add(-1);
        }
        for (int i = 0; i < sent; i++) {
            assertThat(hears()).isEqualTo(i);
        }
        var heard = new ArrayList<Integer>();
        while (heard.size() < last.size()) { // in the order in which they got their turn
            heard.add(hears());
        }
        assertThat(heard).containsExactlyInAnyOrderElementsOf(last);
        assertThat(waiting).succeedsWithin(LIMIT);
    }

    @Test
    void a_large_one_that_finds_no_room_is_given_up_and_skipped() {
        assertThatThrownBy(
                        () -> {
                            try (var message = out.newMessage(BRIEF)) {
                                message.writeInt(-1).writeArray(new byte[LARGE]).finish();
                            }
                        })
                .isInstanceOf(WriteTimedOut.class)
                .hasMessageContaining("send port 'out'");
        var heard = Background.call(this::hears);
        eventually("there is room again", () -> offers(7));
        assertThat(heard).succeedsWithin(LIMIT).isEqualTo(7);
    }

    /// Whoever writes it has more of it in hand, and tries to be rid of that.
    @Test
    @Tag("slow")
    void an_object_that_finds_no_room_in_the_middle_is_given_up_and_nothing_else() {
        var type = PortType.oneToOne().data(Data.OBJECT).stack("shm");
        in = pair.receive(pair.there, type, "objects");
        var objects = pair.send(pair.here, type, "out");
        objects.connect(pair.there.id(), "objects");
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(
                            () -> {
                                try (var message = objects.newMessage(NOW)) {
                                    if (message != null) {
                                        message.writeInt(-1);
                                    }
                                    for (int at = 0; message != null; at++) {
                                        message.writeObject(new Object[] {at, new double[500]});
                                    }
                                }
                                throw new WriteTimedOut("at its beginning");
                            })
                    .isInstanceOf(WriteTimedOut.class);
        }
        assertThat(objects.connections()).hasSize(1);
        var heard = Background.call(this::hears);
        try (var message = objects.newMessage()) {
            message.writeInt(7).finish();
        }
        assertThat(heard).succeedsWithin(LIMIT).isEqualTo(7);
    }

    @Test
    void one_for_which_there_is_room_in_time_waits_for_it() {
        int sent = fill();
        var limited =
                Background.call(() -> {
                    try (var message = out.newMessage(LIMIT)) {
                        message.writeInt(sent).writeArray(new byte[1000]).finish();
                    }
                    return true;
                });
        for (int i = 0; i <= sent; i++) {
            assertThat(hears()).isEqualTo(i);
        }
        assertThat(limited).succeedsWithin(LIMIT);
    }

    @Test
    void an_interrupt_ends_the_waiting_and_nothing_else() {
        var sent = new AtomicInteger(fill());
        Thread.currentThread().interrupt();
        assertThatThrownBy(
                        () -> {
                            while (true) { // a kernel may have made room late
                                try (var message = out.newMessage(LIMIT)) {
                                    message.writeInt(sent.get());
                                    message.writeArray(new byte[1000]).finish();
                                }
                                sent.incrementAndGet();
                            }
                        })
                .isInstanceOf(WaitInterrupted.class);
        assertThat(Thread.interrupted()).isTrue();
        for (int i = 0; i < sent.get(); i++) {
            assertThat(hears()).isEqualTo(i);
        }
        eventually("there is room again", () -> offers(sent.get()));
        assertThat(hears()).isEqualTo(sent.get());
    }

    @Test
    void another_message_in_hand_is_waited_for_no_longer_than_the_limit() throws Exception {
        try (var _ = out.newMessage()) {
            assertThat(Background.call(() -> out.newMessage(BRIEF)).get()).isNull();
        }
        assertThat(offers(3)).isTrue();
        assertThat(hears()).isEqualTo(3);
    }

    @Test
    void a_receiver_that_has_gone_is_told_of_whatever_the_limit() {
        fill();
        in.close();
        if (stack.equals("multicast")) {
            return; // the other one goes on
        }
        eventually(
                "it is known",
                () -> {
                    try {
                        offers(0);
                        return false;
                    } catch (ConnectionLost | NotConnected _) {
                        return true;
                    }
                });
        assertThatThrownBy(() -> out.newMessage(LIMIT)).isInstanceOf(NotConnected.class);
    }
}
