package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Departed;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.coordination.PoolRestarted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Messages that are numbered over all senders of a type in the pool.
@Timeout(60)
class TotalNumbersTest {
    private static final PortType TOTAL = PortType.manyToOne().with(Capability.TOTAL);
    private static final int SENDERS = 4;
    private static final int PORTS = 3;
    private static final int MESSAGES = 200;

    @TempDir java.nio.file.Path temporary;
    private final List<Node> nodes = new ArrayList<>();
    private final Queue<Begun> begun = new ConcurrentLinkedQueue<>();
    private Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));

    /// A message that was begun between two moments.
    private record Begun(long before, long after, long number) {}

    @AfterEach
    void end() {
        nodes.forEach(Node::close);
        hub.close();
    }

    private Node join() {
        var node = Node.join(Join.pool("numbers").hub("localhost:" + hub.port()));
        nodes.add(node);
        return node;
    }

    private static SendPort connected(Node from, Node to, PortType type) {
        var out = SendPort.open(from, type, "out");
        out.connect(to.id(), "in");
        return out;
    }

    private long send(SendPort out) {
        long before = System.nanoTime();
        try (var message = out.newMessage()) {
            long after = System.nanoTime();
            long number = message.sequenceNumber();
            begun.add(new Begun(before, after, number));
            message.writeLong(number).finish();
            return number;
        }
    }

    @Test
    @Tag("slow")
    void whoever_begins_a_message_later_has_the_higher_number_over_all_nodes() throws Exception {
        var reader = join();
        var senders = List.of(join(), join(), join(), reader);
        var got = new ArrayList<Long>();
        try (var in = ReceivePort.open(reader, TOTAL, "in");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var done = new ArrayList<Callable<Void>>();
            for (int i = 0; i < SENDERS * PORTS; i++) {
                var out = connected(senders.get(i % SENDERS), reader, TOTAL);
                done.add(() -> {
                    long last = -1;
                    for (int k = 0; k < MESSAGES; k++) {
                        long number = send(out);
                        assertThat(number).isGreaterThan(last);
                        last = number;
                    }
                    return null;
                });
            }
            var reading =
                    threads.submit(() -> {
                        for (int i = 0; i < SENDERS * PORTS * MESSAGES; i++) {
                            try (var message = in.receive()) {
                                assertThat(message.sequenceNumber()).isEqualTo(message.readLong());
                                got.add(message.sequenceNumber());
                            }
                        }
                    });
            for (var one : threads.invokeAll(done)) {
                one.get();
            }
            reading.get();
        }
        assertThat(got).doesNotHaveDuplicates().hasSize(SENDERS * PORTS * MESSAGES);
        var byNumber = begun.stream().sorted(Comparator.comparingLong(Begun::number)).toList();
        long latestBegin = Long.MIN_VALUE;
        for (var message : byNumber) {
            assertThat(message.after())
                    .as("nobody with a lower number asked for it after this one had its own")
                    .isGreaterThan(latestBegin);
            latestBegin = Math.max(latestBegin, message.before());
        }
    }

    @Test
    void each_type_has_numbers_of_its_own_and_a_plain_sequence_has_others() {
        var one = join();
        var other = join();
        var named = TOTAL.named("rows");
        try (var in = ReceivePort.open(one, TOTAL, "in");
                var rows = ReceivePort.open(one, named, "rows");
                var out = connected(other, one, TOTAL);
                var again = SendPort.open(one, named, "out")) {
            again.connect(one.id(), "rows");
            assertThat(send(out)).isZero();
            assertThat(send(out)).isEqualTo(1);
            assertThat(send(again)).isZero();
            assertThat(other.sequences().next("rows")).isZero();
            assertThat(in.connections()).hasSize(1);
            assertThat(rows.connections()).hasSize(1);
        }
    }

    @Test
    void a_message_that_is_given_up_takes_its_number_with_it() {
        var one = join();
        try (var in = ReceivePort.open(one, TOTAL, "in");
                var out = connected(one, one, TOTAL)) {
            out.newMessage().close();
            assertThat(send(out)).isEqualTo(1);
            assertThat(in.name()).isEqualTo("in");
        }
    }

    @Test
    void they_go_on_after_a_restart_with_state() {
        hub.close();
        var options = Hub.Options.DEFAULT.state(temporary.resolve("state"));
        hub = Hub.start(options.port(0));
        var one = join();
        try (var in = ReceivePort.open(one, TOTAL, "in");
                var out = connected(one, one, TOTAL)) {
            assertThat(send(out)).isZero();
            int port = hub.port();
            hub.close();
            hub = Hub.start(options.port(port));
            assertThat(send(out)).isEqualTo(1);
            assertThat(in.name()).isEqualTo("in");
        }
    }

    @Test
    void without_state_every_port_is_told_once_that_they_begin_anew() {
        var one = join();
        var two = join();
        var heard = List.of(Heard.by(one), Heard.by(two));
        try (var in = ReceivePort.open(one, TOTAL, "in");
                var mine = connected(one, one, TOTAL);
                var other = connected(two, one, TOTAL)) {
            assertThat(send(mine)).isZero();
            assertThat(send(other)).isEqualTo(1);
            int port = hub.port();
            hub.close();
            heard.forEach(each -> each.await(PoolEvent.HubLost.class));
            hub = Hub.start(Hub.Options.DEFAULT.port(port));
            heard.forEach(each -> each.await(PoolEvent.Restarted.class));
            heard.forEach(each -> each.await(PoolEvent.HubBack.class));
            // Even where the new numbers are higher than the old ones by now.
            assertThat(one.sequences().next("other")).isZero();
            for (var out : List.of(mine, other)) {
                assertThatThrownBy(() -> send(out))
                        .isInstanceOf(PoolRestarted.class)
                        .hasMessageContaining("numbers of messages begin anew");
            }
            long first = send(mine);
            assertThat(send(other)).isGreaterThan(first);
            assertThat(in.connections()).as("connections know nothing of hubs").hasSize(2);
        }
    }

    @Test
    void one_that_is_interrupted_while_it_asks_for_all_harms_nobody_else() throws Exception {
        hub.close();
        var options = Hub.Options.DEFAULT.state(temporary.resolve("state"));
        hub = Hub.start(options.port(0));
        var one = join();
        var heard = Heard.by(one);
        try (var in = ReceivePort.open(one, TOTAL, "in");
                var asking = connected(one, one, TOTAL);
                var joining = connected(one, one, TOTAL);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            int port = hub.port();
            hub.close();
            heard.await(PoolEvent.HubLost.class);
            var started = new CountDownLatch(2);
            var first =
                    threads.submit(() -> {
                        started.countDown();
                        return send(asking);
                    });
            var second =
                    threads.submit(() -> {
                        started.countDown();
                        return send(joining);
                    });
            started.await();
            assertThat(first.cancel(true)).isTrue();
            hub = Hub.start(options.port(port));
            assertThat(second.get(30, TimeUnit.SECONDS)).isBetween(0L, 1L);
            assertThat(send(asking)).as("its port is still usable").isBetween(1L, 3L);
            assertThat(in.connections()).hasSize(2);
        }
    }

    @Test
    void one_that_waits_for_a_number_learns_that_its_node_is_no_member_any_more() {
        var one = join();
        var two = join();
        var heard = Heard.by(one);
        try (var in = ReceivePort.open(one, TOTAL, "in");
                var out = connected(one, one, TOTAL)) {
            assertThat(send(out)).isZero();
            two.assumeDead(one.id(), "for the test");
            heard.await(PoolEvent.Died.class);
            assertThatThrownBy(() -> send(out)).isInstanceOf(Departed.class);
            assertThat(in.name()).isEqualTo("in");
        }
    }
}
