package org.ibidem.lab.seam.greet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamFilter;
import org.ibidem.task.Tasks;

/// The filter `greet`: before anything else each end says a word and waits until the other has
/// heard it, as those do who agree on a key. Then it is gone.
public final class GreetFilter implements StreamFilter {
    private static final Duration PAUSE = Duration.ofMillis(1);

    /// The options.
    ///
    /// @param within how long an answer is waited for
    public record Greet(Duration within) {
        /// The defaults: 10 s.
        public Greet() {
            this(Duration.ofSeconds(10));
        }
    }

    /// Found by its line in `META-INF/services`.
    public GreetFilter() {}

    @Override
    public String name() {
        return "greet";
    }

    @Override
    public Class<Greet> options() {
        return Greet.class;
    }

    @Override
    public ByteStream over(ByteStream below, Record options, Lower lower) throws IOException {
        var tasks = lower.tasks();
        long end = tasks.deadline(((Greet) options).within());
        var exchange = new Exchange(below, tasks, end);
        var mine = word(lower.active(), lower.key());
        var its = word(!lower.active(), lower.key());
        exchange.say(mine);
        exchange.hear(its);
        exchange.say(its);
        exchange.hear(mine);
        return below;
    }

    private static byte[] word(boolean active, String key) {
        return ((active ? "active " : "passive ") + key).getBytes(StandardCharsets.US_ASCII);
    }

    /// One end of it. It reads what the other says and not a byte more: what follows is the link's.
    private record Exchange(ByteStream stream, Tasks tasks, long end) {
        void say(byte[] word) throws IOException {
            var bytes = ByteBuffer.allocateDirect(word.length).put(word).flip();
            while (bytes.hasRemaining()) {
                if (stream.write(bytes) == 0) {
                    pause();
                }
            }
            while (!stream.flush()) {
                pause();
            }
        }

        void hear(byte[] word) throws IOException {
            var bytes = ByteBuffer.allocateDirect(word.length);
            while (bytes.hasRemaining()) {
                int got = stream.read(bytes);
                if (got < 0) {
                    throw new IOException("the other end did not greet");
                }
                if (got == 0) {
                    pause();
                }
            }
            if (!bytes.flip().equals(ByteBuffer.wrap(word))) {
                throw new IOException("the other end greets in another way");
            }
        }

        private void pause() throws IOException {
            if (end - tasks.nanoTime() <= 0) {
                throw new IOException("the other end did not greet in time");
            }
            try {
                tasks.pause(PAUSE);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the other end's greeting");
            }
        }
    }
}
