package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.withinAMinute;

import ibis.satin.SatinObject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Jobs of a pool whose processes are nodes in this JVM.
class SatinTest extends InOneJvm {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void every_process_does_stolen_jobs_and_ends_when_the_root_has() throws Exception {
        var root = part();
        var others = List.of(worker(), worker());
        Callable<Boolean> program =
                () -> {
                    boolean right = true;
                    while (others.stream().anyMatch(one -> one.statistics().stolen() == 0)) {
                        right &= Fib.of(18) == 2584;
                    }
                    return right;
                };
        assertThat(root.run(program)).isTrue();
        nodes.getFirst().terminate();
        for (var one : working) {
            one.get();
        }
        assertThat(root.statistics().given()).isPositive(); // a thief has thieves, too
        assertThat(parts.stream().mapToLong(part -> part.statistics().given()).sum())
                .isGreaterThanOrEqualTo(2);
    }

    @Test
    void the_root_knows_what_each_site_has_done() throws Exception {
        var root = part("one@north");
        var far = part("two@south");
        var gone = part("three@south");
        work(far);
        work(gone);
        Callable<List<Tally>> program =
                () -> {
                    while (far.statistics().stolen() == 0 || gone.statistics().stolen() == 0) {
                        Fib.of(18);
                    }
                    root.tallies(LIMIT);
                    gone.close();
                    nodes.getLast().close();
                    withinAMinute(
                            "one is gone",
                            () ->
                                    tallies(root).getLast().processes() == 1
                                            && tallies(root).getLast().stolen()
                                                    >= far.statistics().stolen() + 1);
                    return tallies(root);
                };
        var sites = root.run(program);
        assertThat(sites).extracting(Tally::site).containsExactly("north", "south");
        assertThat(sites).extracting(Tally::workers).containsExactly(1L, 1L);
        assertThat(sites.getFirst().jobs()).isGreaterThan(1000);
        assertThat(sites.getLast().jobs()).isGreaterThanOrEqualTo(sites.getLast().stolen());
        assertThat(sites.getLast().idle()).isBetween(0.001, 1.0);
    }

