package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Standing.eventuallyStands;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several receivers on one machine, of whom all read what is written once.
@Timeout(60)
@SuppressWarnings("try") // ports are closed in the middle on purpose
class BroadcastTest {
    private static final PortType SHM = PortType.oneToMany().stack("shm");

    private final Pair pair = new Pair();
    private final NodeRuntime third = pair.runtime();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final SendPort out = pair.send(pair.here, SHM, "out");
    private final List<Reader> readers = new ArrayList<>();
    private int sent;

    @AfterEach
    void close() throws Exception {
        out.close();
        for (var each : opened.reversed()) {
            each.close();
        }
        third.close();
        pair.close();
    }

    /// Reads numbers that follow each other until its port is closed.
    private final class Reader {
        final ReceivePort in;
        final Target target;
        final CompletableFuture<Void> reading;
        volatile int first = -1;
        volatile int read = -1;

        Reader(NodeRuntime node, String name) {
            in = pair.receive(node, SHM, name);
            opened.add(in);
            target = new Target(node.id(), name);
            reading = Background.run(this::readAll);
        }

        private void readAll() {
            while (true) {
                try (var message = in.receive()) {
                    int number = message.readInt();
                    if (first < 0) {
                        first = number;
                    } else {
                        assertThat(number).isEqualTo(read + 1);
                    }
                    message.readArray(new byte[message.readInt()]);
                    read = number;
                } catch (PortClosed _) {
                    return;
                }
            }
        }

        void requireAll() {
            eventually(
                    target + " has read up to " + (sent - 1),
                    () -> reading.isDone() || read == sent - 1);
            assertThat(reading).isNotCompletedExceptionally();
        }
    }

    private Reader reader(NodeRuntime node, String name) {
        var reader = new Reader(node, name);
        readers.add(reader);
        out.connect(reader.target.node(), name);
        return reader;
    }

    private void three() {
        reader(pair.there, "a");
        reader(third, "b");
        reader(pair.there, "c");
    }

    private void send(int bytes) {
        try (var message = out.newMessage()) {
            message.writeInt(sent++).writeInt(bytes).writeArray(new byte[bytes]).finish();
        }
    }

    private boolean isOneWrite() {
        return out.sink().toString().startsWith("one write for ");
    }

    /// Sends until all have come; that takes as long as they take.
    private void sendUntilJoined() {
        eventually(
                "they are joined",
                () -> {
                    send(100);
                    return isOneWrite();
                });
    }

    @Test
    void receivers_that_are_written_to_come_to_read_what_is_written_once() {
        three();
        assertThat(out.sink()).asString().endsWith("few frames were written");
        sendUntilJoined();
        assertThat(out.sink()).hasToString("one write for 3 receivers");
        for (int i = 0; i < 1_000; i++) {
            send(i % 50 == 0 ? 300_000 : i);
        }
        readers.forEach(Reader::requireAll);
        assertThat(isOneWrite()).isTrue();
    }

    @Test
    void a_message_larger_than_the_ring_is_joined_in_its_middle() {
        three();
        send(20_000_000);
        readers.forEach(Reader::requireAll);
        assertThat(isOneWrite()).isTrue();
    }

    @Test
    void one_that_comes_late_gets_what_follows_and_all_are_joined_again() {
        three();
        for (int i = 0; i < 3; i++) {
            sendUntilJoined();
            int from = sent;
            var late = reader(third, "late " + i);
            assertThat(isOneWrite()).isFalse();
            send(1);
            readers.forEach(Reader::requireAll);
            assertThat(late.first).isEqualTo(from);
            sendUntilJoined();
            assertThat(out.sink()).hasToString("one write for " + (4 + i) + " receivers");
        }
        readers.forEach(Reader::requireAll);
    }

    @Test
    void one_that_leaves_has_got_all_before_and_the_others_go_on() {
        three();
        var leaver = readers.get(1);
        sendUntilJoined();
        send(100_000);
        int last = sent - 1;
        assertThat(out.disconnect(third.id(), "b")).isTrue();
        assertThat(isOneWrite()).isFalse();
        readers.remove(leaver);
        sendUntilJoined();
        readers.forEach(Reader::requireAll);
        eventually("it has read all", () -> leaver.read == last);
        eventually("it knows the end", () -> leaver.in.connections().isEmpty());
    }

