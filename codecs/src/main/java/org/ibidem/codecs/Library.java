package org.ibidem.codecs;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Native code that is loaded when it is needed first, or cannot be, for a reason.
final class Library {
    /// That of zstd-jni, once for the process.
    static final Library SHARED = new Library(Library::loadZstd);

    private static final System.Logger LOG = System.getLogger(Library.class.getName());

    private final Loader loader;
    private boolean tried;
    private @Nullable String objection;

    /// How it is loaded.
    interface Loader {
        /// Loads it, or throws.
        ///
        /// @throws LinkageError where it does not fit this machine, or is not there
        /// @throws IllegalCallerException where native access is denied
        /// @throws IOException where it cannot be unpacked
        void load() throws IOException;
    }

    Library(Loader loader) {
        this.loader = loader;
    }

    /// Why it cannot be used; null: it is loaded.
    synchronized @Nullable String objection() {
        if (!tried) {
            tried = true;
            try {
                loader.load();
            } catch (LinkageError | IllegalCallerException | IOException e) {
                objection = "its native code cannot be loaded: " + reason(e);
                LOG.log(
                        System.Logger.Level.WARNING,
                        "zstd is left out, and what else both ends have is used: " + objection);
            }
        }
        return objection;
    }

    /// Loads it, or fails.
    void require() {
        var why = objection();
        if (why != null) {
            throw new IllegalStateException("zstd cannot be used here: " + why);
        }
    }

    /// What began it, and what to do, in one line.
    private static String reason(Throwable thrown) {
        var first = thrown;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        // the library adds lines of guesses
        var said = String.valueOf(first.getMessage()).lines().findFirst().orElse("");
        return "%s: %s; %s"
                .formatted(
                        first.getClass().getSimpleName(),
                        said,
                        first instanceof IllegalCallerException
                                ? "start java with --enable-native-access=com.github.luben.zstd_jni"
                                : "it is unpacked where java.io.tmpdir says, which must have room"
                                        + " and let code run");
    }

    /// Unpacked into a folder that nobody else may write to, and gone from there once it is loaded:
    /// a process that is killed leaves nothing.
    private static void loadZstd() throws IOException {
        var folder = Files.createTempDirectory("ibidem-zstd-");
        // Where a loaded library cannot be deleted (Windows), it goes when the process ends; what
        // was noted last goes first.
        folder.toFile().deleteOnExit();
        try {
            Native.load(folder.toFile());
        } finally {
            delete(folder);
        }
        new ZstdCompressCtx().close();
        new ZstdDecompressCtx().close();
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (java.nio.file.AccessDeniedException | NoSuchFileException e) {
            LOG.log(System.Logger.Level.DEBUG, "is deleted later: " + folder, e);
        }
    }
}
