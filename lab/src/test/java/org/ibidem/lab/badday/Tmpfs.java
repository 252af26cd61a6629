package org.ibidem.lab.badday;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A file system in memory of a size of its own, in which this JVM's shared memory lies meanwhile.
final class Tmpfs implements AutoCloseable {
    private static final String SETTING = "ibidem.shm";
    private static final int SECONDS = 10;

    private final Path folder;

    private Tmpfs(Path folder) {
        this.folder = folder;
    }

    /// @param size as `mount` reads it
    static Tmpfs of(String size) throws IOException {
        var folder = Files.createTempDirectory("ibidem-tmpfs-");
        var options = "size=" + size + ",mode=700";
        boolean mounted = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString());
        if (!mounted) {
            Files.delete(folder);
        }
        assumeTrue(mounted, "this user may not mount a tmpfs");
        System.setProperty(SETTING, folder.toString());
        return new Tmpfs(folder);
    }

    private static boolean run(String... command) {
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // there is no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Names of the files in it.
    List<Path> files() throws IOException {
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }

    /// Bytes in use, of files without a name too.
    long used() {
        try {
            FileStore store = Files.getFileStore(folder);
            return store.getTotalSpace() - store.getUnallocatedSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Detaches it; mappings of its files stay until they are given up.
    @Override
    public void close() throws IOException {
        System.clearProperty(SETTING);
        if (!run("umount", "-l", folder.toString())) {
            throw new IOException("could not unmount " + folder);
        }
        Files.delete(folder);
    }
}
