package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.Logged;
import org.ibidem.link.Tasks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a port has to tell a program that is slow, or throws.
class ErrandsTest {
    private final Waiting tasks = new Waiting();
    private final Errands errands = new Errands(tasks, "a port tells");
    private final List<Integer> told = new ArrayList<>();
    private final Logged log = new Logged(Errands.class);

    /// Tasks that run when the test says so, in its thread.
    private static final class Waiting implements Tasks {
        private final ArrayDeque<Runnable> started = new ArrayDeque<>();

        @Override
        public Task start(String name, Runnable body) {
            started.add(body);
            return () -> started.remove(body);
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            throw new AssertionError("an errand does not wait");
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        void runOne() {
            started.remove().run();
        }
    }

    @AfterEach
    void stop_listening() {
        log.close();
    }

    @Test
    void they_run_in_their_order_in_one_task_that_lives_while_there_is_one() {
        errands.add(() -> {
            told.add(1);
            errands.add(() -> told.add(3));
        });
        errands.add(() -> told.add(2));
        assertThat(told).as("not by whoever has something to tell").isEmpty();
        assertThat(tasks.started).hasSize(1);
        tasks.runOne();
        assertThat(told).containsExactly(1, 2, 3);
        assertThat(tasks.started).isEmpty();
        errands.add(() -> told.add(4));
        assertThat(tasks.started).as("another one").hasSize(1);
        tasks.runOne();
        assertThat(told).containsExactly(1, 2, 3, 4);
    }

    @Test
    void behind_one_that_does_not_end_4096_wait_and_the_newest_are_forgotten_with_a_warning() {
        int more = 904;
        int all = Errands.MOST + more;
        // While it runs the others come, as they would while an upcall blocks.
        errands.add(() -> IntStream.range(0, all).forEach(i -> errands.add(() -> told.add(i))));
        tasks.runOne();
        assertThat(told)
                .containsExactlyElementsOf(IntStream.range(0, Errands.MOST).boxed().toList());
        assertThat(log.lines()).hasSize(2).allMatch(line -> line.startsWith("WARNING"));
        assertThat(log.lines().getFirst()).contains("4096 wait, more are forgotten");
        assertThat(log.lines().getLast()).contains(more + " were forgotten");
        errands.add(() -> told.add(all));
        tasks.runOne();
        assertThat(told).as("there is room again").endsWith(all).hasSize(Errands.MOST + 1);
    }

    @Test
    void one_that_throws_stops_nothing() {
        errands.add(() -> {
            throw new IllegalStateException("of the program");
        });
        errands.add(() -> {
            throw new AssertionError("of the program, too");
        });
        errands.add(() -> told.add(1));
        tasks.runOne();
        assertThat(told).containsExactly(1);
        assertThat(log.lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("SEVERE") && line.contains("the port goes on"));
    }

    @Test
    void one_that_throws_what_nobody_declared_or_leaves_its_thread_interrupted_stops_nothing() {
        errands.add(() -> throwing(new Exception("of the program")));
        errands.add(() -> Thread.currentThread().interrupt());
        errands.add(() -> told.add(Thread.currentThread().isInterrupted() ? -1 : 1));
        tasks.runOne();
        assertThat(told).containsExactly(1);
        assertThat(log.lines()).hasSize(1).first().asString().contains("the port goes on");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Exception> void throwing(Exception e) throws T {
        throw (T) e;
    }
}
