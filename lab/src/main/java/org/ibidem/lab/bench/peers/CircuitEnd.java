package org.ibidem.lab.bench.peers;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Payload;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// One end of a circuit of two: words that are sent to and fro.
final class CircuitEnd implements End, CircuitReceiver {
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Node node;
    private final Circuit circuit;
    private final int peer;
    private final Frame room = new Frame();
    private long value;
    private boolean arrived;

    CircuitEnd(Node node, List<NodeId> members, String stack) {
        this.node = node;
        this.circuit = Circuit.open(node, "bench", members, stack, this);
        this.peer = 1 - circuit.self();
    }

    private static Payload.Word word(Payload payload) {
        if (payload instanceof Payload.Word word) {
            return word;
        }
        throw new IllegalArgumentException("words only");
    }

    @Override
    public void send(Payload payload) {
        circuit.enter();
        try {
            while (!circuit.claim(peer, room, Long.BYTES)) {
                circuit.poll(); // the link is being made
            }
            room.memory.set(LONG, room.position, word(payload).value);
            room.position += Long.BYTES;
            circuit.commit(peer, room, 0);
        } finally {
            circuit.leave();
        }
    }

    @Override
    public void receive(Payload payload) {
        circuit.await(this::hasArrived);
        arrived = false;
        word(payload).value = value;
    }

    private boolean hasArrived() {
        return arrived;
    }

    @Override
    public boolean frame(int from, Frame frame) {
        value = frame.memory.get(LONG, frame.position);
        arrived = true;
        return true;
    }

    @Override
    public void lost(int from, boolean inOrder, String why) {
        // Who waits then has lost the duel, which says so.
    }

    @Override
    public void close() {
        circuit.close();
        node.close();
    }
}
