package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Members that others report as perhaps dead: the hub asks them, and believes what it finds.
@Timeout(60)
class MissedTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Node one = join();
    private final Node two = join();
    private final Heard heard = Heard.by(one);
    private Stranger silent;

    /// A member that says nothing, but whose listener is there.
    @BeforeEach
    void begin() throws Exception {
        silent = new Stranger(hub, "demo");
        silent.deafen();
    }

    @AfterEach
    void end() {
        silent.close();
        one.close();
        two.close();
        hub.close();
    }

    @Test
    @Tag("slow")
    void one_that_answers_is_not_even_suspected_and_one_that_does_not_is() throws Exception {
        try (var listener = new ServerSocket(0, 9, HERE)) {
            attach(listener);
            one.maybeDead(two.id(), "it seems slow");
            // By another one, after that: a hub looks for one at a time for each member.
            two.maybeDead(silent.id(), "it seems slow");
            heard.await(about(silent.id(), PoolEvent.Suspected.class), "the suspicion");
            two.signals().send("alive", one.id());
            heard.await(PoolEvent.Signalled.class);
            // A machine that stands still for two seconds is silent, too; whoever answers is not.
            assertThat(heard.all())
                    .filteredOn(PoolEvent.Suspected.class::isInstance)
                    .extracting(event -> ((PoolEvent.Suspected) event).why())
                    .allMatch(why -> why.matches("silent for ([2-9]|\\d\\d+) s"));
            eventually(
                    "only the one that gave no answer is suspected",
                    () -> count(PoolEvent.Suspected.class) - count(PoolEvent.Restored.class) == 1);
            assertThat(heard.all()).noneMatch(PoolEvent.Died.class::isInstance);
        }
    }

    @Test
    @Tag("slow")
    void one_out_of_contact_is_dead_when_it_is_missed_and_nobody_listens_at_its_address()
            throws Exception {
        try (var listener = new ServerSocket(0, 9, HERE)) {
            attach(listener);
            one.maybeDead(silent.id(), "first");
            heard.await(about(silent.id(), PoolEvent.Suspected.class), "the suspicion");
            listener.setSoTimeout((int) Heard.LONG.toMillis());
            two.maybeDead(silent.id(), "too early");
            listener.accept().close(); // the hub has looked, and somebody was there
            two.awaitMembers(3, Heard.LONG);
            assertThat(heard.all()).noneMatch(PoolEvent.Died.class::isInstance);
        }
        while (two.contact(silent.id()).isPresent()) {
            one.maybeDead(silent.id(), "no answer"); // dropped while the hub still looks
            LockSupport.parkNanos(1_000_000); // the hub's answer is what is waited for
        }
        assertThat(heard.await(PoolEvent.Died.class))
                .satisfies(died -> assertThat(died.member().id()).isEqualTo(silent.id()))
                .satisfies(died ->
                        assertThat(died.why())
                                .contains("a member saw: no answer")
                                .contains("nobody listens"));
    }

    private void attach(ServerSocket listener) {
        silent.attach(new InetSocketAddress(HERE, listener.getLocalPort()));
        heard.await(about(silent.id(), PoolEvent.Joined.class), "the silent one");
    }

    private long count(Class<? extends PoolEvent> kind) {
        return heard.all().stream().filter(kind::isInstance).count();
    }

    private static Predicate<PoolEvent> about(NodeId id, Class<? extends PoolEvent> kind) {
        return event -> kind.isInstance(event) && event.toString().contains(id.brief());
    }

    private Node join() {
        return Node.join(
                Join.pool("demo").hub("localhost:" + hub.port()).membership(Membership.ORDERED));
    }
}
