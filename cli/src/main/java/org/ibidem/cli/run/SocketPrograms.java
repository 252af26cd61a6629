package org.ibidem.cli.run;

import java.util.ArrayList;
import java.util.List;

/// Programs of sockets: the personality `sockets` starts them, and has their sockets follow rules.
final class SocketPrograms {
    private static final String MODULE = "org.ibidem.personalities";
    private static final String MAIN = "org.ibidem.personality.sockets.Main";

    private static final String CHANNELS = "org.ibidem.personality.nio.IbidemSelectorProvider";
    private static final String ASYNCHRONOUS =
            "org.ibidem.personality.aio.IbidemAsynchronousChannelProvider";

    private SocketPrograms() {}

    /// What starts this program; its main class is the first argument.
    static Program of(Program program, String rules) {
        var options = new ArrayList<>(program.options());
        if (Jvm.isModular()) {
            options.add("--add-modules=" + MODULE);
        }
        options.add("--add-opens=java.base/java.net=" + (Jvm.isModular() ? MODULE : "ALL-UNNAMED"));
        options.add(
                "--add-exports=java.base/sun.nio.ch="
                        + (Jvm.isModular() ? "org.ibidem.base" : "ALL-UNNAMED"));
        options.add("-Djava.nio.channels.spi.SelectorProvider=" + CHANNELS);
        options.add("-Djava.nio.channels.spi.AsynchronousChannelProvider=" + ASYNCHRONOUS);
        options.add("-Dibidem.sockets=" + rules);
        return new Program(
                MAIN, program.classPath(), List.copyOf(options), program.mpi(), program.scratch());
    }
}
