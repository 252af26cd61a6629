package org.ibidem.apps.barnes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.ibidem.IbidemException;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;

/// The others over ports: one message for all of them. It is sent by a thread of its own, since it
/// may be more than fits into links, and who reads it sends, too.
final class OverPorts implements Peers {
    private final Node node;
    private final PortType type;
    private final int rank;
    private final int ranks;
    private final SendPort out;
    private final List<@Nullable ReceivePort> in = new ArrayList<>();
    private final ExecutorService sender = Executors.newVirtualThreadPerTaskExecutor();

    OverPorts(Node node, String stack, int ranks) {
        this.node = node;
        this.rank = node.rank();
        this.ranks = ranks;
        this.type = PortType.oneToMany().stack(stack);
        this.out = SendPort.open(node, type, name(rank));
    }

    private static String name(int from) {
        return "bodies of " + from;
    }

    @Override
    public void connect(List<Member> members) {
        for (var from : members) {
            var setup = ReceiveSetup.USUAL.only(from.id());
            in.add(
                    from.rank() == rank
                            ? null
                            : ReceivePort.open(node, type, name(from.rank()), setup));
        }
        for (int i = 1; i < ranks; i++) {
            out.connect(members.get((rank + i) % ranks).id(), name(rank));
        }
    }

    @Override
    public double[][] all(double[] mine) {
        var sending = ranks == 1 ? null : sender.submit(() -> send(mine));
        var all = new double[ranks][];
        for (int i = 0; i < ranks; i++) {
            var port = in.get(i);
            all[i] = port == null ? mine : receive(port);
        }
        try {
            if (sending != null) {
                sending.get();
            }
        } catch (ExecutionException e) {
            throw new IbidemException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IbidemException("interrupted while bodies were being sent", e);
        }
        return all;
    }

    private void send(double[] numbers) {
        try (var message = out.newMessage()) {
            message.writeInt(numbers.length).writeArray(numbers, 0, numbers.length);
            message.finish();
        }
    }

    private static double[] receive(ReceivePort port) {
        try (var message = port.receive()) {
            var numbers = new double[message.readInt()];
            message.readArray(numbers);
            return numbers;
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
        sender.close();
        out.close();
        for (var port : in) {
            if (port != null) {
                port.close();
            }
        }
    }
}
