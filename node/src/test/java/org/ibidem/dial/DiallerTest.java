package org.ibidem.dial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.accept.Listener;
import org.ibidem.config.Settings;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Relay;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.Traits;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.ibidem.connect.Unreachable;
import org.ibidem.control.Peers;
import org.ibidem.control.SteppedTasks;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.link.Reach;
import org.ibidem.link.StreamPath;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.peer.Purpose;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Methods that do as they are told, by a clock that is moved by hand.
class DiallerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final SteppedTasks tasks = new SteppedTasks();
    private final Identity peer = Identity.create();
    private final Handshake handshake = new Handshake(Identity.create(), tasks, Handshake.LIMIT);
    private final Listener listener = Listener.open(0, false, handshake, tasks);
    private final Told direct = new Told("direct", false);
    private final Told routed = new Told("routed", true);
    private final List<SocketChannel> made = new CopyOnWriteArrayList<>();
    private Dialler dialler = dialler();

    @AfterEach
    void close() throws IOException {
        listener.close();
        tasks.close();
        for (var channel : made) {
            channel.close();
        }
    }

    private Dialler dialler() {
        return dialler(List.of(direct, routed), Map.of());
    }

    private Dialler dialler(List<ConnectMethod> methods, Map<String, String> settings) {
        var peers = new Peers("demo", listener, (_, _, _) -> null, tasks);
        var brokering = new Brokering(peers, listener, methods, tasks);
        brokering.relay(NoRelay::new);
        var me = handshake.identity().id();
        var policy = Policy.of(me, Settings.of(settings), methods, _ -> null);
        return new Dialler(handshake, policy, brokering, true);
    }

    private static final class NoRelay implements Relay {
        @Override
        public StreamPath open(NodeId to, Duration limit) throws IOException {
            throw new IOException("nothing is carried");
        }

        @Override
        public InetSocketAddress address() {
            return InetSocketAddress.createUnresolved("relay", 1);
        }
    }

    private enum Does {
        CONNECT,
        FAIL,
        ERROR,
        HANG
    }

    /// A method that does as it is told.
    private final class Told implements ConnectMethod {
        private final String name;
        private final boolean relays;
        private final AtomicInteger begun = new AtomicInteger();
        private final CountDownLatch goOn = new CountDownLatch(1);
        private volatile Does does = Does.CONNECT;

        Told(String name, boolean relays) {
            this.name = name;
            this.relays = relays;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Traits traits() {
            return new Traits(Firewalls.BOTH, Nat.ANY, true, !relays, relays, false);
        }

        @Override
        public Reach reach(Contact contact) {
            return new Reach.Yes(1);
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T connect(Contact contact, Check<T> check, MethodContext context) {
            begun.incrementAndGet();
            switch (does) {
                case CONNECT -> {
                    // as it is
                }
                case FAIL -> throw new Unreachable("no " + name + " today", List.of());
                case ERROR -> throw new AssertionError("for this test, " + name);
                case HANG -> awaitWhateverComes();
            }
            return (T) new Proved(new SocketPath(line()), peer.key(), hello(), 1, true);
        }

        /// As what does not hear an interrupt.
        private void awaitWhateverComes() {
            while (goOn.getCount() > 0) {
                try {
                    goOn.await();
                } catch (InterruptedException _) {
                    // it goes on in spite of it
                }
            }
        }
    }

    private SocketChannel line() {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var channel = SocketChannel.open(server.getLocalAddress());
            made.add(channel);
            return channel;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Hello hello() {
        return Hello.data("demo", peer.id(), "tcp", "");
    }

    private CompletableFuture<Proved> dial() {
        var contact = new Contact(peer.id(), List.of(), Map.of());
        return CompletableFuture.supplyAsync(
                () -> dialler.dial(contact, hello(), LIMIT),
                task -> Thread.ofVirtual().start(task));
    }

    private @Nullable Deliberation last() {
        return dialler.experience().last(new Experience.Towards(peer.id(), Purpose.DATA));
    }

    private List<String> tried() {
        var last = last();
        return last == null ? List.of() : last.tried().stream().map(Tried::method).toList();
    }

    @Test
    void a_better_way_does_not_wait_for_a_relay_that_worked() {
        direct.does = Does.FAIL;
        dial().join();
        assertThat(tried()).containsExactly("direct", "routed");
        direct.does = Does.HANG;
        dial().join();
        assertThat(tried()).containsExactlyInAnyOrder("direct", "routed");
        direct.goOn.countDown();
    }

    @Test
    void a_method_that_ends_by_an_error_has_failed_and_the_next_one_is_tried() {
        direct.does = Does.ERROR;
        assertThat(dial().join().method()).isEqualTo("routed");
        assertThat(tried()).containsExactly("direct", "routed");
        assertThat(Objects.requireNonNull(last()).tried().getFirst().why())
                .contains("AssertionError", "for this test, direct");
    }

    @Test
    void who_dials_hears_of_all_errors_and_waits_for_none() {
        direct.does = Does.ERROR;
        routed.does = Does.ERROR;
        assertThatThrownBy(() -> dial().get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("for this test, direct")
                .hasMessageContaining("for this test, routed");
        assertThat(dialler.trying(peer.id())).isEmpty();
    }

    @Test
    void a_relay_that_worked_is_forgotten_soon() {
        direct.does = Does.FAIL;
        dial().join();
        tasks.advance(Duration.ofSeconds(31));
        direct.does = Does.CONNECT;
        dial().join();
        assertThat(tried()).containsExactly("direct");
    }

    @Test
    void what_worked_is_begun_first_and_alone_the_next_time() {
        dial().join();
        tasks.advance(Duration.ofMinutes(4));
        routed.does = Does.HANG;
        dial().join();
        assertThat(tried()).containsExactly("direct");
        assertThat(routed.begun).hasValue(0);
        routed.goOn.countDown();
    }

    @Test
    void the_next_way_begins_when_the_head_start_of_those_before_is_over_and_not_sooner() {
        direct.does = Does.HANG;
        int before = tasks.waiting();
        var made = dial();
        eventually("its limit and the relay's turn wait", () -> tasks.waiting() == before + 2);
        tasks.advance(Duration.ofMillis(3_999));
        assertThat(routed.begun).hasValue(0);
        assertThat(dialler.trying(peer.id())).containsExactly("direct");
        tasks.advance(Duration.ofMillis(1));
        assertThat(made.join().method()).isEqualTo("routed");
        assertThat(dialler.trying(peer.id())).isEmpty();
        assertThat(tried()).containsExactly("direct", "routed");
        var last = Objects.requireNonNull(last());
        assertThat(last.method()).isEqualTo("routed");
        assertThat(last.tried().getLast().began()).isEqualTo(Duration.ofSeconds(4));
        assertThat(last.tried().getFirst().why())
                .isEqualTo("had not connected yet when routed had");
        direct.goOn.countDown();
    }

    @Test
    void what_worked_is_remembered_for_five_minutes_though_another_way_is_the_usual_one() {
        var reverse = new Told("reverse", false);
        dialler = dialler(List.of(direct, reverse), Map.of());
        direct.does = Does.FAIL;
        dial().join();
        assertThat(tried()).containsExactly("direct", "reverse");
        direct.does = Does.CONNECT;
        tasks.advance(Duration.ofMinutes(5).minusSeconds(1));
        dial().join();
        assertThat(tried()).containsExactly("reverse");
        tasks.advance(Duration.ofSeconds(2)); // it was not remembered anew: another may be better
        dial().join();
        assertThat(tried()).containsExactly("direct");
    }

    @Test
    void what_worked_and_does_not_any_more_is_forgotten_and_the_next_begins_at_once() {
        dial().join();
        direct.does = Does.FAIL;
        dial().join();
        assertThat(tried()).containsExactly("direct", "routed");
        var last = Objects.requireNonNull(last());
        assertThat(last.tried().getLast().began()).isZero();
        assertThat(dialler.experience().history(peer.id()).getFirst().method()).isEqualTo("routed");
        dialler.experience().forget(peer.id());
        assertThat(dialler.experience().history(peer.id())).isEmpty();
    }

    @Test
    void the_order_of_preferences_goes_before_the_usual_one() {
        dialler = dialler(List.of(direct, routed), Map.of("ibidem.methods", "routed, direct"));
        dial().join();
        assertThat(tried()).containsExactly("routed");
        assertThat(direct.begun).hasValue(0);
    }

    @Test
    void the_only_way_that_may_be_used_begins_at_once() {
        dialler = dialler(List.of(direct, routed), Map.of("ibidem.methods", "routed"));
        dial().join();
        assertThat(tried()).containsExactly("routed");
        routed.does = Does.FAIL;
        assertThatThrownBy(() -> dial().join()).hasMessageContaining("routed: no routed today");
        assertThat(direct.begun).hasValue(0);
    }

    @Test
    void the_message_of_a_failure_has_the_reason_of_every_method() {
        direct.does = Does.FAIL;
        routed.does = Does.FAIL;
        assertThatThrownBy(() -> dial().join())
                .cause()
                .isInstanceOf(Unreachable.class)
                .hasMessage(
                        "node "
                                + peer.id().brief()
                                + " cannot be reached: direct: no direct today; routed: no routed"
                                + " today")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
    }

    @Test
    void a_connection_that_comes_too_late_is_closed() {
        direct.does = Does.HANG;
        routed.does = Does.FAIL;
        var failed = dial();
        eventually("it has begun", () -> direct.begun.get() == 1);
        tasks.advance(LIMIT);
        assertThatThrownBy(failed::join).hasMessageContaining("direct: was not done in time");
        direct.goOn.countDown();
        eventually("the late one is made", () -> made.size() == 1);
        eventually("it is closed", () -> !made.getFirst().isOpen());
    }
}
