package org.ibidem.cli.run;

import java.util.ArrayList;
import java.util.List;

/// Programs of `java.rmi`: their classes are rewritten as they are loaded.
final class RmiPrograms {
    private static final String MODULE = "org.ibidem.models";
    private static final String LOADER = "org.ibidem.rmi.rewrite.ProgramLoader";

    /// Has JNDI, and JMX by it, look for names of the scheme `rmi` in the pool.
    private static final String JNDI = "-Djava.naming.factory.url.pkgs=org.ibidem.rmi.program";

    private RmiPrograms() {}

    /// The same program, rewritten.
    static Program of(Program program) {
        var options = new ArrayList<>(program.options());
        if (Jvm.isModular()) {
            options.add("--add-modules=" + MODULE);
        }
        options.add(JNDI);
        options.addAll(OwnClasses.option("ibidem.rmi.own", program.main(), program.classPath()));
        options.addAll(Jvm.loadedBy(LOADER));
        return new Program(
                program.main(),
                program.classPath(),
                List.copyOf(options),
                program.mpi(),
                program.scratch());
    }
}
