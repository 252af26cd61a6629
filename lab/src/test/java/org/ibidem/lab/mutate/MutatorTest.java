package org.ibidem.lab.mutate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MutatorTest {
    private static final int RESULT = 111_103;

    /// What is changed here.
    static class Subject implements Runnable {
        private final AtomicInteger log;
        private long sum;

        Subject(AtomicInteger log) {
            this.log = log;
        }

        @Override
        public void run() {
            for (int i = 0; i < 3; i++) {
                sum += i;
            }
            log.set((int) sum);
            if (isLarge(sum)) {
                log.addAndGet(100);
            }
            if (sum > 5) {
                log.addAndGet(7);
            }
            log.getAndUpdate(before -> before + 1000);
            try {
                requireSmall(sum);
            } catch (IllegalStateException e) {
                log.addAndGet(10_000);
            }
            try {
                log.addAndGet(small(sum));
            } catch (IllegalStateException e) {
                log.addAndGet(100_000);
            }
        }

        private static void requireSmall(long number) {
            if (number > 2) {
                throw new IllegalStateException("large");
            }
        }

        /// After the throw comes nothing.
        private static int small(long number) {
            if (number < 2) {
                return 1;
            }
            throw new IllegalStateException("large");
        }

        private static boolean isLarge(long number) {
            return number > 2;
        }
    }

    private static byte[] file() throws IOException {
        return file("Subject");
    }

    private static byte[] file(String name) throws IOException {
        try (var in = MutatorTest.class.getResourceAsStream("MutatorTest$" + name + ".class")) {
            return in.readAllBytes();
        }
    }

    /// With what every record has, and a method that somebody wrote.
    record Pair(boolean one, boolean other) {
        boolean both() {
            return one && other;
        }
    }

    @Test
    void what_nobody_wrote_is_left_alone() throws IOException {
        var mutator = new Mutator(file("Pair"), MutatorTest.class.getClassLoader());
        assertThat(mutator.mutants())
                .isNotEmpty()
                .allMatch(mutant -> mutant.method().equals("both"));
    }

    /// What a changed one does.
    private static int result(byte[] changed) throws Exception {
        var loader =
                new ClassLoader(MutatorTest.class.getClassLoader()) {
                    Class<?> define() {
                        return defineClass(null, changed, 0, changed.length);
                    }
                };
        var log = new AtomicInteger();
        var made = loader.define().getDeclaredConstructor(AtomicInteger.class);
        made.setAccessible(true);
        ((Runnable) made.newInstance(log)).run();
        return log.get();
    }

    @Test
    void each_kind_of_change_is_made_and_does_something_else() throws Exception {
        var mutator = new Mutator(file(), MutatorTest.class.getClassLoader());
        assertThat(result(file())).isEqualTo(RESULT);
        var seen = EnumSet.noneOf(Change.class);
        for (var mutant : mutator.mutants()) {
            // A loop that never ends is another matter.
            if (mutant.line() > 0 && !endless(mutant)) {
                var bytes = mutator.bytes(mutant);
                var thrown = catchThrowable(() -> result(bytes));
                if (thrown != null) {
                    assertThat(thrown).as("%s", mutant).isInstanceOf(IllegalStateException.class);
                }
                if (thrown != null || result(bytes) != RESULT) {
                    seen.add(mutant.change());
                }
            }
        }
        assertThat(seen).containsExactlyInAnyOrder(Change.values());
    }

    private static boolean endless(Mutant mutant) {
        return mutant.change() == Change.NEVER && mutant.about().startsWith("if_icmp");
    }

    @Test
    void mutants_say_where_they_are_and_what_was_changed() throws IOException {
        var mutator = new Mutator(file(), MutatorTest.class.getClassLoader());
        Map<String, Long> byMethod =
                mutator.mutants().stream()
                        .collect(Collectors.groupingBy(Mutant::method, Collectors.counting()));
        assertThat(byMethod)
                .containsOnlyKeys("run", "lambda$run$0", "isLarge", "requireSmall", "small");
        assertThat(mutator.mutants())
                .anySatisfy(mutant ->
                        assertThat(mutant.toString())
                                .matches(".*Subject:\\d+ run: not called \\(set\\)"));
    }
}
