package org.ibidem.hub.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.connect.routed.HubStream;
import org.ibidem.control.Ending;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What a node and the hub itself say to each other over the node's connection: one stream of it,
/// which ends as the connection does.
final class Talk {
    private final Runnable wantWrite;
    private final AtomicBoolean saying = new AtomicBoolean();
    private volatile @Nullable HubStream stream;
    private volatile boolean over;

    /// One that has not begun.
    ///
    /// @param wantWrite called when there is something to be written; with any locks held
    Talk(Runnable wantWrite) {
        this.wantWrite = wantWrite;
    }

    /// The node begins it.
    ///
    /// @return the hub's end; null when it had begun already
    @Nullable HubStream begin(Spoke spoke, int number, NodeId hub, int credit, Tasks tasks)
            throws IOException {
        if (stream != null) {
            return null;
        }
        var line =
                new HubStream.Line(
                        spoke.wire.channel().getLocalAddress(),
                        spoke.wire.channel().getRemoteAddress(),
                        tasks,
                        this::speak,
                        this::part);
        var made = new HubStream(number, hub, spoke.node, credit, line);
        stream = made;
        return made;
    }

    /// The stream, if this is its number.
    @Nullable HubStream stream(int number) {
        var there = stream;
        return there != null && there.number() == number ? there : null;
    }

    boolean hasBegun() {
        return stream != null;
    }

    /// Whether the hub listens still.
    boolean isOpen() {
        var there = stream;
        return there != null && there.path().isOpen();
    }

    /// Whether neither end says anything more to the other.
    boolean isOver() {
        return over;
    }

    /// Whether there is something to be written.
    boolean isSaying() {
        return saying.get();
    }

    /// The node is there: something came of it, on whichever stream, or it was not listened to.
    void sign() {
        var there = stream;
        if (there != null) {
            there.sign();
        }
    }

    /// The connection has ended.
    ///
    /// @param why or null when its other end has ended it in order: then the node's process is gone
    void ended(@Nullable String why) {
        var there = stream;
        if (there != null && why == null) {
            there.ended();
        }
        if (there != null) {
            // Who writes just now must not take the end for a failure: it is a proof.
            there.reset(why == null ? Ending.OVER + ": its connection has ended" : why);
        }
    }

    /// Puts what is to be written now into `batch`, as far as it has room.
    void fill(ByteBuffer batch) {
        var there = stream;
        while (there != null
                && batch.remaining() >= HubStream.LARGEST_TURN
                && saying.getAndSet(false)) {
            if (there.fill(batch)) {
                saying.set(true);
            }
        }
    }

    private void speak() {
        saying.set(true);
        wantWrite.run();
    }

    private void part() {
        over = true;
        wantWrite.run();
    }
}
