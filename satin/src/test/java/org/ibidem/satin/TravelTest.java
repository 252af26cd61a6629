package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.satin.rewrite.Compiled;
import org.ibidem.satin.rewrite.Shapes;
import org.ibidem.satin.run.ProgramLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Jobs that are hard to carry: far larger than a frame, or of classes that their thief has not.
class TravelTest extends InOneJvm {
    private static final int LARGE = 1 << 20;

    private Satin part(Satin.Options options) {
        nodes.add(Node.join(Join.pool("travel").hub("localhost:" + hub.port())));
        parts.add(Satin.open(nodes.getLast(), options));
        return parts.getLast();
    }

    /// Numbers, which come back turned round; with whether it was stolen.
    private static final class Turned extends Job {
        private static final long serialVersionUID = 1;
        private final int[] numbers;
        private transient int[] value = {};
        private transient boolean away;

        private Turned(int[] numbers) {
            this.numbers = numbers;
        }

        @Override
        protected void run() {
            value = new int[numbers.length];
            for (int i = 0; i < value.length; i++) {
                value[i] = numbers[numbers.length - 1 - i];
            }
        }

        @Override
        protected Object result() {
            return value;
        }

        @Override
        protected void result(@Nullable Object came) {
            value = came instanceof int[] those ? those : new int[0];
            away = true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "tcp"})
    void a_job_and_its_result_may_be_larger_than_a_frame(String stack) throws Exception {
        var usual = Satin.Options.USUAL.loader(TravelTest.class.getClassLoader());
        var options =
                new Satin.Options(1, stack, usual.loader(), Stealing.CLUSTER_AWARE, false, null);
        var root = part(options);
        var thief = part(options);
        work(thief);
        var numbers = new int[LARGE];
        for (int i = 0; i < LARGE; i++) {
            numbers[i] = 31 * i;
        }
        Callable<Turned> program =
                () -> {
                    withinAMinute(
                            "the thief has a job",
                            () -> thief.statistics().stolen() > 0 || Fib.of(15) < 0);
                    long before = root.statistics().given();
                    var job = new Turned(numbers);
                    var last = Job.spawn(job, null);
                    // Who asks gets what is opened by a younger one, which is not the oldest.
                    withinAMinute(
                            "it is away",
                            () -> Fib.of(2) == 1 && root.statistics().given() > before);
                    Job.sync(last);
                    return job;
                };
        var job = root.run(program);
        assertThat(job.away).isTrue();
        for (int i = 0; i < LARGE; i++) {
            assertThat(job.value[i]).as("number %d", i).isEqualTo(numbers[LARGE - 1 - i]);
        }
    }

    private static final String MEMBERS =
            """
            interface Helped extends Spawnable {
                long with(Extra extra, int n);
            }
            interface Alone extends Spawnable {
                long without(int n);
            }
            static class Extra implements java.io.Serializable {
                int by(int n) { return 3 * n; }
            }
            static class Does extends SatinObject implements Helped {
                public long with(Extra extra, int n) { return extra.by(n); }
            }
            static class Makes extends SatinObject implements Alone { // Only its code knows the class.
                public long without(int n) { return new Extra().by(n); }
            }
            public static Object warm() { return new Shape().fib(15); }
            """;

    private static Object call(ClassLoader loader, String method) throws Exception {
        return Class.forName("Shape", true, loader).getMethod(method).invoke(null);
    }

    /// At its thief the class is missing of an argument, or of what the job makes itself.
    @ParameterizedTest
    @ValueSource(strings = {"new Does().with(new Extra(), i)", "new Makes().without(i)"})
    @Tag("slow")
    void a_job_whose_classes_its_thief_has_not_is_done_at_home(String called, @TempDir Path folder)
            throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                MEMBERS,
                                "long[] a = new long[20]; for (int i = 0; i < 20; i++) a[i] = "
                                        + called
                                        + "; sync(); return Arrays.toString(a);"));
        var lacking = Files.createDirectory(folder.resolve("lacking"));
        try (var all = Files.list(program.folder())) {
            for (var file : all.filter(one -> !one.endsWith("Shape$Extra.class")).toList()) {
                Files.copy(file, lacking.resolve(file.getFileName()));
            }
        }
        var parent = TravelTest.class.getClassLoader();
        try (var here = new ProgramLoader(program.folder().toString(), parent);
                var there = new ProgramLoader(lacking.toString(), parent)) {
            var root = part(Satin.Options.USUAL.loader(here));
            var thief = part(Satin.Options.USUAL.loader(there));
            work(thief);
            Callable<Object> runs =
                    () -> {
                        while (thief.statistics().stolen() == 0) {
                            call(here, "warm");
                        }
                        var first = call(here, "run");
                        while (root.statistics().redone() == 0) {
                            assertThat(call(here, "run")).isEqualTo(first);
                        }
                        return first;
                    };
            assertThat(root.run(runs)).isEqualTo(program.sequential());
        }
    }
}
