package org.ibidem.port;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;

/// The lowest layer of a [WriteMessage]: room for one frame after the other, and what becomes of
/// the message where its connection ends.
abstract sealed class FrameWriter permits RunWriter {
    final SendPort port;
    final Frame frame = new Frame();

    /// Where frames go; set by the port whenever its connections change.
    FrameSink sink = NoSink.INSTANCE;

    boolean live;

    /// The connection ended under the message: all it can do is be closed.
    boolean lost;

    /// Bytes in frames committed already, and where the payload of the frame in hand began.
    long committed;

    long from;

    FrameWriter(SendPort port) {
        this.port = port;
    }

    /// Nothing is in hand in the frame, and nothing may be written before it was asked for.
    abstract void forgetRun();

    /// The message is given up.
    abstract void abandoned();

    /// Apart from what each message does, which is small enough to be compiled into its callers.
    final void await(Frame f) {
        var room = port.room;
        room.begin();
        while (!sink.claim(f, Layouts.FIRST)) {
            room.idle();
        }
        room.found();
    }

    /// The connection changed: room of the old one must not be used.
    void forget() {
        frame.empty();
        from = 0;
        forgetRun();
        lost = live;
    }

    /// The memory was taken away under the message; the JVM says so by this error, in compiled code
    /// perhaps only when the method that touched it returns. It is caught where a frame is given
    /// away; a method that writes a value lets it pass. Of several receivers the others are told
    /// that the message was given up, and stay.
    final ConnectionLost cut(InternalError e) {
        return live ? cutHere(e) : cutLate(e);
    }

    /// The JVM said so when the message was over; perhaps so late that its thread was about to give
    /// the turn back.
    private ConnectionLost cutLate(InternalError e) {
        var turn = port.turn();
        if (!turn.isMine()) {
            turn.take(port.toString());
        }
        try {
            return cutHere(e);
        } finally {
            turn.giveBack();
        }
    }

    /// The same where the message could not begin. Holds the port's turn.
    final ConnectionLost notBegun(InternalError e) {
        live = false;
        committed = 0;
        return cutHere(e);
    }

    /// The same where the port's turn is in hand.
    final ConnectionLost cutHere(InternalError e) {
        var why = LinkBroken.cut(e);
        try {
            if (!port.losesOne()) {
                return port.lost(why);
            }
        } catch (LinkBroken all) {
            return port.lost(all);
        }
        if (live) {
            abandon();
        } else {
            giveUp();
        }
        return new ConnectionLost("one of several receivers is lost, and the message with it", why);
    }

    final void check() {
        if (!live) {
            throw new IllegalStateException("the message is finished; get a new one from the port");
        }
        if (lost) {
            abandon();
            throw new ConnectionLost("the connection was lost before this message was finished");
        }
    }

    /// Bytes of the message in frames that are gone.
    final long committed() {
        return committed;
    }

    /// Whether the frame in hand is still the one of which so many bytes lay before.
    final boolean holds(long before) {
        return live && !lost && committed == before;
    }

    /// Gives the message up: the receiver is told if it has got a part.
    final void abandon() {
        boolean wasLost = lost;
        lost = false;
        live = false;
        abandoned();
        forgetRun();
        try {
            if (!wasLost) {
                giveUp();
            }
        } finally {
            port.finished(SendPort.NOT_SENT);
        }
    }

    /// The next message claims room anew: this one may have written to what it had.
    private void giveUp() {
        forgetRun();
        frame.empty();
        from = 0;
        if (committed > 0) {
            port.abandon();
        } else {
            probe();
        }
    }

    /// Whoever gave up perhaps did because the memory was cut short. Then the next message is told.
    private void probe() {
        try {
            sink.push();
        } catch (LinkBroken e) {
            // as whoever claims will hear
        }
    }
}
