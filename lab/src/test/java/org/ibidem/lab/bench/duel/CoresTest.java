package org.ibidem.lab.bench.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {
    private static final String TASKSET = "/usr/bin/taskset";

    private static List<Integer> allowed(String list) {
        return Cores.allowed(
                List.of("Name:\tjava", "Cpus_allowed:\tff", "Cpus_allowed_list:\t" + list));
    }

    @Test
    void the_kernels_list_of_cores_is_read() {
        assertThat(allowed("0-3,8")).containsExactly(0, 1, 2, 3, 8);
        assertThat(allowed("5")).containsExactly(5);
        assertThat(allowed("0,2,4-5")).containsExactly(0, 2, 4, 5);
        assertThat(Cores.allowed(List.of("Name:\tjava"))).isEmpty();
    }

    @Test
    void two_threads_of_one_core_are_no_pair_while_there_is_a_better_one() {
        var cores =
                Cores.choose(TASKSET, List.of(2, 3, 4, 5), core -> List.of(core & ~1, core | 1));
        assertThat(cores.command())
                .containsExactly(List.of(TASKSET, "-c", "2"), List.of(TASKSET, "-c", "4"));
        assertThat(cores.about()).isEqualTo("pinned to cores 2 and 4");
    }

    @Test
    void two_threads_of_one_core_are_said_to_be_that() {
        var cores = Cores.choose(TASKSET, List.of(0, 1), _ -> List.of(0, 1));
        assertThat(cores.command())
                .containsExactly(List.of(TASKSET, "-c", "0"), List.of(TASKSET, "-c", "1"));
        assertThat(cores.about()).contains("two threads of ONE core");
    }

    @Test
    void where_one_core_may_be_used_nothing_is_pinned_and_that_is_said() {
        var cores = Cores.choose(TASKSET, List.of(7), _ -> List.of());
        assertThat(cores.command()).containsExactly(List.of(), List.of());
        assertThat(cores.about()).contains("NOT pinned", "only one core");
    }

    @Test
    void a_process_is_where_it_was_put() throws Exception {
        var cores = Cores.find();
        assumeFalse(cores.about().startsWith("NOT"), cores.about());
        var seen = new ArrayList<List<Integer>>();
        for (var pin : cores.command()) {
            var command = new ArrayList<>(pin);
            command.addAll(List.of("cat", "/proc/self/status"));
            var process = new ProcessBuilder(command).start();
            try (var lines = process.inputReader()) {
                seen.add(Cores.allowed(lines.lines().toList()));
            }
            assertThat(process.waitFor()).isZero();
            assertThat(seen.getLast()).containsExactly(Integer.parseInt(pin.getLast()));
        }
        assertThat(seen.getFirst()).isNotEqualTo(seen.getLast());
    }
}
