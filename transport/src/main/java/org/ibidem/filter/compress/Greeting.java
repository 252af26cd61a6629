package org.ibidem.filter.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.ibidem.codec.Codec;
import org.ibidem.link.ByteStream;
import org.ibidem.task.Tasks;

/// What both ends say before the first block: the numbers of their codecs.
///
/// ```
///  0           1
///  | count u8  | number u8 ... |
/// ```
///
/// @param end when it has to be over, by the clock of `tasks`
record Greeting(ByteStream stream, Tasks tasks, long end) {
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final int MOST = 32;

    /// Says these, hears the other end's, and keeps what both have.
    List<Codec> agree(List<Codec> mine) throws IOException {
        var ours = mine.subList(0, Math.min(mine.size(), MOST));
        var said = ByteBuffer.allocateDirect(1 + ours.size()).put((byte) ours.size());
        ours.forEach(codec -> said.put((byte) codec.number()));
        say(said.flip());
        int count = hear(1).get() & 0xFF;
        if (count > MOST) {
            throw new IOException(
                    "the other end says that it has %d codecs; up to %d are believed"
                            .formatted(count, MOST));
        }
        var theirs = hear(count);
        var numbers = new boolean[256];
        while (theirs.hasRemaining()) {
            numbers[theirs.get() & 0xFF] = true;
        }
        return ours.stream().filter(codec -> numbers[codec.number()]).toList();
    }

    private void say(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (stream.write(bytes) == 0) {
                pause();
            }
        }
        while (!stream.flush()) {
            pause();
        }
    }

    private ByteBuffer hear(int count) throws IOException {
        var bytes = ByteBuffer.allocateDirect(count);
        while (bytes.hasRemaining()) {
            int got = stream.read(bytes);
            if (got < 0) {
                throw new IOException("the other end ended the connection");
            }
            if (got == 0) {
                pause();
            }
        }
        return bytes.flip();
    }

    private void pause() throws IOException {
        if (end - tasks.nanoTime() <= 0) {
            throw new IOException("the other end did not say in time which codecs it has");
        }
        try {
            tasks.pause(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while agreeing on codecs");
        }
    }
}
