package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.ibidem.buffer.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One thread at a time polls for all that wait in a circuit, and is handed what is its own without
/// another thread.
@Timeout(60)
class CircuitPollerTest {
    private static final int THREADS = 5;

    /// What has come for each of the threads, and who was given it.
    private static final class Watched implements CircuitReceiver {
        private final AtomicInteger within = new AtomicInteger();
        private final List<AtomicInteger> taken = new ArrayList<>();
        private final ConcurrentHashMap<Thread, Integer> by = new ConcurrentHashMap<>();
        private volatile boolean atOnce;

        Watched() {
            for (int i = 0; i < THREADS; i++) {
                taken.add(new AtomicInteger());
            }
        }

        @Override
        public boolean frame(int from, Frame frame) {
            atOnce |= within.incrementAndGet() > 1;
            by.merge(Thread.currentThread(), 1, Integer::sum);
            taken.get((int) frame.memory.get(Mailbox.LONG, frame.position)).incrementAndGet();
            within.decrementAndGet();
            return true;
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {
            // the other end closes first
        }
    }

    private final Group group = new Group(2);
    private final Watched watched = new Watched();
    private final Circuit here;
    private final Circuit there;

    CircuitPollerTest() {
        here = Circuit.open(group.stations.get(0), "polled", group.ids(), "shm", watched);
        there = Circuit.open(group.stations.get(1), "polled", group.ids(), "shm", new Mailbox(2));
    }

    @AfterEach
    void close() {
        there.close();
        here.close();
        group.close();
    }

    /// Whether it is below this method of the circuit.
    private static boolean isIn(Thread thread, String method) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(at ->
                        at.getClassName().equals(Circuit.class.getName())
                                && at.getMethodName().equals(method));
    }

    private static boolean onePolls(List<Thread> threads) {
        return threads.stream().filter(one -> isIn(one, "pollUntil")).count() == 1
                && threads.stream()
                        .filter(one -> !isIn(one, "pollUntil"))
                        .allMatch(one -> one.getState() == Thread.State.WAITING);
    }

    /// Each is sent what another waits for, in an order in which the one that polls is the first to
    /// have its own.
    @Test
    void of_several_that_wait_one_polls_and_when_it_goes_another_does() throws Exception {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < THREADS; i++) {
            int mine = i;
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> here.await(() -> watched.taken.get(mine).get() > 0)));
        }
        var left = new ArrayList<>(threads);
        while (!left.isEmpty()) {
            eventually("one polls, and the others sleep", () -> onePolls(left));
            var polls = left.stream().filter(one -> isIn(one, "pollUntil")).findAny().orElseThrow();
            CircuitTest.send(there, 0, threads.indexOf(polls));
            polls.join();
            assertThat(watched.by).as("who was given it").containsKey(polls);
            left.remove(polls);
            assertThat(left).as("the others wait on").allMatch(Thread::isAlive);
        }
        assertThat(watched.atOnce).as("two polled at once").isFalse();
        assertThat(watched.by.values()).allMatch(count -> count == 1);
    }

    /// What comes for one that sleeps is given to it by who polls.
    @Test
    void what_is_for_one_that_sleeps_is_taken_by_who_polls() throws Exception {
        var polls =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> here.await(() -> watched.taken.get(0).get() > 0));
        eventually("it polls", () -> isIn(polls, "pollUntil"));
        var sleeps =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> here.await(() -> watched.taken.get(1).get() > 0));
        eventually("it sleeps", () -> onePolls(List.of(polls, sleeps)));
        CircuitTest.send(there, 0, 1);
        sleeps.join();
        assertThat(watched.by).containsOnlyKeys(polls);
        CircuitTest.send(there, 0, 0);
        polls.join();
        assertThat(watched.by).containsOnlyKeys(polls).containsEntry(polls, 2);
    }

    /// It is never put to sleep to be woken by another thread: the JVM counts that.
    @Test
    void who_waits_alone_is_handed_all_on_its_own_thread() throws Exception {
        int rounds = 200;
        var told = new AtomicInteger();
        var waits = new AtomicReference<Long>();
        var ready = new AtomicBoolean();
        var alone =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            long before = waited();
                            ready.set(true);
                            for (int i = 1; i <= rounds; i++) {
                                int count = i;
                                here.await(() -> watched.taken.get(0).get() >= count);
                                told.set(i);
                            }
                            waits.set(waited() - before);
                        });
        eventually("it has begun", ready::get);
        for (int i = 1; i <= rounds; i++) {
            CircuitTest.send(there, 0, 0);
            if (i % 10 == 0) {
                int count = i;
                eventually("it has taken them", () -> told.get() == count);
            }
        }
        alone.join();
        assertThat(watched.by).containsOnlyKeys(alone).containsEntry(alone, rounds);
        assertThat(waits).as("how often it waited for another thread").hasValue(0L);
    }

    private static long waited() {
        return ManagementFactory.getThreadMXBean()
                .getThreadInfo(Thread.currentThread().threadId())
                .getWaitedCount();
    }
}
