package org.ibidem.lab.mutate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The classes that have changed since a revision, as git says: main code, committed or not.
final class Since {
    private static final String MAIN = "/src/main/java/";
    private static final String JAVA = ".java";

    private Since() {}

    /// Their names.
    ///
    /// @param tree the checkout
    /// @throws IllegalArgumentException when git does not know the revision; with its words
    static List<String> types(Path tree, String revision) throws IOException, InterruptedException {
        var git =
                new ProcessBuilder(
                                "git",
                                "diff",
                                "--name-only",
                                "--relative",
                                "--diff-filter=d",
                                "--end-of-options",
                                revision,
                                "--")
                        .directory(tree.toFile())
                        .redirectErrorStream(true)
                        .start();
        var said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (git.waitFor() != 0) {
            throw new IllegalArgumentException(
                    "git does not say what has changed since " + revision + ": " + said.strip());
        }
        return said.lines().map(Since::type).flatMap(Optional::stream).toList();
    }

    /// The class of a source file `MODULE/src/main/java/…`.
    private static Optional<String> type(String file) {
        int main = file.indexOf(MAIN);
        if (main < 0 || !file.endsWith(JAVA) || file.endsWith("-info.java")) {
            return Optional.empty();
        }
        var name = file.substring(main + MAIN.length(), file.length() - JAVA.length());
        return Optional.of(name.replace('/', '.'));
    }
}
