package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where only one call may run at once: who calls much, who calls back, who goes.
@Timeout(90)
class CrowdedTest {
    private static final int FLOOD = 2_000;

    /// What may go before a caller that comes later: what was on its way, and on sockets, which are
    /// looked at less often where there is much to do, a hundred.
    private static final int FEW = FLOOD / 4;

    private static final int BODIES = 50_000;

    private final Nodes nodes = new Nodes();
    private final Gate gate = new Gate();

    /// What is called.
    public interface Waits extends Remote {
        int pass(int number) throws RemoteException, InterruptedException;

        int at() throws RemoteException;
    }

    /// Beside it.
    public interface Later {
        CompletableFuture<Integer> pass(int number);

        CompletableFuture<Integer> at();
    }

    /// Lets one through for each permit.
    private static final class Gate implements Waits {
        final Semaphore permits = new Semaphore(0);
        final AtomicInteger came = new AtomicInteger();
        final AtomicInteger interrupted = new AtomicInteger();

        @Override
        public int pass(int number) throws InterruptedException {
            came.incrementAndGet();
            try {
                permits.acquire();
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw e;
            }
            return number;
        }

        @Override
        public int at() {
            return came.get();
        }
    }

    @AfterEach
    void close() {
        gate.permits.release(2 * FLOOD);
        nodes.close();
    }

    private Rmi one(String stack) {
        return nodes.part(Rmi.Options.usual().stack(stack).running(1));
    }

    private static Waits found(Rmi there) throws Exception {
        return there.names().lookup("gate", Waits.class);
    }

