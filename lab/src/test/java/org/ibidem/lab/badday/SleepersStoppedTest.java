package org.ibidem.lab.badday;

import static org.ibidem.Eventually.withinAMinute;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.hub.Hub;
import org.ibidem.lab.badday.StreamExchange.Posting;
import org.ibidem.lab.badday.StreamExchange.Selecting;
import org.ibidem.lab.badday.StreamExchange.Sleeping;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A process is stopped and goes on: while it sleeps on streams, so that those that write ring in
/// vain, and while it is to wake those that sleep here. Nobody sleeps on, and no byte is lost.
@Tag("lab")
@Timeout(100)
class SleepersStoppedTest {
    private static final int ROUNDS = Boolean.getBoolean("ibidem.full") ? 200 : 2;
    private static final int WINDOW = 1 << 20;
    private static final int MORE = 20;
    private static final int FEW_MICROS = 3_000;

    private final List<StreamExchange> all = new ArrayList<>();

    @Test
    void those_that_sleep_on_a_stopped_process_go_on_with_it() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var server =
                        Other.program(
                                StreamServer.class,
                                StreamServer.OPTIONS,
                                String.valueOf(hub.port()))) {
            var peer = StreamServer.Address.parse(server.said("ready"));
            for (var stack : List.of("shm", "tcp")) {
                for (int window : new int[] {1, WINDOW}) {
                    begin(node, peer, stack, window);
                }
            }
            for (int i = 0; i < ROUNDS; i++) {
                withinAMinute(
                        "all is answered", () -> all.stream().allMatch(StreamExchange::isQuiet));
                server.stop();
                all.forEach(each -> each.open(true));
                goOn(server);
                spin();
                server.stop();
                goOn(server);
                all.forEach(each -> each.open(false));
            }
        }
    }

    private void begin(Node node, StreamServer.Address peer, String stack, int window)
            throws IOException {
        var name = stack + " with " + window;
        for (var way : List.of("sleeps", "posts")) {
            var posted =
                    VLinks.of(node)
                            .connect(peer.id(), StreamServer.SLEEPING, stack, "", Other.LONG);
            var socket = VioSocket.connected(posted, 0);
            all.add(
                    new StreamExchange(
                            name + " " + way,
                            way.equals("posts") ? new Posting(socket.link()) : new Sleeping(socket),
                            window));
        }
        var channel = StreamServer.connect(node, stack, peer.rank(), peer.port());
        all.add(new StreamExchange(name + " selects", new Selecting(channel), window));
    }

    /// The process, once all here that wait for it are asleep.
    private void goOn(Other server) throws Exception {
        SleepingThread.awaitAsleep(all.stream().map(each -> each.reader).toList());
        var counts = all.stream().mapToLong(StreamExchange::count).toArray();
        server.signal("CONT");
        for (int i = 0; i < counts.length; i++) {
            var each = all.get(i);
            long more = counts[i] + MORE;
            withinAMinute("it goes on: " + each, () -> each.count() >= more);
        }
    }

    /// Any moment of an exchange.
    private static void spin() {
        long end = System.nanoTime() + 1_000L * ThreadLocalRandom.current().nextInt(FEW_MICROS);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
