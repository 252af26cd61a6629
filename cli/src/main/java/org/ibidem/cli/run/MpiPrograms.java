package org.ibidem.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.ibidem.config.Settings;

/// Programs that refer to the package `mpi` have asked for ours, unless they bring one along.
public final class MpiPrograms {
    /// The module that has it.
    static final String MODULE = "org.ibidem.mpj";

    private static final String PACKAGE = "mpi/";
    private static final String MAIN_CLASS = PACKAGE + "MPI";
    private static final String ARGUMENTS = "ibidem.mpj.arguments";
    private static final String OWN = "own";
    private static final String MPJ_EXPRESS = "mpjexpress";
    private static final String DEVICE = "multicore";

    private MpiPrograms() {}

    /// What the main method of this process gets. Under MPJ Express these are its rank, how many
    /// processes there are, and a device, and only then the program's own, which `MPI.Init` gives:
    /// programs that do not ask it count from the fourth on.
    ///
    /// @param own of the program
    /// @throws org.ibidem.config.SettingException where the setting is neither
    static String[] arguments(String[] own) {
        var settings = Settings.system();
        boolean more =
                settings.value(ARGUMENTS, OWN, MpiPrograms::checkArguments).equals(MPJ_EXPRESS)
                        && ClassLoader.getSystemResource(MAIN_CLASS + ".class") != null;
        return more
                ? Stream.concat(
                                Stream.of(
                                        settings.value("ibidem.rank", "0"),
                                        settings.value("ibidem.size", "1"),
                                        DEVICE),
                                Stream.of(own))
                        .toArray(String[]::new)
                : own;
    }

    /// Refuses what is no value of `ibidem.mpj.arguments`.
    ///
    /// @return the value
    public static String checkArguments(String value) {
        if (!value.equals(OWN) && !value.equals(MPJ_EXPRESS)) {
            throw new IllegalArgumentException(
                    "it is " + OWN + " or " + MPJ_EXPRESS + ", not '" + value + "'");
        }
        return value;
    }

    /// What on the class path has a package `mpi` of its own, which the program gets then.
    static Optional<Path> foreign(String classPath) {
        return ClassPath.parse(classPath).place(MAIN_CLASS + ".class");
    }

    /// Whether the program with this main class is one. What lies beside the main class is looked
    /// at: the same folder, or the same jar.
    ///
    /// @throws CannotRun when it cannot be read
    static boolean is(String main, String classPath) {
        var place = ClassPath.parse(classPath).place(main.replace('.', '/') + ".class");
        try {
            return foreign(classPath).isEmpty() && place.isPresent() && refers(place.get());
        } catch (IOException e) {
            throw new CannotRun("cannot read " + place.get() + ": " + e.getMessage(), e);
        }
    }

    private static boolean refers(Path place) throws IOException {
        return Files.isRegularFile(place) ? jarRefers(place) : folderRefers(place);
    }

    private static boolean folderRefers(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : (Iterable<Path>) files.filter(MpiPrograms::isClass)::iterator) {
                if (refers(Files.readAllBytes(file))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".class") && Files.isRegularFile(file);
    }

    private static boolean jarRefers(Path file) throws IOException {
        try (var jar = new JarFile(file.toFile())) {
            for (var entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (entry.getName().endsWith(".class")) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        if (refers(in.readAllBytes())) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

    private static boolean refers(byte[] bytes) {
        try {
            var pool = ClassFile.of().parse(bytes).constantPool();
            return StreamSupport.stream(pool.spliterator(), false)
                    .anyMatch(entry ->
                            entry instanceof ClassEntry named
                                    && named.name().stringValue().startsWith(PACKAGE));
        } catch (IllegalArgumentException _) {
            return false; // no class at all: the JVM says so, where it is one of the program's
        }
    }
}
