package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ibidem.accept.Listener;
import org.ibidem.arbitration.Threads;
import org.ibidem.channel.Acceptor.Receiver;
import org.ibidem.control.Peers;
import org.ibidem.control.ServiceFailed;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.link.Domain;
import org.ibidem.link.Driver;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.Line;
import org.ibidem.link.Link;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;
import org.ibidem.stack.Domains;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
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
    private class NoDriver implements Driver, Domain {
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

    private Acceptor.Answer answer(Receiver receiver) {
        seen.add("asked");
        return new Acceptor.Yes(receiver);
    }

    @Test
    void who_asks_again_does_so_after_its_first_request_was_taken_back() {
        asksItself(new NoDriver(), Slow::new, _ -> {});
        assertThat(seen).startsWith("asked", "failed", "asked", "failed");
    }

    /// The receiver's end is made, and has no user before the sender has given it up.
    private final class HalfDriver extends NoDriver {
        private final Semaphore made = new Semaphore(0);

        /// Of the request that is open.
        private volatile CountDownLatch givenUp = new CountDownLatch(0);

        Receiver receiver() {
            var mine = new CountDownLatch(1);
            givenUp = mine;
            return new Receiver() {
                @Override
                public void attach(InChannel incoming) {
                    seen.add("attached");
                }

                @Override
                public void failed(String why) {
                    mine.countDown();
                }

                @Override
                public void cancelled(InChannel channel) {
                    seen.add("cancelled");
                }
            };
        }

        @Override
        public Link open(Lower lower, Record options) throws IOException {
            if (!lower.active()) {
                return new Half(givenUp);
            }
            made.acquireUninterruptibly();
            throw new IOException("no link is made");
        }

        private final class Half implements FrameLink {
            private final CountDownLatch mine;

            Half(CountDownLatch mine) {
                this.mine = mine;
            }

            @Override
            public FrameSink sink() {
                throw new AssertionError("nobody writes here");
            }

            @Override
            public FrameSource source() {
                made.release();
                try {
                    mine.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return new FrameBox().source();
            }

            @Override
            public void close() {
                seen.add("closed");
            }
        }
    }

    @Test
    void a_link_that_was_made_when_its_sender_gave_it_up_ends() {
        var driver = new HalfDriver();
        asksItself(
                driver,
                driver::receiver,
                channels -> {
                    eventually("all of it is closed", () -> closed() == asked());
                    assertThat(channels.links()).isZero();
                });
        assertThat(asked()).isPositive();
        assertThat(seen).doesNotContain("attached", "cancelled");
    }

    private long closed() {
        return seen.stream().filter("closed"::equals).count();
    }

    private void asksItself(Driver driver, Supplier<Receiver> receiver, Consumer<Channels> then) {
        var identity = Identity.create();
        var catalog = Catalog.of(List.of(driver), List.of());
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
                                new Channels.Context(
                                        catalog,
                                        new Domains(catalog, threads, false),
                                        _ -> Line.UNKNOWN),
                                threads)) {
            channels.serve("kind", (_, _, _, _) -> answer(receiver.get()));
            assertThatThrownBy(() -> open(channels, identity, catalog))
                    .isInstanceOf(LinkBroken.class)
                    .hasMessageContaining("no link is made");
            then.accept(channels);
        }
    }

    private static Proved nobody(NodeId peer, Hello hello, Duration limit) {
        throw new ServiceFailed("it is not there");
    }

    private static void open(Channels channels, Identity identity, Catalog catalog) {
        var stack = Stack.parse("none", catalog);
        channels.open(identity.id(), "kind", stack, new byte[0], Duration.ofSeconds(50));
    }
}
