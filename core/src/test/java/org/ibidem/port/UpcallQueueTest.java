package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.Logged;
import org.ibidem.task.ManualTasks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a port has to tell a program that is slow, or throws.
class UpcallQueueTest {
    private final ManualTasks tasks = new ManualTasks();
    private final UpcallQueue upcalls = new UpcallQueue(tasks, "a port tells");
    private final List<Integer> told = new ArrayList<>();
    private final Logged log = new Logged(UpcallQueue.class);

    @AfterEach
    void stop_listening() {
        log.close();
    }

    @Test
    void they_run_in_their_order_in_one_task_that_lives_while_there_is_one() {
        upcalls.add(() -> {
            told.add(1);
            upcalls.add(() -> told.add(3));
        });
        upcalls.add(() -> told.add(2));
        assertThat(told).as("not by whoever has something to tell").isEmpty();
        assertThat(tasks.run()).isEqualTo(1);
        assertThat(told).containsExactly(1, 2, 3);
        assertThat(tasks.size()).isZero();
        upcalls.add(() -> told.add(4));
        assertThat(tasks.run()).as("another one").isEqualTo(1);
        assertThat(told).containsExactly(1, 2, 3, 4);
    }

    @Test
    void behind_one_that_does_not_end_4096_wait_and_the_newest_are_forgotten_with_a_warning() {
        int more = 904;
        int all = UpcallQueue.MOST + more;
        // While it runs the others come, as they would while an upcall blocks.
        upcalls.add(() -> IntStream.range(0, all).forEach(i -> upcalls.add(() -> told.add(i))));
        assertThat(tasks.run()).isEqualTo(1);
        assertThat(told)
                .containsExactlyElementsOf(IntStream.range(0, UpcallQueue.MOST).boxed().toList());
        assertThat(log.lines()).hasSize(2).allMatch(line -> line.startsWith("WARNING"));
        assertThat(log.lines().getFirst()).contains("4096 wait, more are forgotten");
        assertThat(log.lines().getLast()).contains(more + " were forgotten");
        upcalls.add(() -> told.add(all));
        assertThat(tasks.run()).isEqualTo(1);
        assertThat(told).as("there is room again").endsWith(all).hasSize(UpcallQueue.MOST + 1);
    }

    @Test
    void one_that_throws_stops_nothing() {
        upcalls.add(() -> {
            throw new IllegalStateException("of the program");
        });
        upcalls.add(() -> {
            throw new AssertionError("of the program, too");
        });
        upcalls.add(() -> told.add(1));
        assertThat(tasks.run()).isEqualTo(1);
        assertThat(told).containsExactly(1);
        assertThat(log.lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("SEVERE") && line.contains("the port goes on"));
    }

    @Test
    void one_that_throws_what_nobody_declared_or_leaves_its_thread_interrupted_stops_nothing() {
        upcalls.add(() -> throwing(new Exception("of the program")));
        upcalls.add(() -> Thread.currentThread().interrupt());
        upcalls.add(() -> told.add(Thread.currentThread().isInterrupted() ? -1 : 1));
        assertThat(tasks.run()).isEqualTo(1);
        assertThat(told).containsExactly(1);
        assertThat(log.lines()).hasSize(1).first().asString().contains("the port goes on");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Exception> void throwing(Exception e) throws T {
        throw (T) e;
    }
}
