package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// The worker takes its youngest job, thieves get the oldest, and each job goes to one of them.
@Isolated("its threads play by looking again and again")
class DequeTest {
    private final Deque deque = new Deque();

    /// One that counts how often it was taken.
    private static final class Counted extends Job {
        private static final long serialVersionUID = 1;
        private final transient AtomicInteger taken = new AtomicInteger();

        @Override
        protected void run() {
            taken.incrementAndGet();
        }
    }

    private List<Counted> put(int count) {
        var jobs = new ArrayList<Counted>();
        for (int i = 0; i < count; i++) {
            jobs.add(new Counted());
            assertThat(deque.put(jobs.getLast())).isTrue();
        }
        return jobs;
    }

    @Test
    void a_thief_gets_the_oldest_and_then_half_of_the_others_is_open() {
        var jobs = put(9);
        assertThat(deque.steal()).isSameAs(jobs.get(0));
        assertThat(deque.isHungry()).isTrue();
        assertThat(deque.steal()).isNull();
        jobs.addAll(put(1));
        for (int i = 1; i <= 5; i++) {
            assertThat(deque.steal()).isSameAs(jobs.get(i));
        }
        assertThat(deque.steal()).isNull();
        for (int i = 0; i < 4; i++) {
            assertThat(deque.take()).isTrue();
        }
        assertThat(deque.take()).isFalse();
    }

    @Test
    void a_closed_one_takes_no_job_and_gives_those_that_it_has() {
        var jobs = put(64); // As many as it has room for before it grows.
        deque.close();
        deque.close();
        assertThat(deque.put(new Counted())).isFalse();
        deque.reopen();
        assertThat(deque.put(new Counted())).isFalse();
        assertThat(deque.steal()).isSameAs(jobs.get(0));
        deque.reopen();
        jobs.addAll(put(5));
        for (int i = 1; i <= 32; i++) {
            assertThat(deque.steal()).isSameAs(jobs.get(i));
        }
        int taken = 0;
        while (deque.take()) {
            taken++;
        }
        assertThat(taken).isEqualTo(64 + 5 - 33);
    }

    @Test
    void what_is_open_is_the_workers_again_when_it_has_nothing_else() {
        put(3);
        for (int i = 0; i < 3; i++) {
            assertThat(deque.take()).isTrue();
        }
        assertThat(deque.take()).isFalse();
        assertThat(deque.steal()).isNull();
    }

    @Test
    void a_worker_that_only_takes_opens_more_when_a_thief_found_nothing() {
        var jobs = put(8);
        assertThat(deque.steal()).isSameAs(jobs.get(0));
        assertThat(deque.take()).isTrue();
        assertThat(deque.steal()).isSameAs(jobs.get(1));
    }

    @Test
    void it_takes_so_many_and_no_more() {
        put(Deque.MOST);
        assertThat(deque.put(new Counted())).isFalse();
        assertThat(deque.steal()).isNotNull();
        assertThat(deque.put(new Counted())).isTrue();
    }

    @Test
    void what_came_back_goes_to_the_next_thief_or_to_who_waits_for_it() {
        var jobs = put(2);
        assertThat(deque.steal()).isSameAs(jobs.get(0));
        deque.giveBack(jobs.get(0));
        assertThat(deque.steal()).isSameAs(jobs.get(0));
        jobs.get(0).kept = true;
        deque.giveBack(jobs.get(0));
        assertThat(deque.steal()).isNull();
        assertThat(deque.takeUndone(jobs.get(0))).isTrue();
        assertThat(deque.takeUndone(jobs.get(0))).isFalse();
    }

    @Test
    void each_job_goes_to_one_of_a_worker_and_two_thieves() throws Exception {
        var done = new AtomicBoolean();
        var thieves = new ArrayList<Thread>();
        for (int i = 0; i < 2; i++) {
            thieves.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!done.get()) {
                                    var job = deque.steal();
                                    if (job != null) {
                                        job.perform();
                                    }
                                }
                            }));
        }
        var random = new Random(1);
        var all = new ArrayList<Counted>();
        for (int round = 0; round < 20_000; round++) {
            var mine = put(1 + random.nextInt(5));
            all.addAll(mine);
            int youngest = mine.size() - 1;
            for (int takes = random.nextInt(mine.size() + 1); takes > 0 && deque.take(); takes--) {
                mine.get(youngest--).perform();
            }
            // As a sync does, before what was there earlier is touched.
            while (youngest >= 0 && deque.take()) {
                mine.get(youngest--).perform();
            }
        }
        assertThat(deque.take()).isFalse();
        done.set(true);
        for (var thief : thieves) {
            thief.join();
        }
        assertThat(all).allMatch(job -> job.taken.get() == 1);
    }
}
