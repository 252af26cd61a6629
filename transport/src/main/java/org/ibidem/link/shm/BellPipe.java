package org.ibidem.link.shm;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.ibidem.config.NativeChannels;
import org.jspecify.annotations.Nullable;

/// A pipe whose bytes wake this end: a third of what a byte on a TCP connection costs, and half of
/// one on a Unix-domain socket. The other end opens it by its number, in `/proc`.
///
/// It has an end only when the other end's descriptor of it is gone, however that went.
final class BellPipe implements AutoCloseable {
    private static final File DESCRIPTORS = new File("/proc/self/fd");
    private static final int NEAR = 64;
    private static final AtomicInteger LAST = new AtomicInteger();
    private static final int LEAST_SIGN = 64;
    private static final int MOST_SIGN = 4096;

    private final Pipe pipe;

    /// Of one of its ends, in this process.
    final int descriptor;

    /// Of the pipe, on this machine.
    final long inode;

    private BellPipe(Pipe pipe, int descriptor, long inode) {
        this.pipe = pipe;
        this.descriptor = descriptor;
        this.inode = inode;
    }

    /// Makes one; null where that cannot be, or the system does not tell its number.
    static @Nullable BellPipe create() {
        var near = create(BellPipe::near);
        if (near != null) {
            return near;
        }
        var before = names();
        return create(() ->
                names().stream()
                        .filter(name -> !before.contains(name))
                        .mapToInt(Integer::parseInt));
    }

    /// Numbers that follow the last one found. To list all takes tens of milliseconds where there
    /// are ten thousand, so a process with many links would make each more slowly than the last.
    private static IntStream near() {
        int last = LAST.get();
        return IntStream.concat(
                IntStream.range(last + 1, last + NEAR),
                IntStream.range(Math.max(0, last - NEAR), last + 1));
    }

    /// @param numbers where to look for the pipe once it is there
    private static @Nullable BellPipe create(Supplier<IntStream> numbers) {
        Pipe pipe = null;
        try {
            pipe = NativeChannels.provider().openPipe();
            pipe.source().configureBlocking(false);
            for (int number : (Iterable<Integer>) numbers.get()::iterator) {
                var path = path(Integer.toString(number));
                long inode = BellPlace.inode(path);
                if (inode != 0 && isOf(pipe, path)) {
                    LAST.set(number);
                    return new BellPipe(pipe, number, inode);
                }
            }
            close(pipe);
        } catch (IOException e) {
            BellPlace.LOG.log(
                    System.Logger.Level.DEBUG, "no pipe for a doorbell: {0}", e.toString());
            if (pipe != null) {
                close(pipe);
            }
        }
        return null;
    }

    private static Set<String> names() {
        var names = DESCRIPTORS.list();
        return names == null ? Set.of() : Set.of(names);
    }

    private static Path path(String name) {
        return DESCRIPTORS.toPath().resolve(name);
    }

    /// The JDK does not tell the number of a channel's descriptor. Another thread may have opened a
    /// pipe just now, too; so what is written to this one must show in that one, and what is read
    /// must be missing there.
    private static boolean isOf(Pipe pipe, Path descriptor) throws IOException {
        var sign = ByteBuffer.allocate(ThreadLocalRandom.current().nextInt(LEAST_SIGN, MOST_SIGN));
        try (var file = new FileInputStream(descriptor.toFile())) {
            pipe.sink().write(sign);
            boolean same = file.available() == sign.position();
            pipe.source().read(sign.flip());
            return same && file.available() == 0;
        } catch (FileNotFoundException _) {
            return false; // another's, who has closed it meanwhile
        }
    }

    SelectableChannel channel() {
        return pipe.source();
    }

    /// The other end has opened it: from now on it has an end.
    void opened() throws IOException {
        pipe.sink().close();
    }

    /// Takes in what was rung.
    ///
    /// @return rings taken in; -1: the other end is gone
    int drain(ByteBuffer into) throws IOException {
        return pipe.source().read(into);
    }

    @Override
    public void close() {
        close(pipe);
    }

    private static void close(Pipe pipe) {
        try (var _ = pipe.source();
                var _ = pipe.sink()) {
            // both are closed, also where one cannot be
        } catch (IOException e) {
            BellPlace.LOG.log(System.Logger.Level.DEBUG, "closing a pipe failed", e);
        }
    }
}
