package org.ibidem.cli.run;

import java.io.File;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command line of one process: this JVM's own `java`, on this JVM's own modules (or, where
/// Ibidem itself is on the class path, on that).
final class Jvm {
    /// The module that [Leash] is in.
    static final String MODULE = "org.ibidem.cli";

    /// How programs that print to a console encode text.
    static final Charset CONSOLE =
            Charset.forName(System.getProperty("stdout.encoding", Charset.defaultCharset().name()));

    /// Several JVMs on one machine: one collector thread each, not one for each core.
    private static final String SMALL = "-XX:+UseSerialGC";

    private Jvm() {}

    /// Whether Ibidem runs as modules.
    static boolean isModular() {
        return Jvm.class.getModule().isNamed();
    }

    /// Where Ibidem's classes come from: this JVM's module path, or class path.
    static String ownPath() {
        var path = System.getProperty(isModular() ? "jdk.module.path" : "java.class.path");
        return path == null ? "" : path;
    }

    /// A command of this JDK.
    static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /// The command that runs `program` on the leash.
    ///
    /// @param user options for the JVM as the user gave them: they come last, and so win
    static List<String> command(Program program, List<String> user, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(tool("java"));
        if (user.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w*GC"))) {
            command.add(SMALL);
        }
        command.addAll(
                isModular()
                        ? modular(program)
                        : List.of("-cp", joined(ownPath(), program.classPath())));
        command.addAll(program.options());
        command.addAll(user);
        if (isModular()) {
            command.add("-m");
            command.add(MODULE + "/" + Leash.class.getName());
        } else {
            command.add(Leash.class.getName());
        }
        command.add(Long.toString(ProcessHandle.current().pid()));
        command.add(program.main());
        command.addAll(arguments);
        return command;
    }

    private static List<String> modular(Program program) {
        return program.classPath().isEmpty()
                ? List.of("-p", ownPath())
                : List.of("-p", ownPath(), "-cp", program.classPath());
    }

    private static String joined(String one, String other) {
        return other.isEmpty() ? one : one + File.pathSeparator + other;
    }
}
