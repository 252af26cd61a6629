package org.ibidem.lab.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// That what is wrong stops the build: the tree's own `pom.xml`, with modules of one class each in
/// place of its own. (The rules of rooms are shown their offenders in `OffendersTest` of `core`.)
@Tag("lab")
@Timeout(300)
class ViolationsTest {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();

    /// What a module holds, and what Maven is to say of it; nothing where it is good.
    private record Sample(String body, String said) {}

    private static final Map<String, Sample> SAMPLES = new LinkedHashMap<>();

    static {
        SAMPLES.put(
                "good",
                new Sample(
                        """
                        @NullMarked
                        public final class Sample {
                            private Sample() {}

                            /// One of {@link Sample}.
                            public static Object of() {
                                return new Sample();
                            }
                        }
                        """,
                        ""));
        SAMPLES.put(
                "lint",
                new Sample(
                        """
                        @NullMarked
                        public final class Sample {
                            java.util.List list = java.util.List.of();
                        }
                        """,
                        "found raw type"));
        SAMPLES.put(
                "errorprone",
                new Sample(
                        """
                        @NullMarked
                        public final class Sample {
                            public String toString() {
                                return "";
                            }
                        }
                        """,
                        "[MissingOverride]"));
        SAMPLES.put(
                "nullaway",
                new Sample(
                        """
                        @NullMarked
                        public final class Sample {
                            Object nothing() {
                                return null;
                            }
                        }
                        """,
                        "[NullAway]"));
        SAMPLES.put(
                "doclint",
                new Sample(
                        """
                        /// See {@link NoSuchThing}.
                        @NullMarked
                        public final class Sample {}
                        """,
                        "reference not found"));
        SAMPLES.put(
                "format",
                new Sample(
                        """
                        @NullMarked
                        public final class Sample {
                                int   x;
                        }
                        """,
                        "1 needs changes to be clean"));
    }

    @TempDir Path folder;

    private void plant() throws IOException {
        var pom = Files.readString(TREE.resolve("pom.xml"));
        var modules =
                SAMPLES.keySet().stream()
                        .map(name -> "<module>" + name + "</module>")
                        .collect(Collectors.joining("", "<modules>", "</modules>"));
        var planted = pom.replaceFirst("(?s)<modules>.*?</modules>", modules);
        assertThat(planted).isNotEqualTo(pom);
        write("pom.xml", planted);
        write(".mvn/jvm.config", Files.readString(TREE.resolve(".mvn/jvm.config")));
        for (var each : SAMPLES.entrySet()) {
            write(
                    each.getKey() + "/pom.xml",
                    """
                    <project xmlns="http://maven.apache.org/POM/4.0.0">
                        <modelVersion>4.0.0</modelVersion>
                        <parent>
                            <groupId>org.ibidem</groupId>
                            <artifactId>ibidem-parent</artifactId>
                            <version>0.1.0</version>
                        </parent>
                        <artifactId>%s</artifactId>
                        <name>Sample %s</name>
                    </project>
                    """
                            .formatted(each.getKey(), each.getKey()));
            write(
                    each.getKey() + "/src/main/java/sample/Sample.java",
                    "package sample;\n\nimport org.jspecify.annotations.NullMarked;\n\n"
                            + each.getValue().body());
        }
    }

    private void write(String name, String text) throws IOException {
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String maven() throws Exception {
        var builder =
                new ProcessBuilder("mvn", "-B", "-ntp", "--fail-at-end", "verify")
                        .directory(folder.toFile())
                        .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(1);
        return said;
    }

    /// What Maven said while it was at this module.
    private static String about(String name, String said) {
        int from = said.indexOf("Building Sample " + name + " ");
        assertThat(from).as(said).isPositive();
        int next = said.indexOf("Building Sample ", from + 1);
        return said.substring(from, next < 0 ? said.indexOf("Reactor Summary", from) : next);
    }

    @Test
    void each_kind_of_violation_stops_the_build_and_is_named() throws Exception {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, "mvn"))),
                "there is no program mvn");
        plant();
        var said = maven();
        for (var each : SAMPLES.entrySet()) {
            boolean good = each.getValue().said().isEmpty();
            assertThat(said)
                    .containsPattern(
                            "Sample " + each.getKey() + " \\.+ " + (good ? "SUCCESS" : "FAILURE"));
            assertThat(about(each.getKey(), said)).contains(each.getValue().said());
            if (!good) {
                var others = about("good", said);
                assertThat(others).doesNotContain(each.getValue().said());
            }
        }
    }
}
