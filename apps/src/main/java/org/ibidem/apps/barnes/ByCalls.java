package org.ibidem.apps.barnes;

import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.ibidem.IbidemException;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;

/// The others by remote calls: each is told by calling it.
final class ByCalls implements Peers {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /// Who has told its next round has got all of the one before.
    private static final int MOST = 2;

    private final Rmi rmi;
    private final int rank;
    private final int ranks;
    private final List<BlockingQueue<double[]>> come = new ArrayList<>();
    private final List<Post> others = new ArrayList<>();

    /// What the others call.
    private final class Desk implements Post {
        @Override
        public void take(int from, double[] numbers) {
            if (!come.get(from).offer(numbers)) {
                throw new IllegalStateException("process " + from + " is rounds ahead");
            }
        }
    }

    ByCalls(Node node, String stack, int ranks) {
        this.rank = node.rank();
        this.ranks = ranks;
        for (int i = 0; i < ranks; i++) {
            come.add(new ArrayBlockingQueue<>(MOST));
        }
        this.rmi = Rmi.open(node, Rmi.Options.usual().stack(stack));
        try {
            rmi.names().bind(name(rank), rmi.export(new Desk()));
        } catch (AlreadyBoundException e) {
            throw new IllegalStateException(e); // a rank is one process's
        }
    }

    private static String name(int rank) {
        return "barnes " + rank;
    }

    private static IbidemException failed(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new IbidemException(String.valueOf(e.getMessage()), e);
    }

    @Override
    public void connect(List<Member> members) {
        try {
            // Not all begin with the same one.
            for (int i = 1; i < ranks; i++) {
                others.add(rmi.names().lookup(name((rank + i) % ranks), Post.class, LIMIT));
            }
        } catch (NotBoundException | RemoteException e) {
            throw failed(e);
        }
    }

    @Override
    public double[][] all(double[] mine) {
        var all = new double[ranks][];
        try {
            for (var other : others) {
                other.take(rank, mine);
            }
            for (int i = 0; i < ranks; i++) {
                all[i] = i == rank ? mine : come.get(i).take();
            }
        } catch (RemoteException | InterruptedException e) {
            throw failed(e);
        }
        return all;
    }

    @Override
    public void close() {
        rmi.close();
    }
}
