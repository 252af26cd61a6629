package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Random trees of jobs come to what they should, whatever happens to the workers. With
/// `-Dibidem.full=true` for long.
@Isolated("starts processes and kills them")
class BadDaysTest extends InOneJvm {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");
    private static final int DEEP = 7;

    private final long seed = System.nanoTime();
    private final Random chance = new Random(seed);
    private final List<Process> processes = new ArrayList<>();
    private volatile boolean over;

    @AfterEach
    void kill() {
        processes.forEach(Process::destroyForcibly);
    }

    /// What the other processes run.
    static final class Elsewhere {
        /// The machine may be busy with those that start beside it.
        private static final Duration JOIN_LIMIT = Duration.ofSeconds(60);

        private Elsewhere() {}

        /// Says `worked` when it has done a stolen job.
        public static void main(String[] arguments) throws InterruptedException {
            var join = Join.pool("satin").hub("localhost:" + arguments[0]).limit(JOIN_LIMIT);
            var options = Satin.Options.USUAL.loader(Elsewhere.class.getClassLoader());
            try (var node = Node.join(join);
                    var satin = Satin.open(node, options)) {
                Thread.ofPlatform().daemon().start(() -> tell(satin));
                satin.work();
            }
        }

        private static void tell(Satin satin) {
            try {
                withinAMinute("a job was stolen", () -> satin.statistics().stolen() > 0);
                System.out.println("worked");
            } catch (AssertionError e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private Process elsewhere() throws IOException {
        return elsewhere("96m");
    }

    private Process elsewhere(String heap) throws IOException {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx" + heap,
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Elsewhere.class.getName(),
                                "" + hub.port())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        processes.add(process);
        return process;
    }

    private static void awaitWorked(BufferedReader said, FutureTask<Integer> trees)
            throws Exception {
        var line = said.readLine();
        if (trees.isDone()) { // Before it was told to: this says why.
            trees.get();
        }
        assertThat(line).isEqualTo("worked");
    }

    private static void signal(Process process, String name) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
        assertThat(kill.waitFor()).isZero();
    }

    /// Tree after tree in a thread of its own, until all is over.
    private FutureTask<Integer> trees(Satin root) {
        Callable<Integer> program =
                () -> {
                    int trees = 0;
                    for (long tree = seed; !over || trees < 3; tree++, trees++) {
                        assertThat(RandomTree.spawned(tree, DEEP))
                                .as("tree with seed %d, chance %d", tree, seed)
                                .isEqualTo(RandomTree.model(tree, DEEP, false));
                    }
                    return trees;
                };
        var task = new FutureTask<>(() -> root.run(program));
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private int ended(FutureTask<Integer> trees) throws Exception {
        over = true;
        return trees.get(60, TimeUnit.SECONDS);
    }

    /// Each has done a job before it is killed.
    @Test
    @Tag("slow")
    void trees_come_out_right_while_workers_are_killed_and_join() throws Exception {
        var root = part();
        var trees = trees(root);
        for (int i = 0; i < 3; i++) {
            elsewhere();
        }
        int kills = FULL ? 200 : 4;
        for (int i = 0; i < kills; i++) {
            var victim = processes.get(chance.nextInt(processes.size()));
            awaitWorked(victim.inputReader(), trees);
            victim.destroyForcibly().waitFor();
            processes.remove(victim);
            elsewhere();
        }
        assertThat(ended(trees)).isGreaterThanOrEqualTo(3);
        assertThat(root.statistics().given()).isPositive();
        assertThat(nodes.getFirst().terminated()).isEmpty();
    }

    /// What it has stays its own meanwhile, as it is not dead.
    @Test
    @Tag("slow")
    void trees_come_out_right_when_a_worker_stands_still_for_a_while() throws Exception {
        var root = part();
        var trees = trees(root);
        var still = elsewhere();
        awaitWorked(still.inputReader(), trees);
        signal(still, "STOP");
        long before = root.statistics().given();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(FULL ? 60 : 1));
        signal(still, "CONT");
        if (!FULL) { // Who stands still for a minute counts as dead.
            withinAMinute("it works again", () -> root.statistics().given() > before + 1);
        }
        assertThat(ended(trees)).isGreaterThanOrEqualTo(3);
    }

    @Test
    void trees_come_out_right_on_64_workers_of_two_processes() throws Exception {
        for (int i = 0; i < 2; i++) {
            nodes.add(Node.join(Join.pool("satin").hub("localhost:" + hub.port())));
            var options = Satin.Options.USUAL.loader(BadDaysTest.class.getClassLoader());
            parts.add(Satin.open(nodes.getLast(), options.threads(32)));
        }
        var work =
                new FutureTask<>(() -> {
                    parts.getLast().work();
                    return true;
                });
        Thread.ofPlatform().daemon().start(work);
        var trees = trees(parts.getFirst());
        withinAMinute(
                "both steal", () -> parts.stream().allMatch(p -> p.statistics().stolen() > 64));
        assertThat(ended(trees)).isGreaterThanOrEqualTo(3);
    }

    /// More than a process with little memory has room for.
    private static final class Large extends Job {
        private static final long serialVersionUID = 1;
        private final byte[] bytes = new byte[24 << 20];
        private int length;

        @Override
        protected void run() {
            length = bytes.length;
        }

        @Override
        protected Object result() {
            return length;
        }

        @Override
        protected void result(@Nullable Object came) {
            length = came instanceof Integer number ? number : 0;
        }
    }

    @Test
    @Tag("slow")
    void a_job_for_which_its_thief_has_no_memory_is_done_at_home() throws Exception {
        var root = part();
        elsewhere("32m");
        Callable<Integer> program =
                () -> {
                    var job = new Large();
                    while (root.statistics().redone() == 0) {
                        job = new Large();
                        long before = root.statistics().given();
                        var last = Job.spawn(job, null);
                        withinAMinute(
                                "somebody has it",
                                () -> Fib.of(2) == 1 && root.statistics().given() > before);
                        Job.sync(last);
                    }
                    return job.length;
                };
        var task = new FutureTask<>(() -> root.run(program));
        Thread.ofPlatform().daemon().start(task);
        assertThat(task.get(120, TimeUnit.SECONDS)).isEqualTo(24 << 20);
    }
}
