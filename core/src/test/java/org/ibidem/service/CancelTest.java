package org.ibidem.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.ibidem.arbitration.Threads;
import org.ibidem.link.Catalog;
import org.ibidem.link.Domain;
import org.ibidem.link.Domains;
import org.ibidem.link.Driver;
import org.ibidem.link.Line;
import org.ibidem.link.Link;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;
import org.ibidem.link.Stack;
import org.ibidem.link.Tasks;
import org.ibidem.service.Acceptor.Receiver;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What was promised for a channel is taken back before it is asked for again.
@Timeout(60)
class CancelTest {
    private final CountDownLatch failing = new CountDownLatch(1);
    private final List<String> seen = new CopyOnWriteArrayList<>();

    /// No link of it is ever made: the receiver's end fails first, and while its user is told, the
    /// sender's.
    private final class NoDriver implements Driver, Domain {
        /// No options.
        record Nothing() {}

        @Override
        public String name() {
            return "none";
        }

        @Override
        public Class<Nothing> options() {
            return Nothing.class;
        }

        @Override
        public Domain domain(Tasks tasks, boolean open) {
            return this;
        }

        @Override
        public String place() {
            return "";
        }

        @Override
        public Reach reach(String there) {
            return new Reach.No("it reaches nobody");
        }

        @Override
        public Link open(Lower lower, Record options) throws IOException {
            if (lower.active()) {
                await(failing);
            }
            throw new IOException("no link is made");
        }

        private static void await(CountDownLatch latch) throws IOException {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /// Takes its time to hear that a channel is not made, until who asked for it waits for that, or
    /// does not wait and asks again.
    private final class Slow implements Receiver {
        /// A node that asks itself does so in one thread.
        private final Thread asking = Thread.currentThread();

        @Override
        public void attach(InChannel incoming) {
            seen.add("attached");
        }

        @Override
        public void failed(String why) {
            failing.countDown();
            eventually(
                    "the sender waits or asks again",
                    () -> asking.getState() == Thread.State.BLOCKED || asked() > 1);
            seen.add("failed");
        }

        @Override
        public void cancelled(InChannel channel) {
            seen.add("cancelled");
        }
    }

    private long asked() {
        return seen.stream().filter("asked"::equals).count();
    }

    private Acceptor.Answer answer() {
        seen.add("asked");
        return new Acceptor.Yes(new Slow());
    }

    @Test
    void who_asks_again_does_so_after_its_first_request_was_taken_back() {
        var identity = Identity.create();
        var catalog = Catalog.of(List.of(new NoDriver()), List.of());
        try (var threads = new Threads("test");
                var listener =
                        Listener.open(
                                0,
                                false,
                                new Handshake(identity, threads, Handshake.LIMIT),
                                threads);
                var peers = new Peers("demo", listener, CancelTest::nobody, threads);
                var channels =
                        new Channels(
                                identity,
                                peers,
                                new Channels.Means(
                                        catalog,
                                        new Domains(catalog, threads, false),
                                        _ -> Line.UNKNOWN),
                                threads)) {
            channels.serve("kind", (_, _, _, _) -> answer());
            assertThatThrownBy(() -> open(channels, identity, catalog))
                    .isInstanceOf(LinkBroken.class)
                    .hasMessageContaining("no link is made");
        }
        assertThat(seen).startsWith("asked", "failed", "asked", "failed");
    }

    private static Proved nobody(NodeId peer, Hello hello, Duration limit) {
        throw new ServiceFailed("it is not there");
    }

    private static void open(Channels channels, Identity identity, Catalog catalog) {
        var stack = Stack.parse("none", catalog);
        channels.open(identity.id(), "kind", stack, new byte[0], Duration.ofSeconds(50));
    }
}
