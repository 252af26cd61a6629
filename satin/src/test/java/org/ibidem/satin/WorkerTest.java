package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;

import ibis.satin.SatinObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One worker, to which happens elsewhere what a test says. Most of it is about jobs and results
/// for which nobody waits any more. A worker that waits takes jobs of others on top, and one of
/// those may be abandoned half done: what it has spawned is nobody's then, and must not be taken
/// for what the worker waits for. A result may come when its job was done again, or given up.
class WorkerTest {
    private static final NodeId THIEF =
            NodeId.of(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    private static final NodeId OTHER =
            NodeId.of(new byte[] {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    private static final AtomicInteger DONE_HERE = new AtomicInteger();
    private static final Deque<Runnable> EVENTS = new ArrayDeque<>();
    private static final List<Parcel> GIVEN = new ArrayList<>();

    private final Far far = new Far();
    private final Crew crew =
            new Crew(
                    Copies.policy(false, WorkerTest.class.getClassLoader()),
                    false,
                    NodeId.of(new byte[16]));

    @BeforeEach
    void begin() {
        DONE_HERE.set(0);
        EVENTS.clear();
        GIVEN.clear();
        crew.others(far);
    }

    /// Other processes, to which happens what the test says whenever they are asked for a job.
    private static final class Far implements Others {
        private final List<Long> abandoned = new ArrayList<>();
        private @Nullable Parcel next;
        private int asked;

        @Override
        public @Nullable Parcel steal() {
            asked++;
            var event = EVENTS.poll();
            if (event != null) {
                event.run();
            }
            var parcel = next;
            next = null;
            return parcel;
        }

        @Override
        public void abandon(NodeId thief, long stamp) {
            abandoned.add(stamp);
        }

        @Override
        public void pause(boolean whether) {}

        @Override
        public void claim(NodeId holder, long place, long stamp) {}

        @Override
        public void answer(Orphans.Claim claim, Orphans.@Nullable Result result) {}

        @Override
        public void toAll(Letter letter) {}

        @Override
        public boolean areFull() {
            return false;
        }

        @Override
        public void count(Duration within) {}

        @Override
        public List<Tally> tallies() {
            return List.of();
        }

        @Override
        public long askedFar() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static Worker worker() {
        return Objects.requireNonNull(Worker.current());
    }

    /// The oldest job here is stolen.
    private static void give() {
        give(THIEF);
    }

    private static void give(NodeId thief) {
        GIVEN.add(Objects.requireNonNull(worker().crew().give(thief)));
    }

    /// A job that was stolen is done there.
    private void answer(int which) {
        answer(which, null);
    }

    private void answer(int which, @Nullable Object result) {
        crew.done(GIVEN.get(which).stamp(), crew.copies().write(new Outcome(result, null)), false);
    }

    /// Done elsewhere, if it is done.
    private static final class Leaf extends Job {
        private static final long serialVersionUID = 1;

        @Override
        protected void run() {
            DONE_HERE.incrementAndGet();
        }
    }

    /// Waits for one that is away, while the one that was spawned before this one is, too.
    private static final class Waits extends Job {
        private static final long serialVersionUID = 1;

        @Override
        protected void run() {
            give();
            var last = Job.spawn(new Leaf(), null);
            give();
            Job.sync(last);
        }
    }

    /// Nobody waits for it any more after it has spawned two, of which one is away.
    private static final class Abandoned extends Job {
        private static final long serialVersionUID = 1;
        private static @Nullable Parcel parcel;

        @Override
        protected void run() {
            var last = Job.spawn(new Leaf(), Job.spawn(new Leaf(), null));
            give();
            Objects.requireNonNull(parcel).abandon();
            Job.sync(last);
        }
    }

    /// Ends without waiting for what it has spawned.
    private static final class Leaves extends Job {
        private static final long serialVersionUID = 1;

        @Override
        protected void run() {
            Job.spawn(new Leaf(), Job.spawn(new Leaf(), null));
        }
    }

    private void run(Job stolen) throws IOException, InterruptedException {
        var from = new Crew(Copies.policy(false, WorkerTest.class.getClassLoader()), false, THIEF);
        var parcel = new Parcel(from, 1, 7, from.copies().write(stolen));
        Abandoned.parcel = parcel;
        EVENTS.add(() -> far.next = parcel);
        EVENTS.add(() -> answer(1));
        EVENTS.add(() -> answer(0));
        var ended = new AtomicInteger();
        var worker =
                new Worker(
                        crew,
                        "main",
                        1,
                        () -> {
                            Job.sync(Job.spawn(new Waits(), Job.spawn(new Leaf(), null)));
                            ended.incrementAndGet();
                        });
        crew.workers(List.of(worker));
        worker.start();
        worker.join();
        assertThat(ended).as("it ended").hasValue(1);
        assertThat(DONE_HERE).as("what was away was not done here, too").hasValue(0);
        assertThat(EVENTS).as("it waited for what was away").isEmpty();
        assertThat(worker.deque().take()).as("something is left").isFalse();
    }

    @Test
    void what_an_abandoned_job_has_spawned_is_given_up_with_it() throws Exception {
        run(new Abandoned());
        assertThat(far.abandoned).containsExactly(GIVEN.get(2).stamp());
    }

    @Test
    void what_a_job_has_not_waited_for_is_given_up() throws Exception {
        run(new Leaves());
    }

    /// Says where it was done.
    private static final class Says extends Job {
        private static final long serialVersionUID = 1;
        private @Nullable String where;

        @Override
        protected void run() {
            DONE_HERE.incrementAndGet();
            where = "here";
        }

        @Override
        protected @Nullable Object result() {
            return where;
        }

        @Override
        protected void result(@Nullable Object came) {
            where = (String) came;
        }
    }

    private void work(Runnable main) throws InterruptedException {
        var thrown = new AtomicReference<@Nullable Throwable>();
        var worker = new Worker(crew, "main", 1, main);
        worker.setUncaughtExceptionHandler((_, e) -> thrown.set(e));
        crew.workers(List.of(worker));
        worker.start();
        worker.join();
        assertThat(thrown).hasNullValue();
    }

    /// Takes what came in the meantime, as whoever waits does.
    private void waitForAnother(int number) {
        var other = new Says();
        var last = Job.spawn(other, null);
        give(OTHER);
        EVENTS.add(() -> answer(number, "there"));
        Job.sync(last);
        assertThat(other.where).isEqualTo("there");
    }

    @Test
    void a_late_result_of_a_job_that_was_done_again_is_dropped() throws Exception {
        work(() -> {
            var job = new Says();
            var last = Job.spawn(job, null);
            give();
            crew.died(THIEF);
            Job.sync(last);
            assertThat(job.where).isEqualTo("here");
            answer(0, "there, late");
            waitForAnother(1);
            assertThat(job.where).isEqualTo("here");
        });
        assertThat(DONE_HERE).hasValue(1);
    }

    @Test
    void a_late_result_of_an_aborted_job_is_dropped_and_it_does_not_come_back() throws Exception {
        work(() -> {
            var job = new Says();
            var last = Job.spawn(job, null);
            give();
            Job.abort(last);
            assertThat(far.abandoned).containsExactly(GIVEN.get(0).stamp());
            answer(0, "there, late");
            crew.back(GIVEN.get(0).stamp(), "");
            waitForAnother(1);
            assertThat(job.where).isNull();
        });
        assertThat(DONE_HERE).hasValue(0);
    }

    @Test
    void who_pauses_asks_nobody_until_it_resumes() throws Exception {
        work(() -> {
            SatinObject.pause();
            assertThat(worker().doForOthers()).isFalse();
            assertThat(far.asked).isZero();
            SatinObject.resume();
            assertThat(worker().doForOthers()).isFalse();
            assertThat(far.asked).isOne();
        });
    }

    @Test
    void more_jobs_are_needed_where_a_thief_would_find_none() throws Exception {
        work(() -> {
            assertThat(SatinObject.needMoreJobs()).isTrue();
            var last = Job.spawn(new Says(), null);
            assertThat(SatinObject.needMoreJobs()).isFalse();
            give();
            assertThat(SatinObject.needMoreJobs()).isTrue();
            Job.abort(last);
        });
    }
}
