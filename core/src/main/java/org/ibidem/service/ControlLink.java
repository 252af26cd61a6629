package org.ibidem.service;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Hearing;
import org.ibidem.connect.Heartbeat;
import org.ibidem.connect.routed.Overheard;
import org.ibidem.link.StreamPath;
import org.ibidem.link.Tasks;
import org.ibidem.service.ControlFrames.Received;
import org.ibidem.tls.SessionBroken;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Small messages both ways over a proved connection: what nodes and hubs say to each other apart
/// from data.
///
/// Sending never blocks: messages wait in a bounded queue, and a peer that lets it overflow loses
/// the link. Receiving blocks; one thread at a time, and it must keep receiving, for it also
/// answers the peer's PINGs. An idle link costs one parked virtual thread and no buffer: a writer
/// runs only while there is something to write.
///
/// When nothing was heard for a while the link sends a PING; when nothing was heard for long it
/// says so to [#onSilence], again and again, and goes on: what silence means is not for the link to
/// judge. A process that stood still itself has not listened: for it silence begins anew.
public final class ControlLink implements AutoCloseable {
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final Proved proved;
    private final StreamPath path;
    private final Tasks tasks;
    private final Limits limits;
    private final Outgoing outgoing;
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();

    /// What a write failed of, other than that the peer has ended the connection.
    private volatile @Nullable String broken;

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
        this.hearing = new Hearing(tasks, limits.interval);
    }

    /// Makes a link of this connection, which it owns from now on.
    public static ControlLink over(Proved proved, Tasks tasks, Limits limits) {
        var link = new ControlLink(proved, tasks, limits);
        if (proved.path() instanceof Overheard shared) {
            shared.onSign(link.hearing::heard);
        }
        link.beatLater();
        return link;
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
        wakeWriter();
        return true;
    }

    /// Waits for the next message.
    ///
    /// @return null when the link has ended; [#ending] says how
    public byte @Nullable [] receive() {
        try {
            while (ending.get() == null) {
                var frame = ControlFrames.read(path, limits.message);
                hearing.heard();
                if (ending.get() == null && frame.kind == ControlFrames.MESSAGE) {
                    return frame.payload;
                }
                react(frame);
            }
        } catch (EOFException _) {
            var why = broken;
            end(why == null ? new Ending.EndOfStream() : new Ending.Reset(why));
        } catch (ClosedChannelException _) {
            end(new Ending.Closed("closed here, without a word"));
        } catch (Malformed e) {
            end(new Ending.Violation(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            end(failed(e));
        }
        return null;
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
        wakeWriter();
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
        try {
            var limit = tasks.after(LAST_WORDS, "last words", this::cut);
            outgoing.last(ControlFrames.goodbye(reason));
            wakeWriter();
            if (outgoing.awaitEmpty(tasks, LAST_WORDS)) {
                awaitTheirEnd();
            }
            limit.stop();
        } catch (IllegalStateException _) {
            // this node is going down: without a time limit there are no last words
        }
        cut();
    }

    @Override
    public void close() {
        close("closed");
    }

    // Closing over bytes not read yet would be a reset, which may overtake the goodbye.
    private void awaitTheirEnd() {
        try {
            path.end();
            var into = ByteBuffer.allocate(1024);
            while (path.read(into.clear()) >= 0) {
                // what it says now does not matter any more
            }
        } catch (IOException _) {
            // gone
        }
    }

    private void react(Received frame) {
        switch (frame.kind) {
            case ControlFrames.PING -> {
                outgoing.prompt(ControlFrames.PONG);
                wakeWriter();
            }
            case ControlFrames.GOODBYE -> end(new Ending.Left(frame.text()));
            default -> {
                // a PONG has done its work by being heard
            }
        }
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
        path.close();
    }

    private void wakeWriter() {
        if (outgoing.needsWriter()) {
            try {
                tasks.start("control link to " + peer().brief(), this::write);
            } catch (IllegalStateException _) {
                // Nothing can be started any more: this node is going down, and the link with it.
                ending.compareAndSet(null, new Ending.Closed("this node is going down"));
                cut();
            }
        }
    }

    private void write() {
        try {
            for (var next = outgoing.take(); next != null; next = outgoing.take()) {
                while (next.hasRemaining()) {
                    path.write(next);
                }
            }
        } catch (IOException e) {
            // The reader finds out how the link ended: a goodbye or an end of stream may still wait
            // to be read. But a reset that was told here will look like an end to it.
            broken = Ending.wasOver(e) ? null : e.toString();
            outgoing.close();
        }
    }

    private void beatLater() {
        beat = tasks.after(limits.interval, "heartbeat of " + peer().brief(), this::beat);
        if (ending.get() != null) {
            beat.stop();
        }
    }

    private void beat() {
        if (ending.get() != null) {
            return;
        }
        var quiet = quiet();
        var unheard = hearing.beat(); // before another beat can come
        if (quiet.compareTo(limits.interval) >= 0) {
            outgoing.prompt(ControlFrames.PING);
            wakeWriter();
        }
        beatLater();
        if (unheard.compareTo(limits.silence) >= 0) {
            onSilence.accept(quiet);
        }
    }
}
