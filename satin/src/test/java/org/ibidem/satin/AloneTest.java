package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;

import ibis.satin.SatinObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.ibidem.satin.rewrite.Ahead;
import org.ibidem.satin.rewrite.Returns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs with nothing but `ibidem-satin.jar` on the class path are sequential.
class AloneTest {
    /// Uses all that `ibis.satin` has.
    private static final String PROGRAM =
            """
            import ibis.satin.*;

            interface Sums extends Spawnable {
                int sum(Total total, int from, int to) throws Found;
            }

            class Found extends Inlet {}

            interface Adds extends WriteMethodsInterface {
                void add(int more);
            }

            class Total extends SharedObject implements Adds {
                int value;
                public void add(int more) { value += more; }
            }

            public class Program extends SatinObject implements Sums {
                public boolean guard_sum(Total total, int from, int to) { return true; }
                public int sum(Total total, int from, int to) throws Found {
                    if (from == to) {
                        total.add(from);
                        if (from == 77) throw new Found();
                        return from;
                    }
                    int middle = (from + to) / 2;
                    int low = 0, high = 0;
                    try {
                        low = sum(total, from, middle);
                    } catch (Found found) {
                        low = -1;
                        abort();
                    }
                    high = sum(total, middle + 1, to);
                    sync();
                    return low + high;
                }
                public static void main(String[] args) throws Found {
                    var total = new Total();
                    total.exportObject();
                    pause();
                    int sum = new Program().sum(total, 1, 50);
                    resume();
                    var copy = (java.util.ArrayList<?>) deepCopy(new java.util.ArrayList<>(
                            java.util.List.of(new Program(), new int[] {7}, int.class, total)));
                    System.out.println(sum + " " + needMoreJobs() + " " + localJob() + " "
                            + ibis.satin.impl.Satin.getSatin() + " " + ((int[]) copy.get(1))[0] + " "
                            + copy.get(2) + " " + (copy.get(0) instanceof Program));
                    var free = new Total();
                    int found = new Program().sum(free, 70, 90);
                    System.out.println(found + " " + free.value + " " + free.isUnshared());
                }
            }
            """;

    @TempDir Path folder;

    private static void tool(String name, String... arguments) {
        var tool = ToolProvider.findFirst(name).orElseThrow();
        assertThat(tool.run(System.out, System.err, arguments)).as(name).isZero();
    }

    private String said(Path jar, Path classes) throws Exception {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                jar + System.getProperty("path.separator") + classes,
                                "Program")
                        .redirectErrorStream(true)
                        .start();
        try (var reader = process.inputReader()) {
            var all = reader.readAllAsString();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return all;
        }
    }

    @Test
    @Tag("slow")
    void a_program_is_sequential_also_one_that_was_rewritten() throws Exception {
        var own = SatinObject.class.getProtectionDomain().getCodeSource().getLocation();
        var module = Path.of(own.toURI()).toString();
        var jar = folder.resolve("ibidem-satin.jar");
        tool("jar", "-c", "-f", jar.toString(), "-C", module, ".");
        var names = folder.resolve("names.jar"); // all that a program knows that is not rewritten
        var host = "org/ibidem/satin/host";
        tool("jar", "-c", "-f", names.toString(), "-C", module, "ibis", "-C", module, host);
        var source = Files.writeString(folder.resolve("Program.java"), PROGRAM);
        var classes = folder.resolve("classes");
        tool("javac", "-cp", jar.toString(), "-d", classes.toString(), source.toString());
        var sequential =
                """
                1275 false true null 7 int true
                1526 1680 true
                """;
        assertThat(said(names, classes)).isEqualToNormalizingNewlines(sequential);
        try (var ahead = new Ahead(List.of(classes), List.of(), Returns.METHOD)) {
            ahead.rewrite(_ -> {});
        }
        assertThat(classes).isDirectoryContaining("glob:**Program$$Spawn*.class");
        assertThat(said(jar, classes)).isEqualToNormalizingNewlines(sequential);
    }
}
