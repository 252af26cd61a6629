package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every process has its copy, and what one writes is done to all.
@Tag("slow")
@Timeout(60)
class SharedObjectsTest extends InOneJvm {
    private static final Set<Integer> COPIES = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger WAITED = new AtomicInteger();

    @BeforeEach
    void forget() {
        COPIES.clear();
        WAITED.set(0);
    }

    /// What was added to it, by a method that calls another one.
    private static final class Sum extends SharedObject {
        private static final long serialVersionUID = 1;
        private final TreeSet<Integer> all = new TreeSet<>();
        private int calls;

        private void add(int number) {
            Write.perform(this, new Add(number));
        }

        private void call() {
            Write.perform(this, new Call());
        }

        private static final class Add extends Write {
            private static final long serialVersionUID = 1;
            private final int number;

            private Add(int number) {
                this.number = number;
            }

            @Override
            protected void apply(SharedObject on) {
                var sum = (Sum) on;
                assertThat(sum.all.add(number)).as("once").isTrue();
                sum.call();
            }
        }

        private static final class Call extends Write {
            private static final long serialVersionUID = 1;

            @Override
            protected void apply(SharedObject on) {
                ((Sum) on).calls++;
            }
        }
    }

    /// Adds a number, or with a negative one waits until so many are there and says so.
    private static final class Part extends Job {
        private static final long serialVersionUID = 1;
        private final Sum sum;
        private final int number;
        private boolean stolen;
        private int seen;

        private Part(Sum sum, int number) {
            this.sum = sum;
            this.number = number;
        }

        @Override
        protected boolean guard() {
            return sum.all.size() >= -number;
        }

        @Override
        protected void run() {
            if (number >= 0) {
                sum.add(number);
            }
            plain(12); // spawns nothing: what is stolen is a part
            COPIES.add(System.identityHashCode(sum));
            stolen = !SatinObject.localJob();
            seen = sum.all.size() == sum.calls ? sum.calls : -1;
        }

        @Override
        protected Object result() {
            return new int[] {stolen ? 1 : 0, seen};
        }

        @Override
        protected void result(@Nullable Object came) {
            var both = (int[]) Objects.requireNonNull(came);
            stolen = both[0] == 1;
            seen = both[1];
        }
    }

    private static int plain(int n) {
        return n < 2 ? n : plain(n - 1) + plain(n - 2);
    }

    /// Spawns parts until so many others have done one, and waits for all.
    private static int parts(Sum sum, int first, Satin... thieves) {
        long[] before =
                Arrays.stream(thieves).mapToLong(one -> one.statistics().stolen()).toArray();
        int number = first;
        COPIES.add(System.identityHashCode(sum)); // the spawner's, who may have none to do itself
        while (true) {
            Job last = null;
            for (int i = 0; i < 10; i++) {
                last = Job.spawn(new Part(sum, number), last);
                number++;
            }
            Job.sync(last);
            boolean all = true;
            for (int i = 0; i < thieves.length; i++) {
                all &= thieves[i].statistics().stolen() > before[i];
            }
            if (all) {
                return number;
            }
        }
    }

    /// What so many jobs that others do find, when all have been there.
    private static void requireAll(Sum sum, int count) {
        int seen = 0;
        while (seen < 5) {
            var part = new Part(sum, -count);
            var last = Job.spawn(part, null);
            for (int i = 0; i < 100 && !part.ended; i++) {
                Fib.of(8); // Time in which somebody steals it.
            }
            Job.sync(last);
            if (part.stolen) {
                assertThat(part.seen).isEqualTo(count);
                seen++;
            }
        }
    }

    private static void awaitAll(Sum sum, int count) {
        while (sum.all.size() < count) {
            Fib.of(3);
        }
    }

    @Test
    void what_each_writes_comes_to_all_once_and_in_order() throws Exception {
        var root = part();
        var one = worker();
        var other = worker();
        Callable<Integer> program =
                () -> {
                    var sum = new Sum();
                    sum.add(-1); // before anybody else has it
                    int count = parts(sum, 0, one, other) + 1;
                    awaitAll(sum, count);
                    requireAll(sum, count);
                    return sum.all.size() == count ? sum.calls - count : -1;
                };
        assertThat(root.run(program)).isZero();
        assertThat(COPIES).as("copies").hasSize(3);
    }

    @Test
    void who_comes_late_gets_what_was_written_before() throws Exception {
        var root = part();
        var one = worker();
        Callable<Boolean> program =
                () -> {
                    var sum = new Sum();
                    int count = parts(sum, 0, one);
                    var late = worker();
                    count = parts(sum, count, late, one);
                    awaitAll(sum, count);
                    requireAll(sum, count);
                    return sum.calls == count;
                };
        assertThat(root.run(program)).isTrue();
        assertThat(COPIES).hasSize(3);
    }

