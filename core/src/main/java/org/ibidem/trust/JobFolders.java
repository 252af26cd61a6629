package org.ibidem.trust;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.Settings;
import org.jspecify.annotations.Nullable;

/// The usual folders for the keys of this user's jobs: the first that will do is written to, and
/// all are looked into, as a process may not be told of the one that another was told of.
final class JobFolders {
    private static final Path RUN = Path.of("/run/user");
    private static final Path MEMORY = Path.of("/dev/shm");

    private JobFolders() {}

    /// All there may be, best first.
    static List<Path> usual() {
        var user = user();
        var temporary = Path.of(Settings.system().property("java.io.tmpdir").orElse("/tmp"));
        var shared = Files.isDirectory(MEMORY) ? MEMORY : temporary;
        var told =
                Settings.system()
                        .environment("XDG_RUNTIME_DIR")
                        .map(Path::of)
                        .filter(Path::isAbsolute);
        var folders = new ArrayList<Path>();
        Stream.concat(told.stream(), Stream.of(RUN.resolve(user)))
                .distinct()
                .filter(JobFolders::isOwn)
                .forEach(folder -> folders.add(folder.resolve("ibidem")));
        folders.add(shared.resolve(".ibidem-job-" + user));
        return folders;
    }

    private static boolean isOwn(Path folder) {
        try {
            return Files.isDirectory(folder) && OwnFolder.isOwn(folder);
        } catch (IOException _) {
            return false;
        }
    }

    private static String user() {
        try {
            return String.valueOf(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return Settings.system().property("user.name").orElse("unknown");
        }
    }

    /// The keys of jobs with a hub at this port that are still there; 0: at any.
    static List<JobFile> living(Path folder, int port) throws IOException {
        return all(folder, port).stream().filter(file -> !file.launcher().isGone()).toList();
    }

    /// Removes what launchers have left that are gone.
    static void sweep(Path folder) throws IOException {
        for (var file : all(folder, 0)) {
            if (file.launcher().isGone()) {
                file.delete();
            }
        }
    }

    private static List<JobFile> all(Path folder, int port) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        OwnFolder.check(folder);
        try (var files = Files.list(folder)) {
            return files.filter(file -> JobFile.isNamed(file, port))
                    .flatMap(file -> Stream.ofNullable(readable(file)))
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of(); // it has just been removed
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static @Nullable JobFile readable(Path file) {
        try {
            return JobFile.read(file);
        } catch (IOException _) {
            return null; // removed meanwhile, or none of ours
        }
    }

    /// What failed, and with each why.
    static String listed(Throwable[] failed, @Nullable String what) {
        return what
                + Arrays.stream(failed)
                        .map(why -> String.valueOf(why.getMessage()))
                        .collect(Collectors.joining("; ", ": ", ""));
    }
}
