package org.ibidem.personality.madeleine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ibidem.circuit.Messages;
import org.ibidem.circuit.Packing;
import org.ibidem.circuit.ReceiveMode;
import org.ibidem.circuit.SendMode;
import org.ibidem.circuit.Unpacking;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A channel of Madeleine at one node. The receive mode a piece is packed with is that which its
/// receiver unpacks it with; it decides nothing here, as every piece can be had express.
public final class Madeleine implements AutoCloseable {
    private final Messages messages;
    private @Nullable Unpacking ready;

    private Madeleine(Messages messages) {
        this.messages = messages;
    }

    /// Opens this node's end of a channel, as [Messages#open].
    public static Madeleine openChannel(
            Node node, String name, List<NodeId> members, String stack) {
        return new Madeleine(Messages.open(node, name, members, stack));
    }

    /// Begins a message.
    public Connection beginPacking(int remote) {
        return new Connection(messages.begin(remote), null);
    }

    /// Whether a message has begun to come; the next [#beginUnpacking] does not wait then.
    public synchronized boolean messageReady() {
        if (ready == null) {
            ready = messages.poll();
        }
        return ready != null;
    }

    /// Waits for the next message, of whichever node.
    public Connection beginUnpacking() {
        Unpacking next;
        synchronized (this) {
            next = ready;
            ready = null;
        }
        return new Connection(null, next == null ? messages.receive() : next);
    }

    /// A message that is being packed, or unpacked.
    public static final class Connection {
        private final @Nullable Packing packing;
        private final @Nullable Unpacking unpacking;

        private Connection(@Nullable Packing packing, @Nullable Unpacking unpacking) {
            this.packing = packing;
            this.unpacking = unpacking;
        }

        /// Whose message is being unpacked.
        public int remote() {
            return unpacking().from();
        }

        /// Adds a piece.
        public void pack(MemorySegment piece, SendMode send, ReceiveMode receive) {
            packing().pack(piece, send);
        }

        /// Sends the message.
        public void endPacking() {
            packing().end();
        }

        /// Takes the next piece.
        public void unpack(MemorySegment piece, SendMode send, ReceiveMode receive) {
            unpacking().unpack(piece, receive);
        }

        /// All pieces are there when this returns.
        public void endUnpacking() {
            unpacking().end();
        }

        private Packing packing() {
            if (packing == null) {
                throw new IllegalStateException("a message that came is unpacked");
            }
            return packing;
        }

        private Unpacking unpacking() {
            if (unpacking == null) {
                throw new IllegalStateException("a message to be sent is packed");
            }
            return unpacking;
        }
    }

    @Override
    public void close() {
        messages.close();
    }
}
