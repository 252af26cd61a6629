package org.ibidem.lab.net.wide;

import java.nio.ByteBuffer;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinks;

/// A process that ends in order just after it has finished what it sends, and one that counts what
/// arrives.
///
/// `HUB POOL receive STACK…` says `got NAME COUNT` for each stack, for `vlink` and for `call`.
///
/// `HUB POOL END STACK…` sends; END is `node` (everything is left to the close of the node), `port`
/// (each port is closed, says `closed true`, and the process halts), `main` (nothing is closed and
/// `main` ends) or `exit` (the same by `System.exit`).
public final class OrderlyEnd {
    static final int MESSAGES = 20;
    private static final int BYTES = 50_000;
    private static final int VLINK_BYTES = 1_000_000;
    private static final Duration LONG = Duration.ofSeconds(60);

    private OrderlyEnd() {}

    /// What is called last.
    public interface Last extends Remote {
        /// Answers, and has the process end.
        byte[] words() throws RemoteException;
    }

    public static void main(String[] args) throws Exception {
        boolean receives = args[2].equals("receive");
        var node =
                Node.join(
                        Join.pool(args[1])
                                .hub(args[0])
                                .open(true)
                                .size(2)
                                .rank(receives ? 0 : 1)
                                .limit(LONG));
        var stacks = List.of(args).subList(3, args.length);
        var peer = node.awaitMembers(2, LONG).get(receives ? 1 : 0).id();
        if (receives) {
            receive(node, stacks);
        } else {
            send(node, args[2], stacks.stream().map(stack -> out(node, peer, stack)).toList());
        }
    }

    private static <T> T await(Posted<T> posted) throws InterruptedException {
        var done = new CountDownLatch(1);
        posted.whenDone(_ -> done.countDown());
        done.await();
        return posted.result();
    }

    private static PortType type(String stack) {
        return PortType.oneToOne().stack(stack);
    }

    private static SendPort out(Node node, NodeId peer, String stack) {
        var out = SendPort.open(node, type(stack), stack);
        out.connect(peer, stack, LONG);
        return out;
    }

    private static void send(Node node, String end, List<SendPort> ports) throws Exception {
        var answered = new CountDownLatch(1);
        var rmi = Rmi.open(node);
        Last last =
                () -> {
                    answered.countDown();
                    return new byte[VLINK_BYTES];
                };
        rmi.names().bind("last", rmi.export(last, Last.class));
        var peer = node.members().get(0).id();
        var vlink = await(VLinks.of(node).connect(peer, "last", "auto", "", LONG));
        answered.await();
        var senders =
                ports.stream().map(port -> Thread.ofPlatform().start(() -> send(port))).toList();
        var bytes = ByteBuffer.allocateDirect(VLINK_BYTES);
        while (bytes.hasRemaining()) {
            if (await(vlink.postWrite(bytes)) == 0) {
                throw new IllegalStateException("nothing was written");
            }
        }
        vlink.close();
        for (var sender : senders) {
            sender.join();
        }
        switch (end) {
            case "node" -> node.close();
            case "port" -> {
                for (var port : ports) {
                    System.out.println("closed " + port.close(LONG));
                }
                Runtime.getRuntime().halt(0);
            }
            case "exit" -> System.exit(0);
            default -> {
                // main ends
            }
        }
    }

    private static void send(SendPort port) {
        for (int i = 0; i < MESSAGES; i++) {
            try (var message = port.newMessage()) {
                message.writeInt(i).writeArray(new byte[BYTES]);
                message.finish();
            }
        }
    }

    private static void receive(Node node, List<String> stacks) throws Exception {
        var listener = VLinks.of(node).listen("last", "any", 1);
        var ports =
                stacks.stream().map(stack -> ReceivePort.open(node, type(stack), stack)).toList();
        var threads = new ArrayList<Thread>();
        ports.forEach(port -> threads.add(Thread.ofPlatform().start(() -> count(port))));
        var vlink = await(listener.postAccept());
        threads.add(Thread.ofPlatform().start(() -> count(vlink)));
        var last = Rmi.open(node).names().lookup("last", Last.class);
        System.out.println("got call " + last.words().length);
        for (var thread : threads) {
            thread.join();
        }
        System.out.println("done");
        Runtime.getRuntime().halt(0);
    }

    private static void count(VLink vlink) {
        int count = 0;
        var into = ByteBuffer.allocateDirect(1 << 16);
        try {
            for (int got = 0; got >= 0; count += Math.max(got, 0)) {
                got = await(vlink.postRead(into.clear()));
            }
        } catch (InterruptedException | RuntimeException e) {
            System.out.println("vlink: " + e);
        }
        System.out.println("got vlink " + count);
    }

    private static void count(ReceivePort port) {
        int count = 0;
        var into = new byte[BYTES];
        try {
            while (count < MESSAGES) {
                try (var message = port.receive(LONG)) {
                    if (message == null || message.readInt() != count) {
                        break;
                    }
                    message.readArray(into);
                    count++;
                }
            }
        } catch (RuntimeException e) {
            System.out.println(port + ": " + e);
        }
        System.out.println("got " + port.name() + " " + count);
    }
}
