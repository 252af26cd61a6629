package org.ibidem.cli.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Compiles a program from its source, so that a first program needs no build.
final class Compiler {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");

    private Compiler() {}

    /// Compiles `source` into `folder`, with Ibidem, `classPath` and the program's other sources to
    /// see.
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
            command.addAll(List.of("-cp", classPath + File.pathSeparator + Jvm.ownPath()));
        }
        try {
            root(source)
                    .ifPresent(root ->
                            command.addAll(
                                    List.of("-sourcepath", joined(root.toString(), classPath))));
            command.add(source.toString());
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

    private static String joined(String root, String classPath) {
        return classPath.isEmpty() ? root : root + File.pathSeparator + classPath;
    }

    /// Where other sources of the program may lie: above the folders of its package, as the `java`
    /// command has it (JEP 458); nowhere, where its own folder is called otherwise.
    private static Optional<Path> root(Path source) throws IOException {
        var named = PACKAGE.matcher(Files.readString(source, StandardCharsets.ISO_8859_1));
        var root = source.toAbsolutePath().normalize().getParent();
        if (!named.find()) {
            return Optional.ofNullable(root);
        }
        var folders = Path.of(named.group(1).replace('.', File.separatorChar));
        if (root == null || !root.endsWith(folders)) {
            return Optional.empty();
        }
        return Optional.of(root.resolve("../".repeat(folders.getNameCount())).normalize());
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