    /// Its call is behind few of those that wait, not behind all of them.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void who_calls_much_does_not_starve_who_calls_little(String stack) throws Exception {
        var server = one(stack);
        server.names().bind("gate", server.export(gate));
        var flooding = one(stack);
        var other = one(stack);
        var much = flooding.beside(found(flooding), Later.class);
        var little = other.beside(found(other), Later.class);
        var all = new ArrayList<CompletableFuture<Integer>>();
        for (int i = 0; i < FLOOD; i++) {
            all.add(much.pass(i));
        }
        withinAMinute("the first has come", () -> gate.came.get() == 1);
        var mine = little.at();
        int let = 0;
        for (; !mine.isDone() && let < FEW; let++) {
            int next = let + 2;
            gate.permits.release();
            withinAMinute("the next has come", () -> gate.came.get() == next || mine.isDone());
        }
        assertThat(mine.isDone()).as("after " + let + " of " + FLOOD).isTrue();
        gate.permits.release(FLOOD);
        for (int i = 0; i < FLOOD; i++) {
            assertThat(all.get(i).get(60, TimeUnit.SECONDS)).as("none is lost").isEqualTo(i);
        }
    }

    /// Who runs a call may have to connect before it can go on.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void nodes_connect_while_no_place_is_free_and_a_call_waits_for_one(String stack)
            throws Exception {
        var server = one(stack);
        server.names().bind("gate", server.export(gate));
        var flooding = one(stack);
        var much = flooding.beside(found(flooding), Later.class);
        for (int i = 0; i < FEW; i++) {
            var _ = much.pass(i);
        }
        withinAMinute("the first has come", () -> gate.came.get() == 1);
        var calls =
                PortType.manyToOne()
                        .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                        .data(Data.OBJECT)
                        .named("rmi-calls")
                        .stack(stack);
        try (var out = SendPort.open(nodes.node(), calls, "another")) {
            out.connect(nodes.node(0).id(), "rmi");
            assertThat(out.connections()).hasSize(1);
        }
        assertThat(gate.came).as("none has ended meanwhile").hasValue(1);
    }

    /// Nobody who waits is interrupted by anything else: it is told that its caller is gone.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void a_call_whose_caller_goes_is_interrupted_and_gives_its_place_back(String stack)
            throws Exception {
        var server = one(stack);
        server.names().bind("gate", server.export(gate));
        var going = one(stack);
        var other = found(one(stack));
        var call = going.beside(found(going), Later.class).pass(1);
        withinAMinute("the first has come", () -> gate.came.get() == 1);
        assertThat(gate.interrupted).hasValue(0);
        going.close();
        withinAMinute("the call has failed", call::isCompletedExceptionally);
        assertThat(other.at()).isEqualTo(1);
        assertThat(gate.interrupted).hasValue(1);
    }

    /// Behind the call that waits for a place nothing is read of this caller, so it says beside it
    /// that it gives up the one that has the place, and another one that has not been read.
    @ParameterizedTest
    @CsvSource({"tcp, false", "shm, false", "tcp, true"})
    void a_call_that_is_given_up_gives_its_place_to_one_that_waits(String stack, boolean limited)
            throws Exception {
        var server = one(stack);
        server.names().bind("gate", server.export(gate));
        var client = one(stack);
        var there = found(client);
        var limit = Duration.ofMillis(limited ? 5_000 : 600_000);
        var first = client.beside(client.within(there, limit), Later.class).pass(1);
        withinAMinute("the first has come", () -> gate.came.get() == 1);
        var later = client.beside(there, Later.class);
        var second = later.pass(2);
        var third = later.pass(3);
        third.cancel(true);
        if (!limited) {
            first.cancel(true);
        }
        withinAMinute("the second has come", () -> gate.came.get() == 2);
        assertThat(gate.interrupted).hasValue(1);
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isNotDone();
        gate.permits.release();
        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(there.at())
                .as("what was given up before has not run")
                .isIn(limited ? List.of(2) : List.of(2, 3));
    }

    /// One step.
    public interface Step extends Remote {
        int down(int steps, List<Step> others) throws RemoteException;
    }

    /// Calls the next of three nodes, which may be the same.
    private static final class Down implements Step {
        @Override
        public int down(int steps, List<Step> others) throws RemoteException {
            return steps == 0 ? 0 : 1 + others.get(steps % others.size()).down(steps - 1, others);
        }
    }

    /// From all three at once, in both directions and home.
    @Test
    void many_recursions_over_three_nodes_with_one_place_each_all_end() throws Exception {
        var parts = new ArrayList<Rmi>();
        var steps = new ArrayList<Step>();
        for (int i = 0; i < 3; i++) {
            parts.add(one("auto"));
            steps.add(parts.get(i).export(new Down(), Step.class));
            parts.get(i).names().bind("step" + i, steps.get(i));
        }
        var all = new ArrayList<Future<Integer>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var part : parts) {
                var seen = new ArrayList<Step>();
                for (int i = 0; i < 3; i++) {
                    seen.add(part.names().lookup("step" + i, Step.class));
                }
                for (var ways : List.of(seen, seen.reversed(), List.of(seen.get(0), seen.get(0)))) {
                    var way = List.copyOf(ways);
                    for (int i = 0; i < 4; i++) {
                        all.add(threads.submit(() -> way.getFirst().down(30, way)));
                    }
                }
            }
            for (var each : all) {
                assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(30);
            }
        }
    }

    /// As a list that is not of the JDK.
    static final class Body implements Serializable {
        private static final long serialVersionUID = 1L;
        double x;
        Body next;
        Body before;
    }

    private static Body bodies() {
        var first = new Body();
        var last = first;
        for (int i = 1; i < BODIES; i++) {
            var made = new Body();
            made.x = i;
            made.before = last;
            last.next = made;
            last = made;
        }
        last.next = first;
        return first;
    }

    /// By one reference after the other, and in a circle; in a thread with little stack, too.
    @Test
    void a_list_of_50_000_bodies_goes_there_and_back() throws Exception {
        var options =
                Rmi.Options.usual()
                        .policy(ObjectPolicy.NOTHING_BUT_VALUES.allow(Body.class.getName()));
        var server = nodes.part(options);
        server.names().bind("total", server.export(new Total()));
        var there = nodes.part(options).names().lookup("total", Counter.class);
        var _ = there.odd(new Body()); // what generates its code takes more stack, once
        var back = new CompletableFuture<Object>();
        new Thread(
                        null,
                        () -> {
                            try {
                                back.complete(there.odd(bodies()));
                            } catch (Throwable e) {
                                back.completeExceptionally(e);
                            }
                        },
                        "little stack",
                        256 * 1024)
                .start();
        var first = (Body) back.get(60, TimeUnit.SECONDS);
        var at = first;
        for (int i = 1; i < BODIES; i++) {
            assertThat(at.next.before).isSameAs(at);
            at = at.next;
            assertThat(at.x).isEqualTo(i);
        }
        assertThat(at.next).isSameAs(first);
    }
}
