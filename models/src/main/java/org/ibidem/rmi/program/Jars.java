package org.ibidem.rmi.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/// What is in a jar.
final class Jars {
    private static final String CLASS = ".class";

    private Jars() {}

    /// The names of its classes.
    static Set<String> classes(Path jar) {
        try (var file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(CLASS))
                    .map(name ->
                            name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "ibidem.rmi.own is a folder or a jar; cannot read " + jar, e);
        }
    }
}
