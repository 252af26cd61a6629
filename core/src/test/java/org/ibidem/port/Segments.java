package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The shared memory that this process has open, to be cut short as only another process of the
/// same user can do it.
public final class Segments {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern LINK = Pattern.compile(".*/ibidem-[0-9a-f]{32}.*");

    /// Tests, and what a program calls.
    private static final Pattern OUTERMOST =
            Pattern.compile(".*(Test|Segments|\\.WriteMessage|\\.ReadMessage)(\\$.*)?");

    private Map<String, Path> before;

    private Segments() {
        before = now();
    }

    /// Whether this system shows what a process has open.
    public static boolean canBeFound() {
        return Files.isDirectory(DESCRIPTORS);
    }

    /// Those of links that are made from now on.
    public static Segments ofLinks() {
        return new Segments();
    }

    /// By name, and a way to it.
    private Map<String, Path> now() {
        var found = new HashMap<String, Path>();
        try (var all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (var one : all) {
                try {
                    var target = Files.readSymbolicLink(one).toString();
                    if (LINK.matcher(target).matches()) {
                        found.put(target, one);
                    }
                } catch (IOException _) {
                    // closed meanwhile
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return found;
    }

    /// What has come since the last call, or since this was made.
    Collection<Path> found() {
        var here = now();
        var mine = new HashMap<>(here);
        mine.keySet().removeAll(before.keySet());
        before = here;
        return mine.values();
    }

    /// Cuts short what [#found] finds, which is so many.
    public void cutShort(int count) {
        var mine = found();
        assertThat(mine).hasSize(count);
        cutShort(mine);
    }

    static void cutShort(Collection<Path> files) {
        for (var one : files) {
            try (var file = FileChannel.open(one, StandardOpenOption.WRITE)) {
                file.truncate(0);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /// What has come until now stays as it is.
    void spare() {
        before = now();
    }

    /// Whether an error of memory that is gone came up where no port catches it: in a call of a
    /// message, or late, as in compiled code the JVM may raise it where a method returns, at worst
    /// the one that the program called.
    static boolean isLate(Throwable thrown) {
        var frames =
                Stream.of(thrown.getStackTrace())
                        .filter(frame -> frame.getClassName().startsWith("org.ibidem."))
                        .toList();
        if (frames.stream().anyMatch(Segments::isCallOfMessage)) {
            return thrown instanceof InternalError;
        }
        int called = !frames.isEmpty() && isReceive(frames.getFirst()) ? 1 : 0;
        return thrown instanceof InternalError
                && frames.size() > called
                && OUTERMOST.matcher(frames.get(called).getClassName()).matches();
    }

    private static boolean isCallOfMessage(StackTraceElement frame) {
        var owner = frame.getClassName();
        return owner.equals(WriteMessage.class.getName())
                || owner.equals(ReadMessage.class.getName());
    }

    private static boolean isReceive(StackTraceElement frame) {
        return frame.getClassName().equals(ReceivePort.class.getName())
                && frame.getMethodName().equals("receive");
    }
}
