package org.ibidem.satin.rewrite;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import javax.tools.ToolProvider;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.satin.Satin;
import org.ibidem.satin.run.ProgramLoader;

/// A program, compiled, which can be run as it is and rewritten.
final class Compiled {
    private final Path folder;

    private Compiled(Path folder) {
        this.folder = folder;
    }

    /// Compiles a class `Shape` into a folder of its own.
    static Compiled of(Path where, String text, String... options) throws IOException {
        var folder = Files.createTempDirectory(where, "shape-");
        var source = Files.writeString(folder.resolve("Shape.java"), text);
        var javac = ToolProvider.getSystemJavaCompiler();
        var said = new StringWriter();
        try (var files = javac.getStandardFileManager(null, null, null)) {
            var all = new java.util.ArrayList<>(List.of(options));
            all.addAll(List.of("-d", folder.toString(), "-nowarn", "-proc:none"));
            all.addAll(List.of("-cp", System.getProperty("java.class.path")));
            var task =
                    javac.getTask(said, files, null, all, null, files.getJavaFileObjects(source));
            if (!task.call()) {
                throw new IllegalArgumentException(said.toString());
            }
        }
        return new Compiled(folder);
    }

    Path folder() {
        return folder;
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
    Object sequential() throws Exception {
        try (var loader =
                new URLClassLoader(
                        new URL[] {folder.toUri().toURL()}, Compiled.class.getClassLoader())) {
            return call(loader);
        }
    }

    /// Rewritten, by several workers.
    Object parallel() throws Exception {
        return parallel(Returns.METHOD);
    }

    /// The same, where a `return` in an inlet may end the inlet only.
    Object parallel(Returns returns) throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("shape").hub("localhost:" + hub.port()));
                var loader =
                        new ProgramLoader(
                                folder.toString(), returns, Compiled.class.getClassLoader());
                var satin = Satin.open(node, Satin.Options.USUAL.threads(3).loader(loader))) {
            return satin.run(() -> call(loader));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refused refused) {
                throw refused;
            }
            throw e;
        }
    }
}
