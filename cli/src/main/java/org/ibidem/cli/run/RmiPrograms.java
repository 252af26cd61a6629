package org.ibidem.cli.run;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ibidem.rmi.rewrite.Programs;

/// Programs of `java.rmi`: what of their classes is to be rewritten is put in front of their class
/// path.
final class RmiPrograms {
    private static final String MODULE = "org.ibidem.models";

    private RmiPrograms() {}

    /// The same program, rewritten.
    ///
    /// @param err is told what of the JDK's RMI stays
    /// @throws CannotRun when its classes cannot be read
    static Program of(Program program, Scratch scratch, PrintWriter err) {
        var options = new ArrayList<>(program.options());
        if (Jvm.isModular()) {
            options.add("--add-modules=" + MODULE);
        }
        var places =
                Arrays.stream(program.classPath().split(File.pathSeparator, -1))
                        .filter(place -> !place.isEmpty())
                        .map(Path::of)
                        .toList();
        for (var place : places) {
            if (has(place, program.main().replace('.', '/') + ".class")) {
                options.add("-Dibidem.rmi.own=" + place);
                break;
            }
        }
        var front = scratch.folder().resolve("ibidem-rmi");
        rewrite(places, front, err);
        return new Program(
                program.main(),
                program.classPath().isEmpty()
                        ? ""
                        : front + File.pathSeparator + program.classPath(),
                List.copyOf(options),
                program.mpi(),
                scratch.name());
    }

    private static void rewrite(List<Path> places, Path front, PrintWriter err) {
        try {
            for (var one : Programs.rewrite(places, front)) {
                if (!one.left().isEmpty()) {
                    err.println(
                            "ibidem run: "
                                    + one.name()
                                    + " uses what stays the JDK's: "
                                    + String.join(", ", one.left()));
                }
            }
            err.flush();
        } catch (IOException | IllegalArgumentException e) {
            throw new CannotRun("cannot rewrite the program: " + e.getMessage(), e);
        }
    }

    private static boolean has(Path place, String file) {
        if (!Files.isRegularFile(place)) {
            return Files.isRegularFile(place.resolve(file));
        }
        try (var jar = FileSystems.newFileSystem(place)) {
            return Files.isRegularFile(jar.getPath(file));
        } catch (IOException e) {
            throw new CannotRun("cannot read " + place + ": " + e.getMessage(), e);
        }
    }
}
