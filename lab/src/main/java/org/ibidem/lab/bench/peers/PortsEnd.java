package org.ibidem.lab.bench.peers;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.lab.bench.Copies;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.TreeNode;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.SendSetup;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.topology.NodeId;

/// A send port and a receive port of one node, used as users do.
final class PortsEnd implements End {
    private static final String PORT = "bench";

    private final Node node;
    private final PortType type;
    private final ReceivePort in;
    private final SendPort out;
    private final List<SendPort> idle = new ArrayList<>();

    PortsEnd(Node node, PortType plain, WaitPolicy policy) {
        this.node = node;
        this.type = plain.data(Data.OBJECT);
        var allowed = ObjectPolicy.NOTHING_BUT_VALUES.allow(TreeNode.class);
        in = ReceivePort.open(node, type, PORT, ReceiveSetup.USUAL.allow(allowed).waiting(policy));
        out = SendPort.open(node, type, PORT, SendSetup.USUAL.waiting(policy));
    }

    @SuppressWarnings("UnusedMethod") // of the copies that alone() makes
    private PortsEnd(Node node, PortType type, ReceivePort in, SendPort out) {
        this.node = node;
        this.type = type;
        this.in = in;
        this.out = out;
    }

    @Override
    public End alone() {
        return Copies.of(MethodHandles.lookup(), this, node, type, in, out);
    }

    /// Connects to the other end, which is open.
    void connect(NodeId peer) {
        out.connect(peer, PORT);
    }

    /// The same, and so many more connections that stay idle.
    void connect(NodeId peer, int more) {
        for (int i = 0; i < more; i++) {
            idle.add(SendPort.open(node, type, PORT));
            idle.getLast().connect(peer, PORT);
        }
        connect(peer);
    }

    SendPort out() {
        return out;
    }

    @Override
    public void send(Payload payload) {
        try (var message = out.newMessage()) {
            write(payload, message);
            message.finish();
        }
    }

    static void write(Payload payload, WriteMessage message) {
        switch (payload) {
            case Payload.Word word -> message.writeLong(word.value);
            case Payload.Five five ->
                    message.writeInt(five.a)
                            .writeLong(five.b)
                            .writeLong(five.c)
                            .writeInt(five.d)
                            .writeLong(five.e);
            case Payload.Bytes bytes -> message.writeArray(bytes.data);
            case Payload.Ints ints -> message.writeArray(ints.data);
            case Payload.Doubles doubles -> message.writeArray(doubles.data);
            case Payload.Tree tree -> message.writeObject(tree.root);
        }
    }

    @Override
    public void receive(Payload payload) {
        try (var message = in.receive()) {
            read(payload, message);
        }
    }

    static void read(Payload payload, ReadMessage message) {
        switch (payload) {
            case Payload.Word word -> word.value = message.readLong();
            case Payload.Five five -> {
                five.a = message.readInt();
                five.b = message.readLong();
                five.c = message.readLong();
                five.d = message.readInt();
                five.e = message.readLong();
            }
            case Payload.Bytes bytes -> message.readArray(bytes.data);
            case Payload.Ints ints -> message.readArray(ints.data);
            case Payload.Doubles doubles -> message.readArray(doubles.data);
            case Payload.Tree tree ->
                    tree.root = Objects.requireNonNull((TreeNode) message.readObject());
        }
    }

    @Override
    public void close() {
        idle.forEach(SendPort::close);
        out.close();
        in.close();
    }
}
