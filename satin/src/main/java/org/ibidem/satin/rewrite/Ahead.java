package org.ibidem.satin.rewrite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Rewrites a program before it runs, where its classes are: in folders and jars. Without workers
/// its spawned calls are done at once, so it still runs as it was; rewriting again changes nothing.
public final class Ahead implements AutoCloseable {
    private final List<Path> places = new ArrayList<>();
    private final List<Path> known = new ArrayList<>();
    private final Returns returns;
    private final List<FileSystem> jars = new ArrayList<>();

    /// @param places folders and jars with the program's classes
    /// @param classPath those with classes that it knows
    /// @param returns what a `return` in an inlet ends
    /// @throws IOException when one of them is not there, or is no jar
    public Ahead(List<Path> places, List<Path> classPath, Returns returns) throws IOException {
        this.returns = returns;
        try {
            for (var place : places) {
                this.places.add(root(place));
            }
            for (var entry : classPath) {
                known.add(root(entry));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Path root(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            return place;
        }
        if (!Files.exists(place)) {
            throw new NoSuchFileException(place.toString(), null, "there is no such file");
        }
        var jar = FileSystems.newFileSystem(place);
        jars.add(jar);
        return jar.getPath("/");
    }

    /// Rewrites what there is to be rewritten.
    ///
    /// @param left is told which calls of spawnable methods stay ordinary calls, where and why
    /// @return the classes that were rewritten, each with how many of its calls are spawned
    /// @throws Refused when what was rewritten would be wrong; then nothing is written
    public Map<String, Integer> rewrite(Consumer<String> left) throws IOException {
        var rewriter = new Rewriter(this::file, returns, left);
        var files = new LinkedHashMap<Path, byte[]>();
        var rewritten = new LinkedHashMap<String, Integer>();
        for (var place : places) {
            for (var file : classes(place)) {
                var all = rewriter.rewrite(Files.readAllBytes(file));
                all.forEach((name, bytes) -> files.put(place.resolve(path(name)), bytes));
                all.keySet().stream()
                        .filter(_ -> all.size() > 1)
                        .findFirst()
                        .ifPresent(name -> rewritten.put(name, all.size() - 1));
            }
        }
        for (var file : files.entrySet()) {
            Files.write(file.getKey(), file.getValue());
        }
        return rewritten;
    }

    private static String path(String name) {
        return name.replace('.', '/') + ".class";
    }

    private static List<Path> classes(Path place) throws IOException {
        try (var all = Files.walk(place)) {
            return all.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .toList();
        }
    }

    private byte @Nullable [] file(String internalName) {
        var name = internalName + ".class";
        try {
            for (var from : List.of(places, known)) {
                for (var place : from) {
                    if (Files.exists(place.resolve(name))) {
                        return Files.readAllBytes(place.resolve(name));
                    }
                }
            }
            try (var in = ClassLoader.getSystemResourceAsStream(name)) {
                return in != null ? in.readAllBytes() : ours(name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    private static byte @Nullable [] ours(String name) throws IOException {
        try (var in = Ahead.class.getResourceAsStream("/" + name)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        for (var jar : jars) {
            jar.close(); // Which writes it.
        }
    }
}
