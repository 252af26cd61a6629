package org.ibidem.lab.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is published: jars with their sources and their documentation, the same bytes whoever
/// builds them, wherever and whenever.
@Tag("lab")
@Tag("full")
@Timeout(900)
class SameBytesTest {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();

    @TempDir Path folder;

    @Test
    void the_same_sources_give_the_same_jars() throws Exception {
        var one = built(folder.resolve("one"));
        assertThat(one.keySet())
                .contains(
                        "ibidem-base-0.1.0.jar",
                        "ibidem-serial-0.1.0.jar",
                        "ibidem-serial-0.1.0-javadoc.jar",
                        "ibidem-transport-0.1.0.jar",
                        "ibidem-transport-0.1.0-javadoc.jar",
                        "ibidem-node-0.1.0.jar",
                        "ibidem-node-0.1.0-javadoc.jar",
                        "ibidem-core-0.1.0.jar",
                        "ibidem-core-0.1.0-sources.jar",
                        "ibidem-core-0.1.0-javadoc.jar",
                        "ibidem-hub-0.1.0-javadoc.jar");
        assertThat(built(folder.resolve("deeper/other"))).isEqualTo(one);
    }

    /// The jars by name, each with its digest.
    private static Map<String, String> built(Path copy) throws Exception {
        Files.createDirectories(copy);
        Files.copy(TREE.resolve("pom.xml"), copy.resolve("pom.xml"));
        try (var modules = Files.list(TREE)) {
            for (var module :
                    modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
                copy(module, copy.resolve(module.getFileName()));
            }
        }
        var maven = List.of("mvn", "-o", "-q", "-B", "-Dquick", "-pl", "core,hub", "-am", "verify");
        var builder = new ProcessBuilder(maven).directory(copy.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        var jars = new TreeMap<String, String>();
        try (var files = Files.walk(copy)) {
            for (var jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                jars.put(jar.getFileName().toString(), digest(jar));
            }
        }
        return jars;
    }

    private static void copy(Path module, Path to) throws IOException {
        try (var all = Files.walk(module)) {
            for (var each : all.toList()) {
                var inside = module.relativize(each);
                boolean wanted =
                        inside.toString().isEmpty()
                                || inside.equals(Path.of("pom.xml"))
                                || inside.equals(Path.of("src"))
                                || inside.startsWith(Path.of("src", "main"));
                if (wanted) {
                    Files.copy(each, to.resolve(inside.toString()));
                }
            }
        }
    }

    private static String digest(Path file) throws Exception {
        var sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        return HexFormat.of().formatHex(sum);
    }
}
