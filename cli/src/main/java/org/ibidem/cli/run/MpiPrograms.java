package org.ibidem.cli.run;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Programs that refer to the package `mpi` have asked for ours, unless they bring one along.
final class MpiPrograms {
    /// The module that has it.
    static final String MODULE = "org.ibidem.mpj";

    private static final String PACKAGE = "mpi/";

    private MpiPrograms() {}

    /// Whether the program with this main class is one. What lies beside the main class is looked
    /// at: the same folder, or the same jar.
    ///
    /// @throws CannotRun when it cannot be read
    static boolean is(String main, String classPath) {
        var entries = List.of(classPath.split(File.pathSeparator, -1));
        try {
            boolean asks = false;
            for (var entry : entries) {
                var place = Path.of(entry.isEmpty() ? "." : entry);
                if (has(place, PACKAGE + "MPI")) {
                    return false;
                }
                asks = asks || (has(place, main.replace('.', '/')) && refers(place));
            }
            return asks;
        } catch (IOException e) {
            throw new CannotRun(
                    "cannot read the class path " + classPath + ": " + e.getMessage(), e);
        }
    }

    private static boolean has(Path place, String name) throws IOException {
        if (!Files.isRegularFile(place)) {
            return Files.exists(place.resolve(name + ".class"));
        }
        try (var jar = new JarFile(place.toFile())) {
            return jar.getEntry(name + ".class") != null;
        }
    }

    private static boolean refers(Path place) throws IOException {
        return Files.isRegularFile(place) ? jarRefers(place) : folderRefers(place);
    }

    private static boolean folderRefers(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : (Iterable<Path>) files.filter(MpiPrograms::isClass)::iterator) {
                if (refers(Files.readAllBytes(file))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".class") && Files.isRegularFile(file);
    }

    private static boolean jarRefers(Path file) throws IOException {
        try (var jar = new JarFile(file.toFile())) {
            for (var entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (entry.getName().endsWith(".class")) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        if (refers(in.readAllBytes())) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

    private static boolean refers(byte[] bytes) {
        try {
            var pool = ClassFile.of().parse(bytes).constantPool();
            return StreamSupport.stream(pool.spliterator(), false)
                    .anyMatch(entry ->
                            entry instanceof ClassEntry named
                                    && named.name().stringValue().startsWith(PACKAGE));
        } catch (IllegalArgumentException _) {
            return false; // no class at all: the JVM says so, where it is one of the program's
        }
    }
}
