package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.Acceptor;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.stack.Stack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CircuitTest {
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Mailbox> boxes = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (var one : opened.reversed()) {
            one.close();
        }
    }

    private List<Circuit> circuits(Group group, String stack) {
        opened.add(group);
        var all = new ArrayList<Circuit>();
        for (var station : group.stations) {
            var box = new Mailbox(group.stations.size());
            boxes.add(box);
            all.add(Circuit.open(station, "test", group.ids(), stack, box));
        }
        opened.addAll(all);
        return all;
    }

    /// Sends, waiting for room.
    static void send(Circuit circuit, int to, long value) {
        var room = new Frame();
        while (!offer(circuit, to, room, value)) {
            var again = new AtomicInteger();
            circuit.await(() -> again.incrementAndGet() > 1);
        }
    }

    private static boolean offer(Circuit circuit, int to, Frame room, long value) {
        circuit.enter();
        try {
            if (!circuit.claim(to, room, Long.BYTES)) {
                return false;
            }
            room.memory.set(Mailbox.LONG, room.position, value);
            room.position += Long.BYTES;
            circuit.commit(to, room, 0);
            return true;
        } finally {
            circuit.leave();
        }
    }

    private static List<Long> upTo(long count) {
        return LongStream.range(0, count).boxed().toList();
    }

    @ParameterizedTest
    @Tag("slow")
    @Stacks({"auto", "shm", "tcp", "checksum > tcp", "compress > parallel > tcp", "reliable > udp"})
    void everyone_sends_to_everyone_in_order(String stack) {
        int count = 2_000;
        int size = 4;
        var all = circuits(new Group(size), stack);
        var running = new ArrayList<CompletableFuture<Void>>();
        for (var circuit : all) {
            running.add(Background.run(() -> exchange(circuit, boxes.get(circuit.self()), count)));
        }
        running.forEach(CompletableFuture::join);
        for (var circuit : all) {
            for (int from = 0; from < size; from++) {
                assertThat(boxes.get(circuit.self()).from.get(from))
                        .isEqualTo(from == circuit.self() ? List.of() : upTo(count));
            }
        }
    }

    private static void exchange(Circuit circuit, Mailbox box, int count) {
        for (long i = 0; i < count; i++) {
            for (int to = 0; to < circuit.size(); to++) {
                if (to != circuit.self()) {
                    send(circuit, to, i);
                }
            }
        }
        circuit.await(() -> box.count() == count * (circuit.size() - 1));
    }

    /// Neither reads while it sends, but for what it needs room.
    @Test
    @Tag("slow")
    void two_that_flood_each_other_do_not_stand_still() {
        var all = circuits(new Group(2), "shm");
        int count = 200_000;
        var one = Background.run(() -> exchange(all.get(0), boxes.get(0), count));
        exchange(all.get(1), boxes.get(1), count);
        one.join();
        assertThat(boxes.get(0).from.get(1)).isEqualTo(upTo(count));
    }

    @Test
    void one_circuit_goes_over_several_networks_at_once() {
        var group = new Group(2);
        group.add(true);
        var all = circuits(group, "multi(shm, tcp)");
        var near = all.get(0);
        var far = all.get(2);
        send(near, 1, 1);
        send(far, 0, 2);
        all.get(1).await(() -> boxes.get(1).count() == 1);
        near.await(() -> boxes.get(0).count() == 1);
        assertThat(near.way(0)).isEqualTo("itself");
        assertThat(near.way(1)).isEqualTo("shm");
        assertThat(near.way(2)).isEqualTo("none yet");
        assertThat(far.way(0)).matches("tcp by direct to \\S+:\\d+ \\(shm: no, .*");
    }

    /// Which belongs to another circuit, or to a port.
    @ParameterizedTest
    @Stacks({"loopback", "tcp"})
    void one_closed_with_its_turn_in_another_hand_ends_without_the_other_direction_of_its_links(
            String stack) throws Exception {
        var group = new Group(2);
        var all = circuits(group, stack);
        send(all.get(0), 1, 1);
        all.get(1).await(() -> boxes.get(1).count() == 1);
        var box = new Mailbox(2);
        try (var to = Circuit.open(group.stations.get(0), "other", group.ids(), stack, box);
                var from =
                        Circuit.open(
                                group.stations.get(1),
                                "other",
                                group.ids(),
                                stack,
                                new Mailbox(2))) {
            send(from, 0, 0);
            to.await(() -> box.count() == 1);
            assertThat(group.stations.get(0).channels().links()).isEqualTo(1);
            Background.run(all.get(0)::enter).join();
            assertThat(all.get(0).close(Duration.ZERO)).isFalse();
            for (int i = 1; i < 100; i++) {
                send(from, 0, i);
                int count = i + 1;
                to.await(() -> box.count() == count);
            }
            assertThat(box.from.get(1)).isEqualTo(upTo(100));
            all.get(1).await(() -> all.get(1).way(0).startsWith("gone: "));
        }
    }

    @Test
    @Tag("slow")
    void many_threads_share_one_member_and_one_of_them_polls_for_all() {
        var all = circuits(new Group(2), "auto");
        int threads = 8;
        int rounds = 500;
        var echo =
                Background.run(() -> {
                    for (int i = 0; i < threads * rounds; i++) {
                        int seen = i;
                        all.get(1).await(() -> boxes.get(1).count() > seen);
                        send(all.get(1), 0, boxes.get(1).from.get(0).get(i));
                    }
                });
        var running = new ArrayList<CompletableFuture<Void>>();
        for (int thread = 0; thread < threads; thread++) {
            long mine = thread;
            running.add(
                    Background.run(() -> {
                        var circuit = all.get(0);
                        var box = boxes.get(0);
                        for (int i = 0; i < rounds; i++) {
                            long value = mine * rounds + i;
                            send(circuit, 1, value);
                            circuit.await(() -> box.from.get(1).contains(value));
                        }
                    }));
        }
        running.forEach(CompletableFuture::join);
        echo.join();
        assertThat(boxes.get(0).from.get(1))
                .containsExactlyInAnyOrderElementsOf(upTo((long) threads * rounds));
    }

    /// Who gives the turn back has perhaps not seen who just began to wait.
    @Test
    void who_begins_to_wait_as_the_turn_is_given_back_polls() {
        var circuit = circuits(new Group(1), "auto").getFirst();
        var round = new AtomicInteger();
        int rounds = 30_000;
        var other =
                Background.run(() -> {
                    for (int i = 1; i <= rounds; i++) {
                        circuit.enter();
                        round.set(i);
                        circuit.leave();
                        while (round.get() == i) {
                            Thread.onSpinWait();
                        }
                    }
                });
        for (int i = 1; i <= rounds; i++) {
            while (round.get() != i) {
                Thread.onSpinWait();
            }
            var looks = new AtomicInteger();
            circuit.await(() -> looks.incrementAndGet() > 2);
            if (i % 2 == 0) {
                LockSupport.parkNanos(1); // no permit is left over
            } else {
                LockSupport.unpark(Thread.currentThread()); // one is
            }
            round.set(-i);
        }
        other.join();
    }

    @Test
    void who_closes_says_so_behind_what_it_sent() {
        var all = circuits(new Group(2), "auto");
        send(all.get(0), 1, 7);
        all.get(0).close();
        var box = boxes.get(1);
        all.get(1).await(() -> !box.lost.isEmpty());
        assertThat(box.from.get(0)).containsExactly(7L);
        assertThat(box.lost).containsExactly("0 in order: it has closed its end");
        assertThatThrownBy(() -> send(all.get(1), 0, 1))
                .isInstanceOf(CircuitBroken.class)
                .hasMessage("member 0 is gone: it has closed its end");
    }

    /// It may have sent over that link before it ended, which is said sooner than the link is made
    /// at this end.
    @Test
    void one_that_ends_is_not_lost_while_a_link_from_it_is_made() {
        var group = new Group(2);
        var all = circuits(group, "auto");
        var here = all.get(1);
        var box = boxes.get(1);
        send(here, 0, 1);
        var request = new CircuitRequest("test", 0, 2, CircuitRequest.sum(group.ids()), "auto");
        var station = group.stations.get(1);
        var terms = FramesOverStream.terms(new BufferPool(BufferPool.SIZE));
        var answer =
                CircuitProtocol.of(station)
                        .answer(group.ids().getFirst(), "tcp", terms, request.encode());
        var promised = ((Acceptor.Yes) answer).receiver();
        all.get(0).close();
        here.await(() -> !box.closed.isEmpty() || !box.lost.isEmpty());
        assertThat(box.lost).isEmpty();
        promised.failed("it was given up");
        here.await(() -> !box.lost.isEmpty());
        assertThat(box.lost).containsExactly("0 in order: the circuit was closed");
    }

    @Test
    void what_has_come_is_read_where_its_sender_can_no_longer_be_reached() {
        var group = new Group(2);
        var all = circuits(group, "auto");
        var here = all.get(1);
        var box = boxes.get(1);
        box.keeps = true;
        send(all.get(0), 1, 7);
        send(all.get(0), 1, 8);
        here.await(() -> box.count() == 1);
        all.get(0).close();
        group.stations.get(0).close();
        var room = new Frame();
        here.enter();
        assertThat(here.claim(0, room, Long.BYTES)).as("it is connected to first").isFalse();
        here.leave();
        here.await(() -> !box.closed.isEmpty() || !box.lost.isEmpty());
        assertThat(box.lost).as("it has sent more").isEmpty();
        box.keeps = false;
        here.enter();
        here.proceed(0);
        here.leave();
        here.await(() -> !box.lost.isEmpty());
        assertThat(box.from.get(0)).containsExactly(7L, 8L);
    }

    @Test
    void room_that_was_granted_ends_with_its_link() {
        var all = circuits(new Group(2), "auto");
        var here = all.get(1);
        send(here, 0, 1);
        var room = new Frame();
        here.enter();
        assertThat(here.claim(0, room, Long.BYTES)).isTrue();
        here.leave();
        all.get(0).close();
        var box = boxes.get(1);
        here.await(() -> !box.closed.isEmpty() || !box.lost.isEmpty());
        here.enter();
        assertThatThrownBy(() -> here.commit(0, room, 0))
                .isInstanceOf(CircuitBroken.class)
                .hasMessage("member 0 is gone: the circuit was closed");
        here.leave();
    }

    /// One that asked for a link just before, and would wait for ever for what nobody reads.
    @Test
    void a_link_that_comes_behind_the_end_is_refused() {
        var group = new Group(2);
        var all = circuits(group, "auto");
        var there = group.stations.get(0);
        var request = new CircuitRequest("test", 1, 2, CircuitRequest.sum(group.ids()), "auto");
        var terms = FramesOverStream.terms(new BufferPool(BufferPool.SIZE));
        var answer =
                CircuitProtocol.of(there)
                        .answer(group.ids().get(1), "tcp", terms, request.encode());
        all.get(0).close();
        there.channels().serve("late", (_, _, _, _) -> answer);
        var here = group.stations.get(1);
        var stack = Stack.parse("tcp", here.catalog());
        var out =
                here.channels()
                        .open(there.id(), "late", stack, new byte[0], Duration.ofSeconds(20));
        eventually(
                "it says so",
                () -> String.valueOf(out.closedBecause()).contains("the circuit was closed"));
    }

    /// Who polls without a wait finds what has come over several sockets, too.
    @ParameterizedTest
    @Stacks({"auto", "tcp", "compress > parallel > tcp", "reliable > udp"})
    void polling_alone_makes_progress(String stack) {
        var all = circuits(new Group(3), stack);
        var box = boxes.get(0);
        for (long i = 0; i < 3; i++) {
            for (int from = 1; from < 3; from++) {
                send(all.get(from), 0, i);
            }
            while (box.count() < 2 * (i + 1) && !Thread.currentThread().isInterrupted()) {
                all.get(0).enter();
                all.get(0).poll();
                all.get(0).leave();
            }
        }
        assertThat(box.from.get(1)).isEqualTo(upTo(3)).isEqualTo(box.from.get(2));
    }

    @Test
    void the_death_of_a_member_is_told() {
        var group = new Group(2);
        var all = circuits(group, "auto");
        send(all.get(0), 1, 7);
        group.stations.get(1).gone(group.stations.get(0).id(), "it is dead");
        var box = boxes.get(1);
        all.get(1).await(() -> !box.lost.isEmpty());
        assertThat(box.lost).containsExactly("0: it is dead");
        assertThat(box.from.get(0)).as("what came before").containsExactly(7L);
    }

    /// Nothing but the pool can say so: there is no link that would end.
    @Test
    void so_is_that_of_one_to_whom_there_was_no_link() {
        var group = new Group(2);
        var all = circuits(group, "auto");
        group.stations.get(1).gone(group.stations.get(0).id(), "it is dead");
        var box = boxes.get(1);
        all.get(1).await(() -> !box.lost.isEmpty());
        assertThat(box.closed).containsExactly(0);
        assertThat(box.lost).containsExactly("0: it is dead");
        assertThatThrownBy(() -> send(all.get(1), 0, 1))
                .isInstanceOf(CircuitBroken.class)
                .hasMessage("member 0 is gone: it is dead");
    }

    @Test
    void a_death_wakes_who_sleeps() {
        var group = new Group(2);
        var all = circuits(group, "shm");
        var box = boxes.get(1);
        send(all.get(0), 1, 7);
        all.get(1).await(() -> box.count() == 1);
        var sleeper = new AtomicReference<Thread>();
        var waiting =
                Background.run(() -> {
                    sleeper.set(Thread.currentThread());
                    all.get(1).await(() -> !box.lost.isEmpty());
                });
        eventually("it sleeps", () -> sleeps(sleeper.get()));
        group.stations.get(1).gone(group.stations.get(0).id(), "it is dead");
        waiting.join();
    }

    private static boolean sleeps(Thread thread) {
        return thread != null
                && Stream.of(thread.getStackTrace())
                        .anyMatch(at -> at.getClassName().endsWith("SelectorImpl"));
    }

    @Test
    void what_cannot_be_is_refused_with_the_reason() {
        var group = new Group(2);
        opened.add(group);
        var one = group.stations.get(0);
        var other = group.stations.get(1);
        var box = new Mailbox(2);
        assertThatThrownBy(() -> Circuit.open(one, "a", List.of(other.id()), "auto", box))
                .hasMessageContaining("is no member of circuit 'a'");
        assertThatThrownBy(() -> Circuit.open(one, "a", List.of(one.id(), one.id()), "auto", box))
                .hasMessage("circuit 'a' has a member twice");
        assertThatThrownBy(() -> Circuit.open(one, "a", group.ids(), "udp", box))
                .hasMessageContaining("a circuit loses none");
        opened.add(Circuit.open(one, "a", group.ids(), "auto", box));
        assertThatThrownBy(() -> Circuit.open(one, "a", group.ids(), "auto", box))
                .hasMessage("circuit 'a' is open at this node already");
        var theirs = new Mailbox(2);
        var wrong = Circuit.open(other, "a", group.ids().reversed(), "auto", theirs);
        opened.add(wrong);
        assertThatThrownBy(() -> send(wrong, 1, 1))
                .isInstanceOf(CircuitBroken.class)
                .hasMessageContaining("the members of circuit 'a' are others here");
    }

    /// Each end may be told that the other wants no more while it says so itself: a second end
    /// would be read by the next circuit that gets the link.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void circuits_that_both_ends_close_at_once_leave_nothing_to_the_next(String stack) {
        var group = new Group(2);
        opened.add(group);
        for (int round = 0; round < 20; round++) {
            int now = round;
            var all = new ArrayList<Circuit>();
            boxes.clear();
            for (var station : group.stations) {
                var box = new Mailbox(2);
                boxes.add(box);
                all.add(Circuit.open(station, "test", group.ids(), stack, box));
            }
            all.stream()
                    .map(circuit -> Background.run(() -> meetAndClose(circuit, now)))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
    }

    private void meetAndClose(Circuit circuit, long value) {
        var box = boxes.get(circuit.self());
        send(circuit, 1 - circuit.self(), value);
        circuit.await(() -> box.count() == 1 || !box.lost.isEmpty());
        assertThat(box.from.get(1 - circuit.self())).as(() -> "" + box.lost).contains(value);
        circuit.close();
    }
}
