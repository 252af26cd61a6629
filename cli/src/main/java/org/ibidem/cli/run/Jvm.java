package org.ibidem.cli.run;

import java.io.File;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /// Where the package `mpi` comes from: the jar, or the classes of the module's folder.
    private static final Pattern MPJ =
            Pattern.compile("\\bibidem-mpj-|[/\\\\]mpj[/\\\\]target[/\\\\]");

    private static final String CACHE = "job.aot";

    /// That a cache does not fit is nothing to tell the user.
    private static final String NO_AOT = "-Xlog:aot*=off";

    private static final String NO_CDS = "-Xlog:cds*=off";

    /// The only module with native code inside that Ibidem comes with.
    private static final String ZSTD = "com.github.luben.zstd_jni";

    private static final String NATIVE_ACCESS = "--enable-native-access=";

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

    /// The same without what the program has not asked for. (A module is there for who asks.)
    private static String pathFor(Program program) {
        return program.mpi()
                ? ownPath()
                : Stream.of(ownPath().split(File.pathSeparator, -1))
                        .filter(entry -> !MPJ.matcher(entry).find())
                        .collect(Collectors.joining(File.pathSeparator));
    }

    /// The options by which a program's classes are loaded by a loader of ours. The JVM uses no
    /// linked classes then, and would say so.
    static List<String> loadedBy(String loader) {
        return List.of("-Djava.system.class.loader=" + loader, NO_AOT, NO_CDS);
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
                        : List.of("-cp", joined(pathFor(program), program.classPath())));
        nativeAccess().ifPresent(command::add);
        cache().ifPresent(
                        cache -> command.addAll(List.of("-XX:AOTCache=" + cache, NO_AOT, NO_CDS)));
        command.addAll(program.options());
        command.addAll(user);
        if (isModular()) {
            command.add("-m");
            command.add(MODULE + "/" + Leash.class.getName());
        } else {
            command.add(Leash.class.getName());
        }
        command.add(Long.toString(ProcessHandle.current().pid()));
        command.add(program.scratch());
        command.add(program.main());
        command.addAll(arguments);
        return command;
    }

    /// What this JVM was granted, its processes are.
    private static Optional<String> nativeAccess() {
        if (!isModular()) {
            return Optional.of(NATIVE_ACCESS + "ALL-UNNAMED")
                    .filter(_ -> Jvm.class.getModule().isNativeAccessEnabled());
        }
        return ModuleLayer.boot()
                .findModule(ZSTD)
                .filter(Module::isNativeAccessEnabled)
                .map(zstd -> NATIVE_ACCESS + zstd.getName());
    }

    /// The linked classes of a job's process, as the launcher's build has recorded them. Where they
    /// do not fit (another JDK, another collector) the JVM leaves them aside.
    private static Optional<Path> cache() {
        return isModular() && !ownPath().contains(File.pathSeparator)
                ? Optional.of(Path.of(ownPath(), CACHE)).filter(Files::exists)
                : Optional.empty();
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
