package org.ibidem.serial.rewrite;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.ibidem.serial.inside.ClassCode;
import org.jspecify.annotations.Nullable;

/// A folder, a jar or a class file that was named.
///
/// @param files the classes in it
/// @param jar open until they are written; null: it is none
record Place(List<Found> files, @Nullable FileSystem jar) implements AutoCloseable {
    private static final String SERIAL = "org.ibidem.serial";

    /// Either will do: who requires core has what it is made of.
    private static final Set<String> REQUIRED = Set.of(SERIAL, "org.ibidem.core");

    static Place open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return new Place(classes(path), null);
        }
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString(), null, "there is no such file or folder");
        }
        var name = path.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".class")) {
            return new Place(List.of(found(path, null)), null);
        }
        if (!name.endsWith(".jar")) {
            throw new IOException(path + " is no folder, .jar or .class");
        }
        var jar = FileSystems.newFileSystem(path);
        try {
            return new Place(classes(jar.getRootDirectories().iterator().next()), jar);
        } catch (IOException | RuntimeException e) {
            jar.close();
            throw e;
        }
    }

    private static List<Found> classes(Path root) throws IOException {
        var problem = problem(root);
        var found = new ArrayList<Found>();
        try (var all = Files.walk(root)) {
            for (var path : all.filter(Place::isClass).sorted().toList()) {
                var file = found(path, problem);
                var there = file.code().name().replace('.', '/') + ".class";
                if (root.relativize(path).toString().replace('\\', '/').equals(there)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static boolean isClass(Path path) {
        var name = path.getFileName() == null ? "" : path.getFileName().toString();
        return name.endsWith(".class") && !name.equals("module-info.class");
    }

    private static Found found(Path path, @Nullable String problem) throws IOException {
        var bytes = Files.readAllBytes(path);
        try {
            return new Found(path, bytes, new ClassCode(bytes), problem);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " is no class file: " + e.getMessage(), e);
        }
    }

    private static @Nullable String problem(Path root) throws IOException {
        var signatures = root.resolve("META-INF");
        if (Files.isDirectory(signatures)) {
            try (var inside = Files.list(signatures)) {
                if (inside.anyMatch(path -> path.toString().endsWith(".SF"))) {
                    return "its jar is signed, and would no longer be valid";
                }
            }
        }
        var module = root.resolve("module-info.class");
        if (Files.exists(module)) {
            try (var in = Files.newInputStream(module)) {
                return ModuleDescriptor.read(in).requires().stream()
                                .anyMatch(each -> REQUIRED.contains(each.name()))
                        ? null
                        : "its module does not say: requires " + SERIAL;
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        if (jar != null) {
            jar.close();
        }
    }
}
