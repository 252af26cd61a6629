package org.ibidem.personality.fm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.circuit.Messages;
import org.ibidem.circuit.Packing;
import org.ibidem.circuit.ReceiveMode;
import org.ibidem.circuit.SendMode;
import org.ibidem.circuit.Unpacking;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// One node's end of Fast Messages. Handlers are registered at all nodes in the same order.
///
/// ```java
/// int sum = fm.register((stream, sender) -> {
///     stream.receive(count);
///     stream.receive(numbers(count));
/// });
/// try (var stream = fm.beginMessage(1, bytes, sum)) {
///     stream.sendPiece(count);
///     stream.sendPiece(numbers);
/// }
/// fm.extract(64 << 10);
/// ```
public final class FastMessages implements AutoCloseable {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int HEADER = 2 * Integer.BYTES;

    private final Messages messages;
    private final List<Handler> handlers = new CopyOnWriteArrayList<>();

    private FastMessages(Messages messages) {
        this.messages = messages;
    }

    /// Opens this node's end, as [Messages#open].
    public static FastMessages open(Node node, String name, List<NodeId> members, String stack) {
        return new FastMessages(Messages.open(node, name, members, stack));
    }

    /// What is called when a message begins to come.
    @FunctionalInterface
    public interface Handler {
        /// Receives the message. It begins when the first piece is here; what it asks for and is
        /// not here yet is waited for inside.
        ///
        /// @param stream the message
        /// @param sender who sent it
        void handle(Incoming stream, int sender);
    }

    /// Registers a handler; answers its number.
    public int register(Handler handler) {
        handlers.add(handler);
        return handlers.size() - 1;
    }

    /// This node's number.
    public int nodeId() {
        return messages.circuit().self();
    }

    /// How many nodes there are.
    public int numNodes() {
        return messages.circuit().size();
    }

    /// Begins a message of so many bytes, for this handler at its receiver.
    public Outgoing beginMessage(int destination, int size, int handler) {
        var header = Arena.ofAuto().allocate(HEADER);
        header.set(INT, 0, handler);
        header.set(INT, Integer.BYTES, size);
        return new Outgoing(messages.begin(destination).pack(header, SendMode.CHEAPER), size);
    }

    /// Handles messages that have come, one after the other, until so many bytes were handled or
    /// none is left. What is not extracted waits at its sender, in the end.
    ///
    /// @return bytes handled
    public int extract(int maxBytes) {
        int done = 0;
        while (done < maxBytes) {
            var message = messages.poll();
            if (message == null) {
                break;
            }
            done += handle(message);
        }
        return done;
    }

    private int handle(Unpacking message) {
        try (message) {
            var header = Arena.ofAuto().allocate(HEADER);
            message.unpack(header, ReceiveMode.EXPRESS);
            int number = header.get(INT, 0);
            int size = header.get(INT, Integer.BYTES);
            if (number < 0 || number >= handlers.size()) {
                throw new IllegalStateException(
                        "node "
                                + message.from()
                                + " sent a message for handler "
                                + number
                                + ", and "
                                + handlers.size()
                                + " are registered here");
            }
            handlers.get(number).handle(new Incoming(message, size), message.from());
            return size;
        }
    }

    /// A message on its way.
    public static final class Outgoing implements AutoCloseable {
        private final Packing packing;
        private long left;

        private Outgoing(Packing packing, int size) {
            this.packing = packing;
            this.left = size;
        }

        /// Sends the next piece, which may be changed afterwards.
        ///
        /// @throws IllegalStateException when the message becomes larger than was said
        public void sendPiece(MemorySegment piece) {
            left -= piece.byteSize();
            if (left < 0) {
                throw new IllegalStateException(
                        "the message has " + -left + " bytes more than it was begun with");
            }
            packing.pack(piece, SendMode.SAFER);
        }

        /// Ends the message.
        public void endMessage() {
            packing.end();
        }

        /// As [#endMessage].
        @Override
        public void close() {
            endMessage();
        }
    }

    /// A message that comes.
    public static final class Incoming {
        private final Unpacking unpacking;
        private final int size;

        private Incoming(Unpacking unpacking, int size) {
            this.unpacking = unpacking;
            this.size = size;
        }

        /// Bytes of the whole message, as it was begun with.
        public int size() {
            return size;
        }

        /// Receives the next bytes, which need not be divided as they were sent.
        public void receive(MemorySegment piece) {
            unpacking.unpack(piece, ReceiveMode.EXPRESS);
        }
    }

    @Override
    public void close() {
        messages.close();
    }
}
