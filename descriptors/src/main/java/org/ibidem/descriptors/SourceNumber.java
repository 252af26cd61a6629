package org.ibidem.descriptors;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Finds the number of a pipe's source, which the JDK does not tell: bytes written to the pipe must
/// be waiting at that number, and be gone once they have been read. That is repeated with several
/// counts, since other pipes of the process carry bytes, too.
final class SourceNumber {
    private static final File DESCRIPTORS = new File("/proc/self/fd");
    private static final int NEAR = 64;
    private static final int ROUNDS = 4;
    private static final int MOST_BYTES = 4096;

    private final Libc libc;
    private int last;

    SourceNumber(Libc libc) {
        this.libc = libc;
    }

    /// @param pipe of which nobody else knows, empty
    synchronized int of(Pipe pipe) throws IOException {
        var listed = Stream.ofNullable(DESCRIPTORS.list()).flatMap(Stream::of);
        // most are near the last one; to list ten thousand takes tens of milliseconds
        var near = IntStream.range(Math.max(0, last - NEAR), last + NEAR);
        int found = among(near, pipe);
        if (found < 0) {
            found = among(listed.mapToInt(Integer::parseInt), pipe);
        }
        if (found < 0) {
            throw new IOException("the number of a new pipe is not listed in " + DESCRIPTORS);
        }
        last = found;
        return found;
    }

    private int among(IntStream numbers, Pipe pipe) throws IOException {
        for (int number : numbers.toArray()) {
            if (isOf(number, pipe)) {
                return number;
            }
        }
        return -1;
    }

    private boolean isOf(int number, Pipe pipe) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            int count = ThreadLocalRandom.current().nextInt(1, MOST_BYTES);
            var bytes = ByteBuffer.allocate(count);
            pipe.sink().write(bytes);
            boolean filled = libc.waiting(number) == count;
            pipe.source().read(bytes.flip());
            if (!filled || libc.waiting(number) != 0) {
                return false;
            }
        }
        return libc.isReadOnly(number);
    }
}
