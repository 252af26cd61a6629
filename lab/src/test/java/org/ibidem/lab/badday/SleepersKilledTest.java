package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.withinAMinute;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.hub.Hub;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads and operations that wait for a process in every way a stream has, when it is killed.
@Tag("lab")
@Timeout(100)
class SleepersKilledTest {
    /// A second is promised; silence would be noticed after fifteen.
    private static final long SOON = 12_000;

    private static final int PIECE = 1 << 20;
    private static final int MUCH = 64 << 20;

    /// One stream of each way to wait, over both kinds of network.
    private static final class Sleepers {
        final List<SleepingThread> threads = new ArrayList<>();
        final List<Posted<?>> posted = new ArrayList<>();
        final Queue<VLinkFailed> lost = new ConcurrentLinkedQueue<>();
        final AtomicLong written = new AtomicLong();
        private final Node node;
        private final StreamServer.Address peer;

        Sleepers(Node node, StreamServer.Address peer) {
            this.node = node;
            this.peer = peer;
        }

        private Posted<VLink> connect(String name, String stack) {
            return VLinks.of(node).connect(peer.id(), name, stack, "", Other.LONG);
        }

        private VioSocket socket(String name, String stack) throws IOException {
            return VioSocket.connected(connect(name, stack), 0);
        }

        void over(String stack) throws IOException {
            var read = socket(StreamServer.SILENT, stack);
            thread(stack + ": reads", () -> read.read(new byte[1], 0, 1, 0));
            var limited = socket(StreamServer.SILENT, stack);
            thread(stack + ": reads for a minute", () -> limited.read(new byte[1], 0, 1, 60_000));
            var write = socket(StreamServer.SILENT, stack);
            thread(
                    stack + ": writes",
                    () -> {
                        write.write(ByteBuffer.allocate(MUCH));
                        return "all is written";
                    });
            select(stack);
            var both = socket(StreamServer.SILENT, stack).link();
            thread(stack + ": selects by itself", () -> selected(both));
            var apart = socket(StreamServer.SILENT, stack).link();
            posted.add(apart.postRead(ByteBuffer.allocate(1)));
            write(apart);
            SleepingThread.awaitAsleep(threads);
            posted.add(both.postRead(ByteBuffer.allocate(1))); // takes it to the loop
        }

        /// One write after the other, until one fails.
        private void write(VLink link) {
            link.postWrite(ByteBuffer.allocate(PIECE))
                    .whenDone(done -> {
                        try {
                            written.addAndGet(done.result());
                            write(link);
                        } catch (VLinkFailed e) {
                            lost.add(e);
                        }
                    });
        }

        private void thread(String name, Callable<?> waits) {
            threads.add(new SleepingThread(name, waits));
        }

        private void select(String stack) throws IOException {
            var channel = StreamServer.connect(node, stack, peer.rank(), peer.port());
            var selector = channel.provider().openSelector();
            channel.register(selector, SelectionKey.OP_READ);
            thread(
                    stack + ": selects",
                    () -> {
                        selector.select();
                        return channel.read(ByteBuffer.allocate(1));
                    });
        }

        /// As a selector of ours does it.
        private static Object selected(VLink link) throws IOException {
            try (var selector = Selector.open();
                    var direct = link.waitsReadable(selector, selector::wakeup)) {
                while (!link.isReadable()) {
                    var armed = direct.arm();
                    if (armed == null) {
                        link.whenReadable(selector::wakeup);
                    }
                    switch (armed) {
                        case READY -> {}
                        case SLEEP_THEN_LOOK -> selector.select(_ -> direct.ready(), 1);
                        case SLEEP -> selector.select(_ -> direct.ready());
                        case null -> selector.select(_ -> direct.ready());
                    }
                    direct.disarm();
                }
                return link.read(ByteBuffer.allocate(1));
            }
        }
    }

    @Test
    void whoever_waits_for_a_killed_process_is_told() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var server =
                        Other.program(
                                StreamServer.class,
                                StreamServer.OPTIONS,
                                String.valueOf(hub.port()))) {
            var peer = StreamServer.Address.parse(server.said("ready"));
            var sleepers = new Sleepers(node, peer);
            sleepers.over("shm");
            sleepers.over("tcp");
            Standstill.await("nobody writes on", sleepers.written::get);
            assertThat(sleepers.threads).noneMatch(SleepingThread::isOver);
            assertThat(sleepers.posted).noneMatch(Posted::isDone);
            long killed = System.nanoTime();
            server.kill();
            for (var each : sleepers.threads) {
                requireLost(each.toString(), each.outcome(SOON));
            }
            withinAMinute(
                    "all fail",
                    () ->
                            sleepers.lost.size() == 2
                                    && sleepers.posted.stream().allMatch(Posted::isDone));
            assertThat(Duration.ofNanos(System.nanoTime() - killed).toMillis()).isLessThan(SOON);
            sleepers.lost.forEach(each -> requireLost("posted write", each));
            for (var each : sleepers.posted) {
                requireLost("posted read", catchThrowable(each::result));
            }
        }
    }

    private static void requireLost(String who, Object outcome) {
        if (outcome instanceof VLinkFailed failed) {
            assertThat(failed.kind()).as(who).isEqualTo(VLinkFailed.Kind.BROKEN);
        } else {
            assertThat(outcome)
                    .as(who)
                    .isInstanceOfSatisfying(
                            SocketException.class,
                            e -> assertThat(e).hasMessageStartingWith("Connection reset"));
        }
    }
}
