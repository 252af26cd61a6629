package org.ibidem.cli.run;

import java.io.File;
import java.util.List;

/// Programs that divide and conquer: their classes are loaded by Satin, which rewrites them.
final class SatinPrograms {
    private static final String MODULE = "org.ibidem.satin";
    private static final String MAIN = MODULE + ".run.Main";

    private SatinPrograms() {}

    /// What starts this program; its main class is the first argument.
    static Program of(Program program, Scratch scratch) {
        var application = Applications.own().place(program.main());
        var path =
                application.isEmpty()
                        ? program.classPath()
                        : program.classPath().isEmpty()
                                ? application
                                : application + File.pathSeparator + program.classPath();
        var told = "-Dibidem.satin.path=" + path;
        return new Program(
                MAIN,
                "",
                Jvm.isModular()
                        ? List.of("--add-modules=ALL-DEFAULT," + MODULE, told)
                        : List.of(told),
                program.mpi(),
                scratch.name());
    }
}
