package org.ibidem.control;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Hearing;
import org.ibidem.connect.Heartbeat;
import org.ibidem.connect.routed.Overheard;
import org.ibidem.control.ControlFrames.Received;
import org.ibidem.handshake.Proved;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.ibidem.tls.SessionBroken;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Small messages both ways over a proved connection: what nodes and hubs say to each other apart
/// from data.
///
/// Sending never blocks: messages wait in a bounded queue, and a peer that lets it overflow loses
/// the link. What comes waits in a bounded queue, too, for one thread that receives ([#receive]) or
/// is handed on ([#deliver]); while that queue is full nothing is read.
///
/// All links of a node are read and written by the one thread that drives its parts, and their time
/// is told by the one that watches it: so a node answers PINGs while its programs' threads hold all
/// processors, and an idle link costs no thread.
///
/// When nothing was heard for a while the link sends a PING; when nothing was heard for long it
/// says so to [#onSilence], again and again, and goes on: what silence means is not for the link to
/// judge. A process that stood still itself has not listened: for it silence begins anew.
public final class ControlLink implements AutoCloseable {
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    /// Frames that are read in one turn; then the other links have theirs.
    private static final int MOST_AT_ONCE = 64;

    private final Proved proved;
    private final StreamPath path;
    private final Tasks tasks;
    private final Limits limits;
    private final Outgoing outgoing;
    private final Inbox inbox;
    private final ControlFrames.Reader frames;
    private final CountDownLatch cut = new CountDownLatch(1);
    private volatile Tasks.@Nullable Driven driven;
    private volatile @Nullable Delivery delivery;
    private volatile boolean leaving;
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
    private final Part part;

    private volatile Consumer<Duration> onSilence = this::giveUp;
    private final Hearing hearing;
    private volatile Tasks.@Nullable Task beat;

    /// The bounds of a link; both ends should use the same.
    ///
    /// @param message longest message, in bytes
    /// @param messages most messages that wait to be sent
    /// @param bytes most bytes that wait to be sent
    /// @param interval after so long without hearing anything a PING is sent
    /// @param silence after so long without hearing anything the peer is called silent
    public record Limits(
            int message, int messages, int bytes, Duration interval, Duration silence) {
        /// 64 KiB a message; 4096 messages and 4 MiB waiting; the usual heartbeat.
        public static final Limits DEFAULT =
                new Limits(
                        64 * 1024,
                        4096,
                        4 * 1024 * 1024,
                        Heartbeat.USUAL.interval(),
                        Heartbeat.USUAL.silence());

        /// The same with another rhythm.
        public Limits heartbeat(Duration newInterval, Duration newSilence) {
            return new Limits(message, messages, bytes, newInterval, newSilence);
        }
    }

    private ControlLink(Proved proved, Tasks tasks, Limits limits) {
        this.proved = proved;
        this.path = proved.stream();
        this.tasks = tasks;
        this.limits = limits;
        this.outgoing = new Outgoing(limits.messages, limits.bytes);
        this.inbox = new Inbox(limits.message, this::soon);
        this.frames = new ControlFrames.Reader(limits.message);
        this.hearing = new Hearing(tasks, limits.interval);
        this.part = new Part();
    }

    /// Makes a link of this connection, which it owns from now on.
    public static ControlLink over(Proved proved, Tasks tasks, Limits limits) {
        var link = new ControlLink(proved, tasks, limits);
        if (proved.path() instanceof Overheard shared) {
            shared.onSign(link.hearing::heard);
        }
        link.begin();
        link.beatLater();
        return link;
    }

    private void begin() {
        try {
            path.blocking(false);
        } catch (IOException _) {
            // it was closed, which the first read will say
        }
        var drives = tasks.drive("control link to " + peer().brief(), part);
        driven = drives;
        // Where there is no channel to select, the stream rings.
        for (var side : List.of(path.readable(), path.writable())) {
            if (side.channel() == null) {
                side.bell(drives::soon);
                side.arm();
            }
        }
        drives.soon();
    }

    /// Who is at the other end.
    public NodeId peer() {
        return proved.peer();
    }

    /// The connection under it, for what the handshake said; its path belongs to the link.
    public Proved proved() {
        return proved;
    }

    /// Sets who is told when nothing was heard for the limit's silence, and after every further
    /// interval; gets how long it has been. Where nothing is set, the link is given up.
    public void onSilence(Consumer<Duration> told) {
        onSilence = told;
    }

