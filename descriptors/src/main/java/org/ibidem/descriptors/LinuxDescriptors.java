package org.ibidem.descriptors;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.util.NoSuchElementException;
import org.ibidem.config.NativeChannels;
import org.ibidem.wait.Descriptors;
import org.jspecify.annotations.Nullable;

/// Waits for descriptors as the package page says. Nothing native is loaded before somebody asks
/// for its objection or for a channel.
public final class LinuxDescriptors implements Descriptors {
    private boolean tried;
    private @Nullable String objection;
    private @Nullable Libc libc;
    private @Nullable SourceNumber number;

    /// Made by the service loader.
    public LinuxDescriptors() {}

    @Override
    public synchronized @Nullable String objection() {
        if (!tried) {
            tried = true;
            try {
                var loaded = new Libc();
                number = new SourceNumber(loaded);
                libc = loaded;
            } catch (IllegalCallerException e) {
                objection =
                        "native access is denied to the module org.ibidem.descriptors; start the"
                                + " JVM with --enable-native-access=org.ibidem.descriptors (on the"
                                + " class path: ALL-UNNAMED)";
            } catch (NoSuchElementException | LinkageError | UnsupportedOperationException e) {
                objection = "only Linux has these descriptors: " + e.getMessage();
            }
        }
        return objection;
    }

    @Override
    public Pipe.SourceChannel readable(int descriptor) throws IOException {
        var why = objection();
        if (libc == null || number == null) {
            throw new IllegalStateException(why);
        }
        requireWaitable(libc, descriptor);
        var pipe = NativeChannels.provider().openPipe();
        try (var _ = pipe.sink()) {
            pipe.source().configureBlocking(false);
            libc.duplicate(descriptor, number.of(pipe));
            return pipe.source();
        } catch (IOException e) {
            pipe.source().close();
            throw e;
        }
    }

    private static void requireWaitable(Libc libc, int descriptor) throws IOException {
        try {
            libc.tryToWaitFor(descriptor);
        } catch (Libc.Failed e) {
            throw switch (e.number) {
                case Libc.NOT_OPEN ->
                        new IOException("descriptor %d is not open".formatted(descriptor), e);
                case Libc.NOT_PERMITTED ->
                        new IOException(
                                "descriptor %d is a file or folder, which is always ready: there is"
                                                .formatted(descriptor)
                                        + " nothing to wait for",
                                e);
                default -> e;
            };
        }
    }
}
