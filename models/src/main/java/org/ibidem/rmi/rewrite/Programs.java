package org.ibidem.rmi.rewrite;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.ibidem.rmi.rewrite.Replacing.Replaced;
import org.jspecify.annotations.Nullable;

/// Rewrites programs of `java.rmi`, in folders and jars. Rewriting again changes nothing.
public final class Programs {
    private Programs() {}

    /// Rewrites class files where they are.
    ///
    /// @param places folders and jars
    /// @return the classes that were rewritten, and those with something for which nothing stands
    /// @throws IOException when a place is not there, is no jar, or is a jar that is signed; then
    ///   nothing of it is written
    public static List<Replaced> rewrite(List<Path> places) throws IOException {
        var all = new ArrayList<Replaced>();
        for (var place : places) {
            try (var opened = Opened.of(place)) {
                all.addAll(rewrite(opened.root));
            }
        }
        return all;
    }

    private static List<Replaced> rewrite(Path root) throws IOException {
        var files = new LinkedHashMap<Path, Replaced>();
        for (var file : classes(root)) {
            var bytes = Files.readAllBytes(file);
            Replacing.rewrite(bytes).ifPresent(one -> files.put(file, one));
        }
        for (var file : files.entrySet()) {
            if (file.getValue().changed()) {
                Files.write(file.getKey(), file.getValue().file());
            }
        }
        return List.copyOf(files.values());
    }

    private static List<Path> classes(Path root) throws IOException {
        try (var all = Files.walk(root)) {
            return all.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .toList();
        }
    }

    /// A folder, or a jar as one.
    private record Opened(Path root, @Nullable FileSystem jar) implements AutoCloseable {
        static Opened of(Path place) throws IOException {
            if (Files.isDirectory(place)) {
                return new Opened(place, null);
            }
            if (!Files.exists(place)) {
                throw new NoSuchFileException(place.toString(), null, "there is no such file");
            }
            var jar = FileSystems.newFileSystem(place);
            if (isSigned(jar.getPath("META-INF"))) {
                jar.close();
                throw new IOException(
                        place + " is signed, and would no longer be valid: take an unsigned one");
            }
            return new Opened(jar.getPath("/"), jar);
        }

        private static boolean isSigned(Path folder) throws IOException {
            if (!Files.isDirectory(folder)) {
                return false;
            }
            try (var inside = Files.list(folder)) {
                return inside.anyMatch(each -> each.toString().endsWith(".SF"));
            }
        }

        @Override
        public void close() throws IOException {
            if (jar != null) {
                jar.close(); // which writes it
            }
        }
    }
}