    /// How many messages wait to be sent now.
    public int waiting() {
        return outgoing.size();
    }

    /// How long nothing was heard.
    public Duration quiet() {
        return hearing.quiet();
    }

    /// Sends a message; never blocks. The array must not be changed afterwards.
    ///
    /// @return false when the link has ended, or ended because its queue was full: the message does
    ///   not travel
    /// @throws IllegalArgumentException when the message is longer than the limit
    public boolean send(byte[] message) {
        if (message.length > limits.message) {
            throw new IllegalArgumentException(
                    "a control message of "
                            + message.length
                            + " bytes, but at most "
                            + limits.message
                            + " are allowed");
        }
        if (ending.get() != null) {
            return false;
        }
        if (!outgoing.offer(ControlFrames.frame(ControlFrames.MESSAGE, message))) {
            end(
                    new Ending.Overflow(
                            "the peer takes too little: " + outgoing + " are waiting to be sent"));
            return false;
        }
        soon();
        return true;
    }

    /// Waits for the next message; for one thread at a time.
    ///
    /// @return null when the link has ended, its last words said; [#ending] says how
    public byte @Nullable [] receive() {
        try {
            var message = ending.get() == null ? inbox.take() : null;
            if (message == null) {
                var how = inbox.ending();
                if (how != null) {
                    end(how);
                }
            }
            if (ending.get() == null) {
                return message;
            }
            cut.await(); // a receiver that goes on at once may stop the thread that says goodbye
            return null;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            end(new Ending.Closed("closed here, without a word"));
            return null;
        }
    }

    /// What becomes of messages that nobody waits for.
    private record Delivery(Consumer<byte[]> messages, Runnable end) {}

    /// Has what comes from now on, and what has come, handed on by the thread that drives the link,
    /// instead of [#receive].
    ///
    /// @param messages gets each; must not block. What it throws ends the link
    /// @param end run once the link has ended; must not block
    public void deliver(Consumer<byte[]> messages, Runnable end) {
        delivery = new Delivery(messages, end);
        if (cut.getCount() == 0) {
            part.tellEnd(); // it was over before
        }
        soon();
    }

    private void soon() {
        var drives = driven;
        if (drives != null) {
            drives.soon();
        }
    }

    private Ending failed(IOException e) {
        if (SessionBroken.isCauseOf(e)) {
            return new Ending.Altered(String.valueOf(e.getMessage()));
        }
        return timedOut(e) ? new Ending.Silent(quiet()) : new Ending.Reset(e.toString());
    }

    /// The kernel has asked for signs of life, too ([Heartbeat#keep]).
    private static boolean timedOut(IOException e) {
        return String.valueOf(e.getMessage()).contains("timed out");
    }

    /// Asks the peer for a sign of life now, before its time.
    public void ping() {
        outgoing.prompt(ControlFrames.PING);
        soon();
    }

    /// How it ended, or null while it lives.
    public @Nullable Ending ending() {
        return ending.get();
    }

    /// Ends the link at once because the peer was silent for so long.
    public void giveUp(Duration since) {
        end(new Ending.Silent(since));
    }

    /// Ends the link at once because the peer sent something that makes no sense to the user of the
    /// link.
    public void violated(String reason) {
        end(new Ending.Violation(reason));
    }