    @Test
    void with_one_receiver_left_messages_go_straight_into_its_ring() {
        three();
        sendUntilJoined();
        out.disconnect(third.id(), "b");
        out.disconnect(pair.there.id(), "c");
        readers.subList(1, 3).clear();
        assertThat(out.sink()).asString().doesNotContain("receivers");
        for (int i = 0; i < 1_000; i++) {
            send(i);
        }
        readers.getFirst().requireAll();
    }

    /// A receiver that reads nothing at all is written to alone, and so are the others, until it
    /// reads: nobody waits for it but for room.
    @Test
    void one_that_does_not_read_yet_keeps_them_apart() {
        var idle = pair.receive(third, SHM, "idle");
        opened.add(idle);
        reader(pair.there, "a");
        out.connect(third.id(), "idle");
        for (int i = 0; i < 200; i++) {
            send(10);
        }
        assertThat(out.sink()).asString().endsWith("some receivers have not come yet");
        readers.getFirst().requireAll();
        for (int i = 0; i < 200; i++) {
            try (var message = idle.receive()) {
                assertThat(message.readInt()).isEqualTo(i);
            }
        }
        send(10);
        try (var message = idle.receive()) {
            assertThat(message.readInt()).isEqualTo(200);
        }
        eventually(
                "they are joined",
                () -> {
                    send(10);
                    idle.receive().close();
                    return isOneWrite();
                });
    }

    /// The others have read all; it keeps the writer waiting, and no more once it is gone.
    @Test
    void one_that_stops_reading_bounds_the_writer_until_it_closes() throws Exception {
        var slow = pair.receive(third, SHM, "slow");
        reader(pair.there, "a");
        out.connect(third.id(), "slow");
        eventually(
                "they are joined",
                () -> {
                    send(10);
                    slow.receive().close();
                    return isOneWrite();
                });
        var writer = new CompletableFuture<Thread>();
        var sending =
                Background.run(() -> {
                    writer.complete(Thread.currentThread());
                    for (int i = 0; i < 1_000; i++) {
                        send(10_000);
                    }
                });
        eventuallyStands(out, writer.get(), sending);
        assertThat(sending).isNotDone();
        slow.close();
        assertThatThrownBy(sending::join)
                .hasCauseInstanceOf(ConnectionLost.class)
                .hasMessageContaining("port 'slow'");
        send(1);
        readers.getFirst().requireAll();
    }

    @Test
    void a_writer_that_sleeps_is_woken_by_the_slowest() {
        out.waiting(WaitPolicy.SLEEP);
        three();
        sendUntilJoined();
        for (int i = 0; i < 300; i++) {
            send(50_000);
        }
        readers.forEach(Reader::requireAll);
        assertThat(isOneWrite()).isTrue();
    }

    @Test
    void the_stack_may_say_that_each_is_written_to_alone() {
        var type = PortType.oneToMany().stack("multicast(copy=true) > shm");
        try (var mine = pair.send(pair.here, type, "mine");
                var a = pair.receive(pair.there, type, "x");
                var b = pair.receive(third, type, "y")) {
            mine.connect(pair.there.id(), "x");
            mine.connect(third.id(), "y");
            for (int i = 0; i < 200; i++) {
                try (var message = mine.newMessage()) {
                    message.writeInt(i).finish();
                }
                for (var in : List.of(a, b)) {
                    try (var message = in.receive()) {
                        assertThat(message.readInt()).isEqualTo(i);
                    }
                }
            }
            assertThat(mine.sink()).asString().endsWith("alone: multicast(copy=true)");
        }
    }

    @Test
    void receivers_over_other_networks_are_written_to_alone() {
        var type = PortType.oneToMany().stack("multi(checksum > shm)");
        try (var mine = pair.send(pair.here, type, "mine");
                var a = pair.receive(pair.there, type, "x");
                var b = pair.receive(third, type, "y")) {
            mine.connect(pair.there.id(), "x");
            mine.connect(third.id(), "y");
            assertThat(mine.sink())
                    .asString()
                    .endsWith("receiver 0 is not reached by shared memory alone");
            // Their ends may hear of the connection a moment later.
            eventually("both are connected", () -> a.connections().size() == 1);
            eventually("both are connected", () -> b.connections().size() == 1);
        }
    }
}
