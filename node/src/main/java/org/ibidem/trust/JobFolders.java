package org.ibidem.trust;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.Settings;
import org.jspecify.annotations.Nullable;

/// The usual folders for the keys of this user's jobs: the first that will do is written to, and
/// all are looked into, as a process may not be told of the one that another was told of.
final class JobFolders {
    private static final Path RUN = Path.of("/run/user");
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path TEMPORARY = Path.of("/tmp");

    private JobFolders() {}

    /// One there may be.
    ///
    /// @param in the folder it lies in, which is there already
    /// @param shared whether others write to that, too; else it must be this user's
    record Place(Path in, String name, boolean shared) {
        Path folder() {
            return in.resolve(name);
        }

        /// @throws IOException when nothing of this user's can lie there; says why
        private void check() throws IOException {
            if (!Files.readAttributes(in, BasicFileAttributes.class).isDirectory()) {
                throw new FileSystemException(in.toString(), null, "it is no folder");
            }
            if (!shared && !OwnFolder.isOwn(in)) {
                throw new FileSystemException(
                        in.toString(), null, "it belongs to " + Files.getOwner(in).getName());
            }
        }

        private boolean fits() {
            try {
                check();
                return true;
            } catch (IOException _) {
                return false;
            }
        }

        /// Makes it where it is not there, and removes what launchers have left in it.
        ///
        /// @throws IOException when nothing is to be written there; says why
        void make() throws IOException {
            check();
            OwnFolder.make(folder());
            sweep(folder());
        }
    }

    /// All there may be, best first; the last is where any process of the machine may write.
    static List<Place> places(Settings settings) {
        var user = user();
        var temporary = Path.of(settings.property("java.io.tmpdir").orElse("/tmp"));
        var told = settings.environment("XDG_RUNTIME_DIR").map(Path::of).filter(Path::isAbsolute);
        var own =
                Stream.concat(told.stream(), Stream.of(RUN.resolve(user)))
                        .distinct()
                        .map(in -> new Place(in, "ibidem", false));
        var shared =
                Stream.of(Files.isDirectory(MEMORY) ? MEMORY : temporary, TEMPORARY)
                        .distinct()
                        .filter(Files::isDirectory)
                        .map(in -> new Place(in, ".ibidem-job-" + user, true));
        return Stream.concat(own, shared).toList();
    }

    /// Those into which is looked.
    static List<Path> usual() {
        return places(Settings.system()).stream().filter(Place::fits).map(Place::folder).toList();
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

    /// Why nothing came of a folder, with its name: some exceptions of files say nothing else.
    static String why(Path folder, IOException e) {
        return switch (e) {
            case AccessDeniedException denied ->
                    folder + ": permission denied" + within(folder, denied);
            case NoSuchFileException none -> folder + ": there is no " + none.getFile();
            case FileSystemException of when of.getReason() != null ->
                    folder + ": " + of.getReason() + within(folder, of);
            default -> folder + ": " + (e.getMessage() == null ? e : e.getMessage());
        };
    }

    private static String within(Path folder, FileSystemException e) {
        boolean itself = e.getFile() == null || Path.of(e.getFile()).startsWith(folder);
        return itself ? "" : " (" + e.getFile() + ")";
    }
}
