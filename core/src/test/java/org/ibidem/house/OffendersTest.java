package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// That the rules of the rooms fail: each is shown a class that breaks it.
@Tag("slow")
class OffendersTest {
    @TempDir Path folder;

    private static final String GOOD =
            "package org.ibidem.config; class Good { int twice(int x) { return 2 * x; } }";

    /// Compiles these classes, each in its package, and the good one beside them.
    private JavaClasses classes(String... sources) throws IOException {
        var files = new ArrayList<Path>();
        for (var source : sources) {
            var name = source.replaceFirst(".*\\bclass (\\w+) .*", "$1");
            files.add(Files.writeString(folder.resolve(name + ".java"), source));
        }
        files.add(Files.writeString(folder.resolve("Good.java"), GOOD));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var target = folder.resolve("classes");
        var options =
                List.of("-d", target.toString(), "-cp", System.getProperty("java.class.path"));
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var units = manager.getJavaFileObjectsFromPaths(files);
            assertThat(compiler.getTask(null, manager, null, options, null, units).call()).isTrue();
        }
        return new ClassFileImporter().importPath(target);
    }

    /// The rule fails and names what it found, and does not for the good class alone.
    private void breaks(ArchRule rule, String named, String... sources) throws IOException {
        var offending = classes(sources);
        assertThatThrownBy(() -> rule.check(offending))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(named);
        var good =
                new ClassFileImporter()
                        .importPath(folder.resolve("classes/org/ibidem/config/Good.class"));
        assertThatCode(() -> rule.check(good)).doesNotThrowAnyException();
    }

    private static RoomsTest.Room room(String name) {
        return Arrays.stream(RoomsTest.ROOMS)
                .filter(r -> r.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static ReservedTest.Reserved reserved(String what) {
        return Arrays.stream(ReservedTest.RESERVED)
                .filter(r -> r.toString().contains(what))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_room_that_knows_another_is_found() throws IOException {
        breaks(
                RoomsTest.knowsOnlyWhatItMay(room("buffer")),
                "org.ibidem.buffer.Bad",
                "package org.ibidem.buffer; class Bad { org.ibidem.port.SendPort port; }");
    }

    @Test
    void so_is_a_class_in_no_room() throws IOException {
        breaks(
                RoomsTest.livesInARoom(),
                "org.ibidem.attic.Bad",
                "package org.ibidem.attic; class Bad { int x; }");
    }

    @Test
    void so_is_a_cycle() throws IOException {
        breaks(
                RoomsTest.noCycle(),
                "Cycle detected",
                "package org.ibidem.monitor; public class Bad { org.ibidem.topology.Worse other; }",
                "package org.ibidem.topology; public class Worse { org.ibidem.monitor.Bad other; }");
    }

    @Test
    void so_is_a_driver_that_knows_another() throws IOException {
        breaks(
                RoomsTest.neighboursApart("link"),
                "org.ibidem.link.shm.Bad",
                "package org.ibidem.link.shm; class Bad { org.ibidem.link.tcp.Other other; }",
                "package org.ibidem.link.tcp; public class Other { int x; }");
    }

    @Test
    void so_is_a_look_at_the_clock_where_there_is_none() throws IOException {
        breaks(
                ReservedTest.usedInItsRoomsOnly(reserved("the time")),
                "org.ibidem.buffer.Bad.now",
                "package org.ibidem.buffer; class Bad { long now() { return System.nanoTime(); } }");
    }

    @Test
    void so_is_a_library_that_core_is_not_to_need() throws IOException {
        breaks(
                RoomsTest.needsNothingButTheJdk(),
                "org.ibidem.buffer.Bad",
                "package org.ibidem.buffer; class Bad { org.junit.jupiter.api.Test test; }");
    }

    @Test
    void so_is_what_the_jdk_does_not_support() throws IOException {
        breaks(
                RoomsTest.usesWhatIsSupported(),
                "org.ibidem.buffer.Bad",
                "package org.ibidem.buffer; class Bad { sun.misc.Unsafe unsafe; }");
    }
}
