package org.ibidem.personality.aio;

import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.PostedFile;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.jspecify.annotations.Nullable;

/// What POSIX calls `struct aiocb`: from where or to where, the buffer, and what has become of it.
/// When it has completed and its result was taken it can be used again.
public final class ControlBlock {
    /// What [Aio#list] does with it.
    public enum Operation {
        /// `LIO_READ`
        READ,

        /// `LIO_WRITE`
        WRITE,

        /// `LIO_NOP`
        NOTHING
    }

    /// What [#status] answers, in the place of an error number.
    public enum Status {
        /// It was not begun, or its result was taken.
        IDLE,

        /// `EINPROGRESS`
        IN_PROGRESS,

        /// It has a result.
        DONE,

        /// `ECANCELED`
        CANCELLED,

        /// It failed; [#result] says why.
        FAILED
    }

    private static final System.Logger LOG = System.getLogger(ControlBlock.class.getName());

    private final Target target;
    private final ByteBuffer buffer;
    private Operation operation = Operation.NOTHING;
    private Status status = Status.IDLE;
    private long moved;
    private @Nullable VLinkFailed failed;
    private @Nullable Posted<Integer> posted;
    private @Nullable Consumer<ControlBlock> handler;
    private Runnable over = () -> {};

    /// What is read or written.
    private sealed interface Target {
        Posted<Integer> post(Operation operation, ByteBuffer buffer, long done);

        /// A stream, whose operations keep the order in which they were begun.
        record Stream(VLink link) implements Target {
            @Override
            public Posted<Integer> post(Operation operation, ByteBuffer buffer, long done) {
                return operation == Operation.READ ? link.postRead(buffer) : link.postWrite(buffer);
            }
        }

        /// A file, from here on.
        record Stored(PostedFile file, long offset) implements Target {
            @Override
            public Posted<Integer> post(Operation operation, ByteBuffer buffer, long done) {
                return operation == Operation.READ
                        ? file.postRead(buffer, offset + done)
                        : file.postWrite(buffer, offset + done);
            }
        }
    }

    private ControlBlock(Target target, ByteBuffer buffer) {
        this.target = target;
        this.buffer = buffer;
    }

    /// Of a stream.
    ///
    /// @param buffer not to be touched while it is in progress
    public static ControlBlock of(VLink link, ByteBuffer buffer) {
        return new ControlBlock(new Target.Stream(link), buffer);
    }

    /// Of a file.
    ///
    /// @param offset where in the file, in bytes from its beginning
    /// @throws IllegalArgumentException when that is negative
    public static ControlBlock of(PostedFile file, ByteBuffer buffer, long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("an offset of " + offset + "; 0 is the least");
        }
        return new ControlBlock(new Target.Stored(file, offset), buffer);
    }

    /// Says what [Aio#list] does with it (`aio_lio_opcode`).
    ///
    /// @return this
    public synchronized ControlBlock operation(Operation what) {
        requireIdle();
        operation = what;
        return this;
    }

    synchronized Operation operation() {
        return operation;
    }

    /// Has this called whenever it has completed (`aio_sigevent`, `SIGEV_THREAD`), by the node's
    /// loop, for which it must not wait, or by who began it.
    ///
    /// @return this
    public synchronized ControlBlock whenDone(Consumer<ControlBlock> told) {
        requireIdle();
        handler = told;
        return this;
    }

    private void requireIdle() {
        if (status != Status.IDLE) {
            throw new IllegalStateException(
                    status == Status.IN_PROGRESS
                            ? "it is in progress"
                            : "it has completed: take its result first");
        }
    }

    /// What has become of it (`aio_error`).
    public synchronized Status status() {
        return status;
    }

    /// Takes its result (`aio_return`), once.
    ///
    /// @return bytes; -1: nothing was left of the stream or file to be read
    /// @throws VLinkFailed when it failed
    /// @throws CancellationException when it was cancelled
    /// @throws IllegalStateException when it has not completed, or this was called already
    public synchronized long result() {
        if (status == Status.IDLE || status == Status.IN_PROGRESS) {
            throw new IllegalStateException(
                    status == Status.IDLE
                            ? "it was not begun, or its result was taken"
                            : "it is in progress");
        }
        var why = failed;
        boolean given = status == Status.CANCELLED;
        status = Status.IDLE;
        failed = null;
        if (why != null) {
            throw why;
        }
        if (given) {
            throw new CancellationException("it was cancelled");
        }
        return moved;
    }

    /// In which it keeps its order; null: in none.
    synchronized @Nullable Object lane() {
        return target instanceof Target.Stream stream
                ? new Lane(stream.link, operation == Operation.READ)
                : null;
    }

    private record Lane(VLink link, boolean reads) {}

    boolean isOf(Object what) {
        return switch (target) {
            case Target.Stream stream -> stream.link.equals(what);
            case Target.Stored stored -> stored.file.equals(what);
        };
    }

    /// It is to be done.
    synchronized void begin(Operation what) {
        requireIdle();
        if (what == Operation.READ && buffer.isReadOnly()) {
            throw new IllegalArgumentException("nothing can be read into a read-only buffer");
        }
        operation = what;
        status = Status.IN_PROGRESS;
        moved = 0;
        posted = null;
    }

    /// Posts it, or what is left of it; null: it is over.
    synchronized @Nullable Posted<Integer> post() {
        if (status != Status.IN_PROGRESS) {
            return null;
        }
        posted = target.post(operation, buffer, moved);
        return posted;
    }

    /// Takes what has become of what was posted.
    ///
    /// @return false: there is more to be written
    synchronized boolean took(Posted<Integer> done) {
        try {
            int bytes = done.result();
            moved = bytes < 0 ? bytes : moved + bytes;
            if (operation == Operation.WRITE && buffer.hasRemaining()) {
                return false;
            }
            status = Status.DONE;
        } catch (VLinkFailed e) {
            if (e.kind() != VLinkFailed.Kind.CANCELLED) {
                failed = e;
                status = Status.FAILED;
            } else {
                status = moved > 0 ? Status.DONE : Status.CANCELLED;
            }
        }
        return true;
    }

    /// Before it was posted.
    ///
    /// @return false: it was, or is over
    synchronized boolean cancelled() {
        boolean mine = status == Status.IN_PROGRESS && posted == null;
        if (mine) {
            status = Status.CANCELLED;
        }
        return mine;
    }

    synchronized @Nullable Posted<Integer> posted() {
        return posted;
    }

    /// It was not begun after all.
    synchronized void takeBack() {
        status = Status.IDLE;
    }

    /// Has this called when it is over this time.
    synchronized void whenOver(Runnable then) {
        over = then;
    }

    void tell() {
        Consumer<ControlBlock> told;
        Runnable then;
        synchronized (this) {
            told = handler;
            then = over;
        }
        if (told != null) {
            tell(() -> told.accept(this));
        }
        tell(then); // those that wait for all of a list hear of this one in any case
    }

    private static void tell(Runnable handler) {
        try {
            handler.run();
        } catch (RuntimeException | Error e) { // the others go on
            LOG.log(System.Logger.Level.WARNING, "a handler of a control block failed", e);
        }
    }
}
