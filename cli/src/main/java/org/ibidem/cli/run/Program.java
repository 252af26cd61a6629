package org.ibidem.cli.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/// What the processes of a job run: a main class, and what the JVM must be told to find it.
///
/// @param main the main class
/// @param classPath the user's class path, [without `*`][ClassPath#text]; `""`: none
/// @param options for the JVM
/// @param mpi whether it gets the package `mpi`
/// @param scratch the folder that is to go with the job; empty: none
record Program(String main, String classPath, List<String> options, boolean mpi, String scratch) {

    /// Finds what a user calls `name`: an application of Ibidem's, a jar, a source file, or a main
    /// class.
    ///
    /// @param name as typed
    /// @param classPath as typed, `""` when nothing was
    /// @param scratch where a source file may be compiled to
    /// @throws CannotRun when there is no such thing
    static Program find(String name, String classPath, Scratch scratch) {
        try {
            return found(name, ClassPath.parse(classPath).text(), scratch);
        } catch (InvalidPathException e) {
            throw new CannotRun(
                    "'"
                            + e.getInput()
                            + "' is no file name in the locale of this process: "
                            + e.getReason()
                            + "; set LC_ALL=C.UTF-8",
                    e);
        }
    }

    private static Program found(String name, String classPath, Scratch scratch) {
        var applications = Applications.own();
        var application = applications.byName().get(name);
        if (application != null) {
            return bundled(application.main(), classPath);
        }
        if (name.endsWith(".jar")) {
            return jar(existing(name, applications), classPath);
        }
        if (name.endsWith(".java")) {
            return source(existing(name, applications), classPath, scratch);
        }
        return mainClass(name, classPath.isEmpty() ? "." : classPath, applications);
    }

    /// The same with that folder.
    Program with(Path folder) {
        return new Program(main, classPath, options, mpi, folder.toString());
    }

    /// What shows what an application computes.
    ///
    /// @param name of the application
    /// @throws CannotRun when there is no such application, or nothing to see of it
    static Program watching(String name) {
        var applications = Applications.own().byName();
        var application = applications.get(name);
        if (application == null || application.watch().isEmpty()) {
            throw new CannotRun(
                    "'"
                            + name
                            + "' is no application that can be watched; known are "
                            + applications.values().stream()
                                    .filter(each -> !each.watch().isEmpty())
                                    .map(Applications.Application::name)
                                    .collect(Collectors.joining(", "))
                            + Near.question(name, applications.keySet()));
        }
        return bundled(application.watch(), "");
    }

    private static Program bundled(String main, String classPath) {
        return new Program(main, classPath, modules(false), false, "");
    }

    /// The JDK's modules that a class path program sees without us: with a main module only ours
    /// would be there. All programs get the same ones, that one cache of linked classes fits all.
    private static List<String> modules(boolean mpi) {
        if (!Jvm.isModular()) {
            return List.of();
        }
        boolean apps = !Applications.own().byName().isEmpty();
        return List.of(
                "--add-modules=ALL-DEFAULT"
                        + (apps ? "," + Applications.MODULE : "")
                        + (mpi ? "," + MpiPrograms.MODULE : ""));
    }

    private static Path existing(String name, Applications applications) {
        var file = Path.of(name);
        if (!Files.isRegularFile(file)) {
            throw new CannotRun("no file " + file.toAbsolutePath() + "; " + known(applications));
        }
        return file;
    }

    private static Program jar(Path file, String classPath) {
        try (var jar = new JarFile(file.toFile())) {
            var manifest = jar.getManifest();
            var main =
                    manifest == null
                            ? null
                            : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (main == null) {
                throw new CannotRun(
                        file
                                + " names no Main-Class in its manifest: name the class, and give the jar"
                                + " with --class-path");
            }
            return onClassPath(main.strip(), join(file.toString(), classPath));
        } catch (IOException e) {
            throw new CannotRun("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Program source(Path file, String classPath, Scratch scratch) {
        var folder = scratch.folder();
        Compiler.compile(file, classPath, folder);
        var main = Compiler.mainClass(file, folder);
        var found = onClassPath(main, join(folder.toString(), classPath));
        return new Program(found.main, found.classPath, found.options, found.mpi, scratch.name());
    }

    private static Program mainClass(String name, String classPath, Applications applications) {
        if (ClassPath.parse(classPath).place(name.replace('.', '/') + ".class").isEmpty()) {
            throw new CannotRun(
                    "no program '"
                            + name
                            + "': no class of that name in "
                            + classPath
                            + "; "
                            + known(applications)
                            + Near.question(name, applications.byName().keySet()));
        }
        return onClassPath(name, classPath);
    }

    private static Program onClassPath(String main, String classPath) {
        boolean mpi = MpiPrograms.is(main, classPath);
        var options = new ArrayList<>(modules(mpi));
        if (mpi) {
            options.addAll(OwnClasses.option("ibidem.mpj.own", main, classPath));
        }
        return new Program(main, classPath, List.copyOf(options), mpi, "");
    }

    private static String join(String first, String classPath) {
        return classPath.isEmpty() ? first : first + File.pathSeparator + classPath;
    }

    private static String known(Applications applications) {
        return "known are the applications "
                + String.join(", ", applications.byName().keySet())
                + " (see --list), jars (x.jar), source files (X.java) and main classes (with --class-path)";
    }
}
