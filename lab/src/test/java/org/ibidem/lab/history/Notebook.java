package org.ibidem.lab.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Where one process writes its part of a history down, each line at once: what was written stays
/// when the process is killed.
public final class Notebook implements AutoCloseable {
    private final OutputStream out;

    /// Begins a file, or goes on with it.
    public Notebook(Path file) throws IOException {
        out = new FileOutputStream(file.toFile(), true);
    }

    /// Notes what happens now. Of a call to be begun before it begins, of one that has ended after
    /// that: so the time between them is never too short.
    public synchronized void note(String who, String what, Object... words) {
        var line = Entry.of(Entry.now(), who, what, words) + "\n";
        try {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
