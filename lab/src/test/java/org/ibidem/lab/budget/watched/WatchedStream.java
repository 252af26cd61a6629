package org.ibidem.lab.budget.watched;

import java.io.IOException;
import java.lang.StackWalker.StackFrame;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.link.ByteStream;
import org.ibidem.link.StreamPath;
import org.ibidem.wait.Waitable;

/// A TCP connection that remembers each call that moved bytes while it is told to watch.
public final class WatchedStream implements ByteStream {
    /// Whether this end asked for the link.
    public final boolean active;

    /// What was seen.
    public final List<Call> calls = new CopyOnWriteArrayList<>();

    /// Whether to look.
    public volatile boolean watching;

    private final StreamPath path;

    /// One call that moved bytes.
    ///
    /// @param thread who called
    /// @param frames methods of ours from this stream up to the user's, which is not one of them
    /// @param bytes moved
    /// @param direct whether the system may use the memory as it is
    /// @param base where the buffer's memory begins
    public record Call(Thread thread, List<String> frames, int bytes, boolean direct, long base) {}

    WatchedStream(StreamPath path, boolean active) {
        this.path = path;
        this.active = active;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int taken = path.write(from);
        note(from, taken);
        return taken;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int got = path.read(into);
        note(into, got);
        return got;
    }

    private void note(ByteBuffer buffer, int bytes) {
        if (watching && bytes > 0) {
            var whole = buffer.duplicate().clear();
            calls.add(
                    new Call(
                            Thread.currentThread(),
                            ours(),
                            bytes,
                            buffer.isDirect(),
                            MemorySegment.ofBuffer(whole).address()));
        }
    }

    /// The methods from the stream's up to the first that is the test's. A driver's own method is
    /// the last of ours before the system's.
    private static List<String> ours() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.dropWhile(frame -> isHelper(frame))
                                .takeWhile(frame -> !isUser(frame))
                                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                                .toList());
    }

    private static boolean isHelper(StackFrame frame) {
        return List.of("ours", "note").contains(frame.getMethodName());
    }

    private static boolean isUser(StackFrame frame) {
        return frame.getClassName().contains("BudgetTest");
    }

    @Override
    public Waitable readable() {
        return path.readable();
    }

    @Override
    public Waitable writable() {
        return path.writable();
    }

    @Override
    public void close() {
        path.close();
    }
}