    private static List<Tally> tallies(Satin root) {
        try {
            return root.tallies(LIMIT);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void threads_of_one_process_steal_from_each_other() throws Exception {
        var node = Node.join(Join.pool("threads").hub("localhost:" + hub.port()));
        nodes.add(node);
        var satin = Satin.open(node, Satin.Options.USUAL.threads(3));
        parts.add(satin);
        Callable<Boolean> program =
                () -> {
                    boolean right = true;
                    while (satin.statistics().stolen() < 10) {
                        right &= Fib.of(18) == 2584;
                    }
                    return right;
                };
        assertThat(satin.run(program)).isTrue();
    }

    @Test
    @Tag("slow")
    void what_the_dead_had_is_done_again() throws Exception {
        var root = part();
        var victim = worker();
        Callable<Long> program =
                () -> {
                    while (victim.statistics().stolen() == 0) {
                        Fib.of(15);
                    }
                    // It keeps what it steals from now on for ever.
                    var stuck = new Stuck();
                    var last = Job.spawn(stuck, null);
                    while (stuck.isHere()) {
                        Thread.onSpinWait();
                    }
                    nodes.getFirst().assumeDead(nodes.getLast().id(), "as a test has it");
                    Job.sync(last);
                    return stuck.value;
                };
        assertThat(root.run(program)).isEqualTo(7);
        assertThat(root.statistics().redone()).isEqualTo(1);
    }

    /// One that never ends where it was stolen to.
    private static final class Stuck extends Job {
        private static final long serialVersionUID = 1;
        private static volatile boolean begun;
        private transient long value;

        private boolean isHere() {
            return !begun;
        }

        @Override
        protected void run() throws InterruptedException {
            if (!SatinObject.localJob()) {
                begun = true;
                Thread.currentThread().join();
            }
            value = 7;
        }
    }

    @Test
    @Tag("slow")
    void workers_come_while_it_runs_and_leave() throws Exception {
        var root = part();
        Callable<Boolean> program =
                () -> {
                    boolean right = true;
                    for (int i = 0; i < 3; i++) {
                        var one = worker();
                        while (one.statistics().stolen() == 0) {
                            right &= Fib.of(18) == 2584;
                        }
                        one.close();
                        nodes.getLast().close();
                        right &= Fib.of(20) == 6765;
                    }
                    return right;
                };
        assertThat(root.run(program)).isTrue();
    }

    /// What cannot travel.
    private static final class Rooted extends Job {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // on purpose
        private final Object argument = new Object();

        private transient @Nullable Object value;

        @Override
        protected void run() {
            value = argument;
        }
    }

    @Test
    void a_job_that_cannot_be_copied_is_done_where_it_was_spawned() throws Exception {
        var root = part();
        var thief = worker();
        Callable<Boolean> program =
                () -> {
                    while (thief.statistics().stolen() == 0) {
                        Fib.of(15);
                    }
                    var job = new Rooted();
                    var last = Job.spawn(job, null);
                    while (!job.kept) {
                        Thread.onSpinWait();
                    }
                    Job.sync(last);
                    assertThat(job.value).isSameAs(job.argument);
                    return true;
                };
        assertThat(root.run(program)).isTrue();
    }

    /// What throws, wherever it is.
    private static final class Throwing extends Job {
        private static final long serialVersionUID = 1;
        private static volatile boolean here = true;
        private final int number;

        private Throwing(int number) {
            this.number = number;
        }

        @Override
        protected void run() throws Exception {
            here = SatinObject.localJob();
            throw new java.io.IOException("number " + number);
        }
    }

    @Test
    void sync_throws_what_the_oldest_has_thrown_that_failed() throws Exception {
        var root = part();
        worker();
        Callable<Void> program =
                () -> {
                    var last = Job.spawn(new Throwing(2), Job.spawn(new Throwing(1), null));
                    while (Throwing.here) {
                        Thread.onSpinWait();
                    }
                    Job.sync(last);
                    return null;
                };
        assertThatThrownBy(() -> root.run(program))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(java.io.IOException.class)
                .hasRootCauseMessage("number 1");
    }

    /// One that relies on what is shared.
    private static final class Sharing extends Job {
        private static final long serialVersionUID = 1;
        private final int[] shared;
        private transient int value;

        private Sharing(int[] shared) {
            this.shared = shared;
        }

        @Override
        protected void run() {
            value = ++shared[0];
        }

        @Override
        protected Object result() {
            return value;
        }

        @Override
        protected void result(@Nullable Object came) {
            value = came instanceof Integer number ? number : 0;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void copied_always_it_is_seen_who_relies_on_what_is_shared(boolean copying) throws Exception {
        var node = Node.join(Join.pool("copying").hub("localhost:" + hub.port()));
        nodes.add(node);
        var options = Satin.Options.USUAL.loader(SatinTest.class.getClassLoader());
        parts.add(Satin.open(node, options.copying(copying)));
        Callable<List<Integer>> program =
                () -> {
                    var shared = new int[1];
                    var one = new Sharing(shared);
                    var other = new Sharing(shared);
                    Job.sync(Job.spawn(other, Job.spawn(one, null)));
                    return List.of(one.value + other.value, shared[0]);
                };
        assertThat(parts.getLast().run(program)).isEqualTo(copying ? List.of(2, 0) : List.of(3, 2));
    }

    /// One that spawns for ever, until it is given up.
    private static final class Endless extends Job {
        private static final long serialVersionUID = 1;
        private static final Set<Object> running = ConcurrentHashMap.newKeySet();
        private final int depth;

        private Endless(int depth) {
            this.depth = depth;
        }

        @Override
        protected void run() {
            var me = new Object();
            running.add(me);
            try {
                while (depth > 0) {
                    Job.sync(Job.spawn(new Endless(depth - 1), null));
                }
                while (true) {
                    Fib.of(5);
                }
            } finally {
                running.remove(me);
            }
        }
    }

    @Test
    void abort_reaches_what_was_stolen_and_what_that_has_spawned() throws Exception {
        var root = part();
        var others = List.of(worker(), worker());
        Callable<Boolean> program =
                () -> {
                    Job last = null;
                    for (int i = 0; i < 100; i++) {
                        last = Job.spawn(new Endless(i % 3), last);
                    }
                    while (root.statistics().given() < 2 || Endless.running.isEmpty()) {
                        Fib.of(2); // Who asks gets what is opened by that.
                    }
                    Job.abort(last);
                    Job.sync(last);
                    while (!Endless.running.isEmpty()) {
                        Thread.onSpinWait();
                    }
                    boolean right = true;
                    long before = others.stream().mapToLong(o -> o.statistics().stolen()).sum();
                    while (others.stream().mapToLong(o -> o.statistics().stolen()).sum()
                            == before) {
                        right &= Fib.of(18) == 2584;
                    }
                    return right;
                };
        assertThat(root.run(program)).isTrue();
        long abandoned = others.stream().mapToLong(o -> o.statistics().abandoned()).sum();
        assertThat(abandoned).isPositive();
    }

    /// One that throws, which its spawner looks at while another is still away.
    private static final class Searching extends Job {
        private static final long serialVersionUID = 1;
        private final boolean finds;

        private Searching(boolean finds) {
            this.finds = finds;
        }

        @Override
        protected boolean hasInlet() {
            return true;
        }

        @Override
        protected void run() {
            if (finds) {
                throw new IllegalStateException("found");
            }
            while (true) {
                Fib.of(5);
            }
        }
    }

    @Test
    void what_has_failed_is_there_before_the_others_have_ended() throws Exception {
        var root = part();
        worker();
        Callable<String> program =
                () -> {
                    var last = Job.spawn(new Searching(false), null);
                    while (root.statistics().given() == 0) {
                        Fib.of(2); // One that never ends is away then.
                    }
                    last = Job.spawn(new Searching(true), last);
                    var failed = Job.failed(last);
                    var said = failed == null ? "" : failed.taken().getMessage();
                    Job.abort(last);
                    assertThat(Job.failed(last)).isNull();
                    Job.sync(last);
                    return said;
                };
        assertThat(root.run(program)).isEqualTo("found");
    }

    @Test
    @Tag("slow")
    void workers_are_told_when_the_root_dies() throws Exception {
        var root = part();
        worker();
        assertThat(root.run(() -> Fib.of(10))).isEqualTo(55);
        nodes.getLast().assumeDead(nodes.getFirst().id(), "as a test has it");
        assertThatThrownBy(() -> working.getFirst().get()).hasCauseInstanceOf(Satin.RootLost.class);
    }

    /// As a pool without members is forgotten, so is that its program has ended.
    @Test
    void a_worker_that_comes_after_the_end_ends_and_says_why() throws Exception {
        var root = part();
        assertThat(root.run(() -> Fib.of(10))).isEqualTo(55);
        nodes.getFirst().terminate();
        root.close();
        nodes.getFirst().close();
        var late = part();
        assertThatThrownBy(() -> late.work(Duration.ofMillis(10)))
                .isInstanceOf(Satin.RootLost.class)
                .hasMessageContaining("no process of pool 'satin' has begun the program within 0 s")
                .hasMessageContaining("ibidem.satin.patience");
    }

    @Test
    void a_worker_waits_for_a_root_that_has_said_it_will_begin() throws Exception {
        var root = part();
        root.lead();
        var worker = part();
        withinAMinute("it is heard", () -> nodes.getLast().elections().result("satin").isPresent());
        var work =
                new FutureTask<>(() -> {
                    worker.work(Duration.ZERO);
                    return "told to end";
                });
        Thread.ofPlatform().daemon().start(work);
        Callable<Integer> program =
                () -> {
                    withinAMinute(
                            "it works", () -> worker.statistics().stolen() > 0 || Fib.of(15) < 0);
                    return 0;
                };
        assertThat(root.run(program)).isZero();
        nodes.getFirst().terminate();
        assertThat(work.get(40, TimeUnit.SECONDS)).isEqualTo("told to end");
    }

    @Test
    void outside_of_a_job_everything_is_done_at_once() {
        assertThat(Fib.of(12)).isEqualTo(144);
        assertThat(SatinObject.localJob()).isTrue();
        assertThat(SatinObject.needMoreJobs()).isFalse();
        assertThat(SatinObject.deepCopy("text")).isEqualTo("text");
    }
}
