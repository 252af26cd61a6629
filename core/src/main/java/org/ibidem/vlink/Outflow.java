package org.ibidem.vlink;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.OutChannel;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.task.Tasks;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.jspecify.annotations.Nullable;

/// What goes. Takes only what finds room in the link.
final class Outflow extends Flow {
    private static final int LONGEST_WORDS = 512;
    private static final byte[] NO_WORDS = {};

    private final OutChannel channel;
    private final Runnable whenOver;
    private final FrameSink sink;
    private final Frame room = new Frame();

    /// The last frame is still to be sent.
    private boolean ending;

    /// It was handed to the link.
    private boolean ended;

    private boolean abandoned;
    private byte[] words = NO_WORDS;
    private boolean unsent;
    private boolean gaveUp;
    private @Nullable VLinkFailed failed;
    private Tasks.@Nullable Task lingering;

    /// @param whenOver called once nothing of what was written is still here
    Outflow(ReceiptLoop loop, OutChannel channel, Runnable whenOver) {
        super(loop, channel.sink());
        this.whenOver = whenOver;
        this.channel = channel;
        this.sink = channel.sink();
    }

    OutChannel outChannel() {
        return channel;
    }

    /// Writes what finds room, one after the other, and hands it on at once; 0: none now.
    long write(ByteBuffer[] from, int at, int end) {
        boolean left;
        long done = 0;
        lock.lock();
        try {
            if (failed != null) {
                throw failed.again();
            }
            if (ending || over) {
                throw new VLinkFailed(Kind.CLOSED, "it was ended at this end");
            }
            requireOpen();
            int next = full(from, at, end);
            while (next < end && claim(1)) {
                while (next < end && room.room() > 0) {
                    done += fill(from[next]);
                    next = full(from, next, end);
                }
                // All that is written at once is handed on at once; and a sink to which nothing
                // follows gives its buffer back, of which a stream has one of 256 KiB.
                unsent = !sink.commit(room, next < end ? Frame.HOLD : 0);
            }
            if (done > 0 && next < end) { // what ended a write was pushed
                unsent = !sink.push();
            }
            left = unsent && !isArmed();
        } catch (LinkBroken e) {
            throw broken(e).again();
        } catch (InternalError e) {
            throw broken(LinkBroken.cut(e)).again();
        } finally {
            lock.unlock();
        }
        if (left) { // perhaps nobody writes again, who would hand it on
            look();
        }
        return done;
    }

    private void requireOpen() {
        if (channel.closedBecause() != null) {
            lookClosed();
            throw failed == null
                    ? new VLinkFailed(Kind.UNREAD, "the other end no longer reads")
                    : failed.again();
        }
    }

    private boolean claim(int atLeast) {
        if (sink.claim(room, atLeast)) {
            return true;
        }
        unsent = !sink.push();
        return sink.claim(room, atLeast);
    }

    /// The first from there in which something is left.
    private static int full(ByteBuffer[] all, int at, int end) {
        int next = at;
        while (next < end && !all[next].hasRemaining()) {
            next++;
        }
        return next;
    }

    private int fill(ByteBuffer from) {
        int bytes = (int) Math.min(from.remaining(), room.room());
        MemorySegment.copy(MemorySegment.ofBuffer(from), 0, room.memory, room.position, bytes);
        from.position(from.position() + bytes);
        room.position += bytes;
        return bytes;
    }

    private VLinkFailed broken(LinkBroken e) {
        var words = String.valueOf(e.getMessage());
        var why = new VLinkFailed(Kind.BROKEN, words, e);
        failed = failed == null ? why : failed;
        leave(() -> channel.broken(words));
        return why;
    }

    /// The receiver wants no more, or the link is gone.
    private void lookClosed() {
        var why = channel.closedBecause();
        if (why == null || over) {
            return;
        }
        if (!channel.closedInOrder()) {
            broken(new LinkBroken(why));
        } else if (failed == null) {
            failed = Words.failure(why);
            ending = true; // the direction may serve another
        }
    }

