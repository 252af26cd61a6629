package org.ibidem.rmi.program;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Programs of `java.rmi`, compiled as they are.
final class Sources {
    private static final Path PLACE = Path.of("src", "test", "resources", "programs");

    private Sources() {}

    /// Compiles a program: a source file, or a folder of some.
    static Path compiled(Path folder, String name) throws IOException {
        var place = Files.isDirectory(PLACE.resolve(name)) ? name : name + ".java";
        var javac = ToolProvider.getSystemJavaCompiler();
        var said = new StringWriter();
        try (var files = javac.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(PLACE.resolve(place))) {
            var sources = all.filter(Files::isRegularFile).toList();
            var options = List.of("-d", folder.toString(), "-nowarn", "-proc:none");
            var units = files.getJavaFileObjectsFromPaths(sources);
            if (!javac.getTask(said, files, null, options, null, units).call()) {
                throw new IllegalArgumentException(said.toString());
            }
        }
        return folder;
    }
}