    @Test
    void an_exported_object_is_there_before_its_first_job() throws Exception {
        var root = part();
        var one = worker();
        Callable<Boolean> program =
                () -> {
                    var sum = new Sum();
                    sum.add(7);
                    sum.exportObject();
                    sum.add(8);
                    assertThat(sum.isUnshared()).isFalse();
                    assertThatThrownBy(sum::exportObject)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("is shared already");
                    parts(sum, 9, one);
                    return true;
                };
        assertThat(root.run(program)).isTrue();
        assertThat(COPIES).hasSize(2);
    }

    /// Adds a number, or none, and has another object with it.
    private static final class Bring extends Write {
        private static final long serialVersionUID = 1;
        private final int number;
        private final @Nullable Sum other;

        private Bring(int number, @Nullable Sum other) {
            this.number = number;
            this.other = other;
        }

        @Override
        protected void apply(SharedObject on) {
            if (other == null) {
                ((Sum) on).all.add(number);
            }
        }
    }

    private static NodeId id() {
        return Identity.create().id();
    }

    @Test
    void a_write_that_came_before_the_copy_is_done_before_those_that_came_after() throws Exception {
        var owner =
                new Crew(
                        Copies.policy(false, SharedObjectsTest.class.getClassLoader()),
                        false,
                        id());
        var other =
                new Crew(
                        Copies.policy(false, SharedObjectsTest.class.getClassLoader()),
                        false,
                        id());
        var sum = new Sum();
        var known = new Sum();
        var writer = id();
        var to = other.sharing();
        to.shared(owner.self(), owner.copies().write(known));
        var bringing = owner.copies().write(new Bring(0, sum));
        to.written(writer, sum.getObjectId(), 1, owner.copies().write(new Bring(1, null)));
        to.look();
        // The copy comes while what follows it waits already.
        to.written(id(), known.getObjectId(), 1, bringing);
        to.written(writer, sum.getObjectId(), 2, owner.copies().write(new Bring(2, null)));
        to.look();
        var stands = new StandIn(sum.getObjectId(), null, List.of(), new long[0]);
        assertThat(((Sum) to.copy(stands)).all).containsExactly(1, 2);
        assertThat(sum.all).as("the owner's own").isEmpty();
    }

    /// Its guard is never content at a thief.
    private static final class AtHome extends Job {
        private static final long serialVersionUID = 1;
        private transient boolean local;

        @Override
        protected boolean guard() {
            WAITED.incrementAndGet();
            return false;
        }

        @Override
        protected void run() {
            local = SatinObject.localJob();
        }
    }

    @Test
    void a_job_whose_guard_says_no_is_done_where_it_was_spawned() throws Exception {
        var root = part();
        worker();
        Callable<Boolean> program =
                () -> {
                    var job = new AtHome();
                    var last = Job.spawn(job, null);
                    while (root.statistics().given() == 0) {
                        Fib.of(2);
                    }
                    Job.sync(last);
                    return job.local;
                };
        assertThat(root.run(program)).isTrue();
        assertThat(WAITED.get()).isGreaterThan(1);
    }

    @Test
    void a_copy_for_a_second_worker_of_a_process_is_refused() throws Exception {
        var node = Node.join(Join.pool("two").hub("localhost:" + hub.port()));
        nodes.add(node);
        var satin = Satin.open(node, Satin.Options.USUAL.threads(2));
        parts.add(satin);
        var said = new ArrayList<String>();
        Callable<Integer> program =
                () -> {
                    var sum = new Sum();
                    try {
                        SatinObject.deepCopy(sum);
                    } catch (IllegalStateException e) {
                        said.add(e.getMessage());
                    }
                    Job last = null;
                    for (int i = 0; i < 100; i++) {
                        last = Job.spawn(new Part(sum, i), last);
                    }
                    Job.sync(last);
                    return sum.calls;
                };
        assertThat(satin.run(program)).isEqualTo(100);
        assertThat(said).singleElement().asString().contains("set ibidem.satin.threads to 1");
    }

    @Test
    void only_the_program_writes_to_a_shared_object() throws Exception {
        var root = part();
        Callable<Sum> program =
                () -> {
                    var sum = new Sum();
                    sum.exportObject();
                    return sum;
                };
        var sum = root.run(program);
        assertThatThrownBy(() -> sum.add(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "is shared: it is written to by main and by what that spawns");
        var alone = new Sum();
        alone.add(1);
        assertThat(alone.calls).isEqualTo(1);
    }
}
