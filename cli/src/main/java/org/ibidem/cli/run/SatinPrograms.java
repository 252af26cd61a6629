package org.ibidem.cli.run;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Programs that divide and conquer: their classes are loaded by Satin, which rewrites them.
final class SatinPrograms {
    private static final String MODULE = "org.ibidem.satin";
    private static final String MAIN = MODULE + ".run.Main";
    private static final String LOADER = MODULE + ".run.ProgramLoader";

    private SatinPrograms() {}

    /// What starts this program; its main class is the first argument.
    static Program of(Program program, Scratch scratch) {
        var application = Applications.own().place(program.main());
        var path =
                Stream.of(application, program.classPath())
                        .filter(each -> !each.isEmpty())
                        .collect(Collectors.joining(File.pathSeparator));
        var options = new ArrayList<>(program.options());
        options.addAll(OwnClasses.option("ibidem.satin.own", program.main(), path));
        options.addAll(Jvm.loadedBy(LOADER));
        if (Jvm.isModular()) {
            options.add("--add-modules=" + MODULE);
        }
        return new Program(
                MAIN, program.classPath(), List.copyOf(options), program.mpi(), scratch.name());
    }
}
