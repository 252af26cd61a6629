package org.ibidem.lab.net;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/// The class path of the laboratory's JVMs, and a cache of the classes that nearly all of them load
/// (JEP 483), for suites that start hundreds: each spares a third of a second of a processor.
///
/// Where the environment's `LABORATORY_CLASSES` names a folder, whoever comes first makes both in
/// it: jars, as the cache knows no classes in folders, and the cache. Else JVMs begin with the
/// class path of this one and without a cache, as what is compiled may change between them.
public final class ClassCache {
    private static final System.Logger LOG = System.getLogger(ClassCache.class.getName());
    private static final String WHERE = "LABORATORY_CLASSES";
    private static final List<String> USUAL = List.of();
    private static final ClassCache INSTANCE = new ClassCache(System.getenv(WHERE));

    private final List<String> options;
    private final String path;

    private ClassCache(String where) {
        var usual = Machine.absolute(System.getProperty("java.class.path"));
        List<String> found = USUAL;
        var jars = usual;
        if (where != null && usual.contains(File.pathSeparator)) {
            try {
                var made = made(Path.of(where), usual);
                jars = made;
                found =
                        List.of(
                                "-XX:AOTCache=" + Path.of(where, "cache"),
                                "-Xlog:aot*=off",
                                "-Xlog:cds*=off");
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "JVMs begin without a cache of classes", e);
            }
        }
        this.options = found;
        this.path = jars;
    }

    /// Options of a JVM, without its class path.
    public static List<String> options() {
        return INSTANCE.options;
    }

    /// The class path for that JVM.
    public static String path() {
        return INSTANCE.path;
    }

    /// Both, as arguments.
    public static List<String> arguments() {
        var all = new ArrayList<>(options());
        all.addAll(List.of("-cp", path()));
        return all;
    }

    /// One at a time, of all processes.
    private static String made(Path folder, String usual) throws IOException {
        Files.createDirectories(folder);
        var path = folder.resolve("path");
        try (var lock =
                        FileChannel.open(
                                folder.resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                var held = lock.lock()) {
            if (held.isValid() && !Files.exists(path)) {
                var jars = jars(folder, usual);
                train(folder.resolve("cache"), jars);
                Files.writeString(path, jars);
            }
        }
        return Files.readString(path);
    }

    private static String jars(Path folder, String usual) throws IOException {
        var entries = new ArrayList<String>();
        for (var entry : usual.split(File.pathSeparator, -1)) {
            if (!Files.isDirectory(Path.of(entry))) {
                entries.add(entry);
                continue;
            }
            var jar = folder.resolve(entries.size() + ".jar").toString();
            var tool = ToolProvider.findFirst("jar").orElseThrow(() -> new IOException("no jar"));
            int code = tool.run(System.out, System.err, "-cf0", jar, "-C", entry, ".");
            if (code != 0) {
                throw new IOException("the classes in " + entry + " cannot be put into a jar");
            }
            entries.add(jar);
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void train(Path cache, String path) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process =
                new ProcessBuilder(
                                java,
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:AOTCacheOutput=" + cache,
                                "-cp",
                                path,
                                Training.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(cache.resolveSibling("log").toFile())
                        .start();
        try {
            if (process.waitFor() != 0 || !Files.exists(cache)) {
                throw new IOException(Files.readString(cache.resolveSibling("log")));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
