package org.ibidem.house;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// No package grows beyond 15 classes, but for those that had more when this was counted: they
/// shrink only.
class CrowdedPackagesTest {
    static final int MOST = 15;

    private static final Set<String> RUNTIME = Set.of("transport", "node", "core");

    private static final Map<String, Long> COUNTED =
            Map.ofEntries(
                    entry("mpi", 34L),
                    entry("org.ibidem.apps.sor", 28L),
                    entry("org.ibidem.arbitration", 17L),
                    entry("org.ibidem.authority", 17L),
                    entry("org.ibidem.buffer", 19L),
                    entry("org.ibidem.cli", 24L),
                    entry("org.ibidem.cli.run", 26L),
                    entry("org.ibidem.config", 19L),
                    entry("org.ibidem.connect", 23L),
                    entry("org.ibidem.filter.parallel", 17L),
                    entry("org.ibidem.handshake", 22L),
                    entry("org.ibidem.hub", 29L),
                    entry("org.ibidem.lab.bench.peers", 34L),
                    entry("org.ibidem.lab.bench.serial", 20L),
                    entry("org.ibidem.link", 38L),
                    entry("org.ibidem.link.shm", 18L),
                    entry("org.ibidem.messaging", 29L),
                    entry("org.ibidem.port", 64L),
                    entry("org.ibidem.registry", 16L),
                    entry("org.ibidem.registry.uplink", 19L),
                    entry("org.ibidem.rmi", 29L),
                    entry("org.ibidem.satin", 24L),
                    entry("org.ibidem.satin.rewrite", 25L),
                    entry("org.ibidem.serial", 21L),
                    entry("org.ibidem.serial.codec", 19L),
                    entry("org.ibidem.serial.generate", 23L),
                    entry("org.ibidem.serial.wire", 28L),
                    entry("org.ibidem.trust", 18L),
                    entry("org.ibidem.vlink", 18L));

    @Test
    void a_package_has_at_most_fifteen_classes_or_as_many_as_it_had() {
        var counted =
                SourcesTest.files(file -> file.toString().endsWith(".java")).stream()
                        .filter(SourcesTest::isMain)
                        .filter(file -> !file.getFileName().toString().contains("-info."))
                        .collect(
                                Collectors.groupingBy(
                                        CrowdedPackagesTest::name,
                                        TreeMap::new,
                                        Collectors.counting()));
        counted.values().removeIf(classes -> classes <= MOST);
        assertThat(counted)
                .as("a package that has grown loses a class, or an idea becomes a package of its")
                .as("own; where one has shrunk, its number here shrinks too")
                .isEqualTo(COUNTED);
    }

    /// One idea has one word, and two ideas never share one.
    @Test
    void no_public_type_of_the_runtime_has_the_name_of_another() throws IOException {
        var packages = new TreeMap<String, Set<String>>();
        for (var file : SourcesTest.files(file -> file.toString().endsWith(".java"))) {
            var type = file.getFileName().toString().replace(".java", "");
            if (SourcesTest.isMain(file)
                    && RUNTIME.contains(SourcesTest.TREE.relativize(file).getName(0).toString())
                    && Files.readString(file)
                            .matches("(?s).*\\npublic [\\w -]*\\b" + type + "\\b.*")) {
                packages.computeIfAbsent(type, _ -> new TreeSet<>()).add(name(file));
            }
        }
        assertThat(packages).hasSizeGreaterThan(200);
        packages.values().removeIf(places -> places.size() == 1);
        assertThat(packages).isEmpty();
    }

    private static String name(Path file) {
        var folder = file.getParent().toString().replace('\\', '/');
        return folder.replaceFirst(".*/src/main/java/", "").replace('/', '.');
    }
}
