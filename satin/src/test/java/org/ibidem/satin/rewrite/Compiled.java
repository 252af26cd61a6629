package org.ibidem.satin.rewrite;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.satin.Satin;
import org.ibidem.satin.run.ProgramLoader;

/// A program, compiled, which can be run as it is and rewritten.
public final class Compiled {
    private final Path folder;

    private Compiled(Path folder) {
        this.folder = folder;
    }

    /// Compiles a class `Shape` into a folder of its own.
    public static Compiled of(Path where, String text, String... options) throws IOException {
        return by(ToolProvider.getSystemJavaCompiler(), where, text, options);
    }

    /// The same, by some compiler.
    static Compiled by(JavaCompiler compiler, Path where, String text, String... options)
            throws IOException {
        var folder = Files.createTempDirectory(where, "shape-");
        var source = Files.writeString(folder.resolve("Shape.java"), text);
        var said = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var all = new java.util.ArrayList<>(List.of(options));
            all.addAll(List.of("-d", folder.toString(), "-nowarn", "-proc:none"));
            all.addAll(List.of("-cp", System.getProperty("java.class.path")));
            var task =
                    compiler.getTask(
                            said, files, null, all, null, files.getJavaFileObjects(source));
            if (!task.call()) {
                throw new IllegalArgumentException(said.toString());
            }
        }
        return new Compiled(folder);
    }

    public Path folder() {
        return folder;
    }

    /// One of its class files, or of those that it uses; null: there is none.
    byte[] file(String name) {
        try {
            var mine = folder.resolve(name + ".class");
            if (Files.exists(mine)) {
                return Files.readAllBytes(mine);
            }
            try (var in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
                return in == null ? null : in.readAllBytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object call(ClassLoader loader) throws Exception {
        try {
            var run = Class.forName("Shape", true, loader).getMethod("run");
            return run.invoke(null);
        } catch (InvocationTargetException e) {
            return "" + e.getCause();
        }
    }

    /// As compiled.
    public Object sequential() throws Exception {
        try (var loader = loader()) {
            return call(loader);
        }
    }

    private URLClassLoader loader() throws IOException {
        return new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, Compiled.class.getClassLoader());
    }

    /// Rewritten, by several workers.
    Object parallel() throws Exception {
        return parallel(Returns.METHOD);
    }

    /// The same, where a `return` in an inlet may end the inlet only.
    Object parallel(Returns returns) throws Exception {
        return run(returns, false).result();
    }

    /// What it has given.
    ///
    /// @param stolen how many of its calls one worker took from another
    record Run(Object result, long stolen) {}

    /// The same.
    ///
    /// @param copying whether calls that stay are copied as well
    Run run(Returns returns, boolean copying) throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("shape").hub("localhost:" + hub.port()));
                var classes = loader();
                var loader = new ProgramLoader(classes, returns);
                var satin =
                        Satin.open(
                                node,
                                Satin.Options.USUAL.threads(3).loader(loader).copying(copying))) {
            var result = satin.run(() -> call(loader));
            return new Run(result, satin.statistics().stolen());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refused refused) {
                throw refused;
            }
            throw e;
        }
    }
}
