package org.ibidem.lab.bench.serial;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ibidem.serial.rewrite.Rewriter;
import org.ibidem.serial.rewrite.Verdict;

/// The classes of the works as `ibidem rewrite` leaves them, in a folder that comes first on the
/// class path of a process.
final class Ahead {
    private Ahead() {}

    /// The class path of a contestant.
    static String classPath(String contestant) throws IOException {
        var usual = System.getProperty("java.class.path");
        return contestant.equals(Coders.REWRITTEN)
                ? rewritten() + File.pathSeparator + usual
                : usual;
    }

    private static Path rewritten() throws IOException {
        var root = Path.of("target", "bench", "rewritten").toAbsolutePath();
        for (var type : Work.CLASSES) {
            if (type.getName().startsWith("org.ibidem")) {
                copy(type, root);
            }
        }
        var verdicts = new Rewriter(List.of()).rewrite(List.of(root));
        if (verdicts.stream().allMatch(verdict -> verdict.kind() == Verdict.Kind.LEFT)) {
            throw new IllegalStateException("nothing could be rewritten: " + verdicts);
        }
        return root;
    }

    private static void copy(Class<?> type, Path root) throws IOException {
        var name = type.getName().replace('.', '/') + ".class";
        var file = root.resolve(name);
        if (type.isArray()) {
            return;
        }
        try (var in = type.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            Files.createDirectories(file.resolveSibling("."));
            Files.write(file, in.readAllBytes());
        }
    }
}