    /// Says goodbye: sends what is waiting and the reason, for at most a second, then ends the
    /// link. The peer sees [Ending.Left]. May be called any number of times; the first reason
    /// counts.
    public void close(String reason) {
        if (!ending.compareAndSet(null, new Ending.Closed(reason))) {
            return;
        }
        inbox.close();
        try {
            var limit = tasks.alarm(LAST_WORDS, "last words", this::cut);
            outgoing.last(ControlFrames.goodbye(reason));
            leaving = true;
            soon();
            cut.await();
            limit.stop();
        } catch (IllegalStateException _) {
            // this node is going down: without a time limit there are no last words
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        cut();
    }

    @Override
    public void close() {
        close("closed");
    }

    private void end(Ending how) {
        if (ending.compareAndSet(null, how)) {
            if (how.isGivenUp()) {
                // An end in order would be taken for that of this process, which goes on.
                path.reset();
            }
            cut();
        }
    }

    private void cut() {
        var timer = beat;
        if (timer != null) {
            timer.stop();
        }
        outgoing.close();
        inbox.close();
        path.close();
        cut.countDown();
        soon();
    }

    private void beatLater() {
        beat = tasks.alarm(limits.interval, "heartbeat of " + peer().brief(), this::beat);
        if (ending.get() != null) {
            beat.stop();
        }
    }

    private void beat() {
        if (ending.get() != null) {
            return;
        }
        if (inbox.isFull()) {
            hearing.heard(); // this end does not listen
        }
        var quiet = quiet();
        var unheard = hearing.beat(); // before another beat can come
        if (quiet.compareTo(limits.interval) >= 0) {
            ping();
        }
        beatLater();
        if (unheard.compareTo(limits.silence) >= 0) {
            onSilence.accept(quiet);
        }
    }

    /// The link as it is driven: all of this is done by one thread at a time.
    private final class Part implements Progress {
        private final FrameWriter writer = new FrameWriter(path, outgoing);
        private final AtomicBoolean toldEnd = new AtomicBoolean();
        private boolean hasRead;
        private boolean hasLeft;

        @Override
        public @Nullable SelectableChannel channel() {
            return path.readable().channel();
        }

        @Override
        public int interest() {
            return (reads() ? SelectionKey.OP_READ : 0)
                    | (writer.isFull() ? SelectionKey.OP_WRITE : 0);
        }

        @Override
        public long progress(long now) {
            if (cut.getCount() > 0) {
                writer.write();
                boolean more = read();
                deliver();
                writer.write();
                leave();
                if (cut.getCount() > 0) {
                    return more ? 0 : IDLE;
                }
            }
            tellEnd();
            return OVER;
        }

        @Override
        public void abandoned() {
            ending.compareAndSet(null, new Ending.Closed("this node is going down"));
            cut();
            tellEnd();
        }

        private boolean reads() {
            return !hasRead && (leaving || !inbox.isFull());
        }

        /// @return whether there may be more
        private boolean read() {
            try {
                for (int i = 0; reads(); i++) {
                    if (i == MOST_AT_ONCE) {
                        return true;
                    }
                    var frame = frames.next(path);
                    if (frame == null) {
                        return false;
                    }
                    hearing.heard();
                    react(frame);
                }
            } catch (EOFException _) {
                var why = writer.broken();
                ended(why == null ? new Ending.EndOfStream() : new Ending.Reset(why));
            } catch (ClosedChannelException _) {
                ended(new Ending.Closed("closed here, without a word"));
            } catch (Malformed e) {
                ended(new Ending.Violation(String.valueOf(e.getMessage())));
            } catch (IOException e) {
                ended(failed(e));
            }
            return false;
        }

        private void react(Received frame) {
            switch (frame.kind) {
                case ControlFrames.MESSAGE -> {
                    if (!leaving) {
                        inbox.add(frame.payload);
                    }
                }
                case ControlFrames.PING -> outgoing.prompt(ControlFrames.PONG);
                case ControlFrames.GOODBYE -> ended(new Ending.Left(frame.text()));
                default -> {
                    // a PONG has done its work by being heard
                }
            }
        }

        /// Nothing is read after this; it is so for the link once all before it was taken.
        private void ended(Ending how) {
            hasRead = true;
            inbox.end(how);
        }

        private void deliver() {
            var to = delivery;
            if (to == null || ending.get() != null) {
                return;
            }
            try {
                for (var next = inbox.poll(); next != null; next = inbox.poll()) {
                    to.messages.accept(next);
                }
                var how = inbox.ending();
                if (how != null) {
                    end(how);
                }
            } catch (Malformed e) {
                violated(String.valueOf(e.getMessage()));
            }
        }

        /// After the goodbye the peer is to end the connection: closing over bytes that were not
        /// read would be a reset, which may overtake the goodbye.
        private void leave() {
            if (!leaving || !writer.isDone()) {
                return;
            }
            try {
                if (!hasLeft) {
                    hasLeft = true;
                    path.end();
                }
                if (hasRead || writer.broken() != null) {
                    cut();
                }
            } catch (IOException _) {
                cut(); // it is gone
            }
        }

        private void tellEnd() {
            var to = delivery;
            if (to != null && toldEnd.compareAndSet(false, true)) {
                to.end.run();
            }
        }
    }
}
