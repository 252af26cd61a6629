package org.ibidem.connect.routed;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// The hub's end of the stream on which a node speaks with the hub itself; whoever reads and writes
/// the trunk tells it what came, and asks it for what is to be sent.
///
/// What the node may have waiting here is [#WINDOW], and what waits for the node is bounded as with
/// all streams.
public final class HubStream {
    /// Bytes a node may send before the hub has read them: what thousands of nodes may send at once
    /// has to be kept.
    public static final int WINDOW = 64 << 10;

    /// A sign of life goes through it.
    private static final int KEPT = 64;

    /// The room that [#fill] needs.
    public static final int LARGEST_TURN = RoutedStream.LARGEST_TURN;

    private final Line line;
    private final RoutedStream stream;
    private final RoutedPath path;

    /// The trunk, as this end needs it.
    ///
    /// @param local to where the node has connected, as the hub sees it
    /// @param remote from where
    /// @param tasks for what is to be done later
    /// @param ready called when there is something to send, or may be; by any thread, also from
    ///   within [#fill]
    /// @param over called when nothing more is sent or comes
    public record Line(
            SocketAddress local,
            SocketAddress remote,
            Tasks tasks,
            Runnable ready,
            Runnable over) {}

    /// A stream that a node has just opened.
    ///
    /// @param number by which it goes
    /// @param hub whom the node has asked for
    /// @param node who has opened it
    /// @param credit what it has granted
    public HubStream(int number, NodeId hub, NodeId node, int credit, Line line) {
        this.line = line;
        var carrier =
                new Carrier(
                        hub,
                        KEPT,
                        false,
                        line.tasks,
                        _ -> line.ready.run(),
                        _ -> line.over.run(),
                        _ -> true);
        this.stream = new RoutedStream(carrier, number, node, WINDOW, credit);
        this.path = new RoutedPath(stream, line.local, line.remote);
    }

    /// The stream as a connection to the node: its addresses are those of the trunk.
    public StreamPath path() {
        return path;
    }

    /// By which number it goes.
    public int number() {
        return stream.number();
    }

    /// Something came from the node, on whichever stream.
    public void sign() {
        stream.sign();
    }

    /// The node grants more.
    ///
    /// @throws org.ibidem.buffer.Malformed when it is more than may be
    public void granted(int bytes) {
        stream.granted(bytes);
    }

    /// So much came from the node.
    ///
    /// @throws org.ibidem.buffer.Malformed when it is more than was granted
    public void arrived(ByteBuffer bytes) {
        stream.arrived(bytes);
    }

    /// The node's system has ended the connection in order.
    public void ended() {
        stream.peerEnded();
    }

    /// It is over; what has come can still be read.
    public void reset(String why) {
        stream.reset(why);
        line.over.run();
    }

    /// Puts what is to be sent now into `batch`, at most one frame of data.
    ///
    /// @param batch little-endian, with room for [#LARGEST_TURN]
    /// @return whether there is more to send at once
    public boolean fill(ByteBuffer batch) {
        return stream.fill(batch);
    }
}