    /// Nothing follows what was written.
    void end() {
        lock.lock();
        try {
            if (!over) {
                ending = true;
                isReady();
            }
        } finally {
            lock.unlock();
        }
        look();
    }

    /// Nothing follows, and what was written may be dropped.
    void abandon(String why) {
        lock.lock();
        try {
            if (failed == null) {
                failed = new VLinkFailed(Kind.CLOSED, "it was closed at this end: " + why);
            }
            if (!over) {
                var bytes = why.getBytes(StandardCharsets.UTF_8);
                words = Arrays.copyOf(bytes, Math.min(bytes.length, LONGEST_WORDS));
                ending = true;
                abandoned = true;
                isReady();
            }
        } finally {
            lock.unlock();
        }
        tellAll();
        look();
    }

    /// The peer has closed it urgently.
    void failed(VLinkFailed why) {
        lock.lock();
        try {
            failed = failed == null ? why : failed;
            ending = true;
        } finally {
            lock.unlock();
        }
        tellAll();
        look();
    }

    /// Who does not take the last frame in time loses his link.
    void linger(Tasks tasks, Duration limit) {
        lock.lock();
        try {
            if (!over && lingering == null) {
                lingering = tasks.after(limit, "wait for a VLink's reader", this::giveUpLate);
            }
        } catch (IllegalStateException _) {
            giveUpLate(); // this node is going down
        } finally {
            lock.unlock();
        }
    }

    private void giveUpLate() {
        lock.lock();
        try {
            if (!over) {
                leave(() ->
                        channel.giveUp("a VLink was closed, and its reader made no room for that"));
            }
        } finally {
            lock.unlock();
        }
    }

    private void leave(Runnable how) {
        if (!gaveUp) {
            gaveUp = true;
            finish(() -> {
                how.run();
                channel.detached();
            });
        }
    }

    private void finish(Runnable last) {
        if (!over) {
            over = true;
            if (lingering != null) {
                lingering.stop();
            }
            loop.remove(
                    this,
                    () -> {
                        last.run();
                        whenOver.run();
                    });
        }
    }

    private void sendEnd() {
        int size = Math.min(words.length, sink.largest());
        if (!claim(size)) {
            return;
        }
        MemorySegment.copy(MemorySegment.ofArray(words), 0, room.memory, room.position, size);
        room.position += size;
        unsent = !sink.commit(room, abandoned ? Frame.END | Frame.ABANDONED : Frame.END);
        ending = false;
        ended = true;
    }

    boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    boolean writable() {
        lock.lock();
        try {
            return isSettled() || claim();
        } finally {
            lock.unlock();
        }
    }

    /// Room is claimed for who waits for it alone: a claim may hold a buffer until it is written
    /// to, and so would each of thousands to which nobody writes.
    @Override
    boolean isReady() {
        return isSettled() || (isWatched() && claim());
    }

    private boolean claim() {
        try {
            return claim(1);
        } catch (LinkBroken e) {
            broken(e);
        } catch (InternalError e) {
            broken(LinkBroken.cut(e));
        }
        return true;
    }

    /// Hands over, notices an end. True: whoever waits need not wait for room.
    private boolean isSettled() {
        if (over) {
            return true;
        }
        try {
            lookClosed();
            if (ending && !over) {
                sendEnd();
            }
            if (unsent && !over) {
                unsent = !sink.push();
            }
            if (ended && !unsent) {
                finish(() -> {
                    channel.ended();
                    channel.detached();
                });
            }
            return over || ended || ending || failed != null;
        } catch (LinkBroken e) {
            broken(e);
        } catch (InternalError e) {
            broken(LinkBroken.cut(e));
        }
        return true;
    }

    @Override
    boolean isAwaited() {
        return ending || unsent || isWatched();
    }
}
