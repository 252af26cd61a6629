package org.ibidem.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A job's folder for temporary files: made for who needs it, and deleted at the end; by the job's
/// processes where the launcher was killed ([Leash]).
final class Scratch implements AutoCloseable {
    private @Nullable Path folder;

    /// The folder.
    Path folder() {
        var made = folder;
        if (made == null) {
            try {
                made = Files.createTempDirectory("ibidem-run-");
            } catch (IOException e) {
                throw new UncheckedIOException("cannot make a temporary folder", e);
            }
            folder = made;
        }
        return made;
    }

    /// Its name; empty where nobody needed it.
    String name() {
        return folder == null ? "" : folder.toString();
    }

    @Override
    public void close() {
        if (folder != null) {
            delete(folder);
        }
    }

    /// Deletes a folder with all that is in it; several may do so at once.
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // Left over in the folder for temporary files, which is what that is for.
        }
    }
}
