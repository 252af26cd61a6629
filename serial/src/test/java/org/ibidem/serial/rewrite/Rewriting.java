package org.ibidem.serial.rewrite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.graph.PlainTypes;

/// Class files before and after.
final class Rewriting {
    private static final Path TESTS =
            Path.of("target", "test-classes", "org", "ibidem", "serial", "graph");

    private Rewriting() {}

    /// The class files of the tests' graphs.
    static Map<String, byte[]> graphs() throws IOException {
        var files = new LinkedHashMap<String, byte[]>();
        try (var all = Files.list(folder())) {
            for (var file : all.sorted().toList()) {
                var name = file.getFileName().toString();
                files.put(
                        "org.ibidem.serial.graph." + name.replace(".class", ""),
                        Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static Path folder() {
        try {
            var here = PlainTypes.class.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(here.toURI()).resolve(TESTS.subpath(2, TESTS.getNameCount()));
        } catch (java.net.URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /// Puts class files below a folder.
    static void store(Map<String, byte[]> files, Path root) throws IOException {
        for (var file : files.entrySet()) {
            var path = path(root, file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    static Path path(Path root, String name) {
        return root.resolve(name.replace('.', '/') + ".class");
    }

    /// The same files again from there.
    static Map<String, byte[]> fetch(Map<String, byte[]> files, Path root) {
        var got = new LinkedHashMap<String, byte[]>();
        files.keySet()
                .forEach(name -> {
                    try {
                        got.put(name, Files.readAllBytes(path(root, name)));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        return got;
    }

    /// Rewrites class files in a folder.
    static List<Verdict> rewrite(Map<String, byte[]> files, Path root) throws IOException {
        store(files, root);
        return new Rewriter(List.of()).rewrite(List.of(root));
    }
}
