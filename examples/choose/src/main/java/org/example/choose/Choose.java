package org.example.choose;

import java.time.Duration;
import java.util.stream.LongStream;
import org.ibidem.messaging.Procedure;
import org.ibidem.messaging.Subject;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// The same array, there and its sum back, three ways.
public final class Choose {
    static final Procedure<long[], Long> SUM = Procedure.of("sum", long[].class, Long.class);
    static final Subject<long[]> ARRAYS = Subject.of("arrays", long[].class);
    static final Subject<Long> SUMS = Subject.of("sums", Long.class);
    static final PortType RAW = PortType.oneToOne();

    private Choose() {}

    /// Started twice.
    public static void main(String[] args) {
        try (var node = Node.join(Join.fromEnvironment())) {
            var peer = node.awaitMembers(2, Duration.ofSeconds(20)).get(1 - node.rank()).id();
            if (node.rank() == 0) {
                asks(node, peer, LongStream.range(0, 100_000).toArray());
            } else {
                answers(node, peer);
            }
        }
    }

    private static void asks(Node node, NodeId peer, long[] array) {
        try (var sums = SUMS.receiver(node);
                var in = ReceivePort.open(node, RAW, "sum back");
                var sum = SUM.caller(node, peer);
                var arrays = ARRAYS.sender(node, peer);
                var out = SendPort.open(node, RAW, "out", new Target(peer, "array"))) {
            System.out.println("as a call: " + sum.call(array));
            arrays.send(array);
            System.out.println("as objects: " + sums.receive());
            try (var message = out.newMessage()) { // straight into the network's memory
                message.writeInt(array.length).writeArray(array).finish();
            }
            try (var message = in.receive()) {
                System.out.println("as values: " + message.readLong());
            }
        }
    }

    private static void answers(Node node, NodeId peer) {
        try (var _ = SUM.server(node, array -> LongStream.of(array).sum());
                var arrays = ARRAYS.receiver(node);
                var in = ReceivePort.open(node, RAW, "array");
                var sums = SUMS.sender(node, peer);
                var out = SendPort.open(node, RAW, "out", new Target(peer, "sum back"))) {
            for (var array : arrays) { // one, then its sender is closed
                sums.send(LongStream.of(array).sum());
                try (var message = in.receive()) {
                    var values = new long[message.readInt()];
                    message.readArray(values);
                    try (var reply = out.newMessage()) {
                        reply.writeLong(LongStream.of(values).sum()).finish();
                    }
                }
            }
        }
    }
}
