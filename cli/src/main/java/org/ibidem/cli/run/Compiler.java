package org.ibidem.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Compiles a program of one source file, so that a first program needs no build.
final class Compiler {
    private Compiler() {}

    /// Compiles `source` into `folder`, with Ibidem and `classPath` to see.
    ///
    /// @throws CannotRun when it does not compile; the message holds the compiler's
    static void compile(Path source, String classPath, Path folder) {
        var command = new ArrayList<>(List.of(Jvm.tool("javac"), "-d", folder.toString()));
        if (Jvm.isModular()) {
            command.addAll(
                    List.of(
                            "-p",
                            Jvm.ownPath(),
                            "--add-modules=ALL-MODULE-PATH",
                            "-cp",
                            classPath));
        } else {
            command.addAll(List.of("-cp", classPath + java.io.File.pathSeparator + Jvm.ownPath()));
        }
        command.add(source.toString());
        try {
            var javac = new ProcessBuilder(command).redirectErrorStream(true).start();
            var said = new String(javac.getInputStream().readAllBytes(), Jvm.CONSOLE);
            if (javac.waitFor() != 0) {
                throw new CannotRun(source + " does not compile:\n" + said.strip());
            }
        } catch (IOException e) {
            throw new CannotRun(
                    "cannot compile " + source + ": " + e.getMessage() + "; is this a whole JDK?",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRun("interrupted while compiling " + source, e);
        }
    }

    /// The class in `folder` that is called like the source file.
    static String mainClass(Path source, Path folder) {
        var name = source.getFileName().toString().replaceFirst("\\.java$", ".class");
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().equals(name))
                    .map(file -> folder.relativize(file).toString())
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .map(file -> file.replace(folder.getFileSystem().getSeparator(), "."))
                    .findFirst()
                    .orElseThrow(
                            () -> new CannotRun(source + " defines no class named like the file"));
        } catch (IOException e) {
            throw new CannotRun("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }
}
