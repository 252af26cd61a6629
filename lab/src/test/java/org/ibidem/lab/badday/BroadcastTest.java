package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.hub.Hub;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Receivers in processes of their own, of whom all read what is written once: one comes late, one
/// leaves, one is stopped, one is killed.
@Tag("lab")
@Tag("alone")
@Timeout(180)
class BroadcastTest {
    private static final PortType SHM = PortType.oneToMany().stack("shm");
    private static final int LARGE = 200_000;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Node node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
    private final SendPort out = SendPort.open(node, SHM, "out");
    private final List<Other> receivers = new ArrayList<>();
    private final List<NodeId> ids = new ArrayList<>();
    private final Told told = new Told();
    private int sent;

    @AfterEach
    void close() {
        told.close();
        receivers.forEach(Other::close);
        node.close();
        hub.close();
    }

    private void start(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            receivers.add(Other.node("follower", hub.port(), "shm"));
        }
        for (int i = 0; i < count; i++) {
            ids.add(NodeId.parse(receivers.get(i).said("ready")));
        }
    }

    private void connect(int receiver) {
        out.connect(ids.get(receiver), "in");
    }

    private void send(int bytes) {
        try (var message = out.newMessage()) {
            message.writeInt(bytes);
            Role.write(message, sent++, bytes);
        }
    }

    /// What is told before may be that they were parted, for others came.
    private void sendUntilJoined(int count) {
        String reason;
        do {
            reason = told.last(count, () -> send(1_000));
        } while (!reason.isEmpty());
    }

    private void requireRead(int receiver, int first, int last) throws InterruptedException {
        assertThat(receivers.get(receiver).said("read")).isEqualTo(first + " to " + last);
    }

    @Test
    void they_come_and_go_and_each_gets_what_is_sent_while_it_is_there() throws Exception {
        start(4);
        for (int i = 0; i < 3; i++) {
            connect(i);
        }
        sendUntilJoined(3);
        send(LARGE);
        int late = sent;
        connect(3);
        sendUntilJoined(4);
        send(LARGE);
        int left = sent;
        assertThat(out.disconnect(ids.get(1), "in")).isTrue();
        requireRead(1, 0, left - 1);
        sendUntilJoined(3);
        int back = sent;
        connect(1);
        sendUntilJoined(4);
        out.close();
        requireRead(0, 0, sent - 1);
        requireRead(1, back, sent - 1);
        requireRead(2, 0, sent - 1);
        requireRead(3, late, sent - 1);
        requireNoFiles();
    }

    @Test
    void one_that_is_stopped_stops_the_writer_and_nothing_is_lost() throws Exception {
        start(3);
        for (int i = 0; i < 3; i++) {
            connect(i);
        }
        sendUntilJoined(3);
        receivers.get(1).signal("STOP");
        int before = sent;
        var sending =
                CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                send(LARGE);
                            }
                        },
                        Thread::startVirtualThread);
        withinAMinute("some are sent", () -> out.messages() > before);
        Standstill.await("the writer stands", out::messages);
        assertThat(sending).isNotDone();
        receivers.get(1).signal("CONT");
        sending.join();
        out.close();
        for (int i = 0; i < 3; i++) {
            requireRead(i, 0, sent - 1);
        }
    }

    @Test
    void one_that_is_killed_while_it_is_stopped_lets_the_others_go_on() throws Exception {
        start(3);
        for (int i = 0; i < 3; i++) {
            connect(i);
        }
        sendUntilJoined(3);
        receivers.get(1).signal("STOP");
        var losses = new ArrayList<String>();
        var sending =
                CompletableFuture.runAsync(
                        () -> {
                            while (losses.isEmpty()) {
                                try {
                                    send(LARGE);
                                } catch (ConnectionLost e) {
                                    losses.add(String.valueOf(e.getMessage()));
                                }
                            }
                        },
                        Thread::startVirtualThread);
        receivers.get(1).kill();
        sending.join();
        assertThat(losses.getFirst())
                .contains(ids.get(1).brief())
                .doesNotContain(ids.get(0).brief())
                .doesNotContain(ids.get(2).brief());
        send(LARGE);
        out.close();
        requireRead(0, 0, sent - 1);
        requireRead(2, 0, sent - 1);
        requireNoFiles();
    }

    private static void requireNoFiles() throws IOException {
        try (var files = Files.list(Path.of("/dev/shm"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("ibidem-broadcast"));
        }
    }
}
