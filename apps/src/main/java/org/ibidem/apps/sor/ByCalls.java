package org.ibidem.apps.sor;

import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.jspecify.annotations.Nullable;

/// The others by remote calls: a row is given to a neighbour by calling it, the residuals of all
/// meet at rank 0, which gives each caller what they came to, and rank 0 asks for the rows of the
/// field. The program that paper 000 measures RMI with, with the same field.
final class ByCalls implements Others {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Rmi rmi;
    private final Desk desk;
    private final int rank;
    private final int ranks;
    private final int size;
    private long calls;
    private long bytes;
    private final long[] steps = new long[2];
    private @Nullable Worker above;
    private @Nullable Worker below;
    private @Nullable Worker first;

    /// Exports the object of process `node.rank()` of `ranks`.
    ///
    /// @param rmi whose close is its opener's
    ByCalls(Rmi rmi, Node node, int size, int ranks) {
        this.rank = node.rank();
        this.ranks = ranks;
        this.size = size;
        this.desk = new Desk(ranks, size);
        this.rmi = rmi;
        try {
            rmi.names().bind(name(rank), rmi.export(desk));
        } catch (AlreadyBoundException e) {
            throw new IllegalStateException(e); // a rank is one process's
        }
    }

    private static String name(int rank) {
        return "sor " + rank;
    }

    private Worker worker(int which) {
        try {
            return rmi.names().lookup(name(which), Worker.class, LIMIT);
        } catch (NotBoundException | RemoteException e) {
            throw failed(e);
        }
    }

    private static IbidemException failed(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new IbidemException(String.valueOf(e.getMessage()), e);
    }

    @Override
    public void connect(List<Member> members) {
        above = rank > 0 ? worker(rank - 1) : null;
        below = rank < ranks - 1 ? worker(rank + 1) : null;
        first = worker(0);
    }

    @Override
    public void send(Block block, int colour) {
        give(above, false, block, block.first(), colour);
        give(below, true, block, block.first() + block.rows() - 1, colour);
    }

    private void give(@Nullable Worker to, boolean isAbove, Block block, int row, int colour) {
        if (to == null) {
            return;
        }
        var cells = new double[block.count(row, colour)];
        block.take(row, colour, cells);
        try {
            to.take(isAbove, steps[isAbove ? 1 : 0]++, cells);
        } catch (RemoteException e) {
            throw failed(e);
        }
        calls++;
        bytes += (long) cells.length * Double.BYTES;
    }

    @Override
    public void receive(Block block, int colour) {
        try {
            if (above != null) {
                block.put(block.first() - 1, colour, desk.next(true));
            }
            if (below != null) {
                block.put(block.first() + block.rows(), colour, desk.next(false));
            }
        } catch (InterruptedException e) {
            throw failed(e);
        }
    }

    @Override
    public Tally reduce(double residual) {
        var to = first;
        if (to == null) {
            throw new IllegalStateException("not connected yet");
        }
        try {
            return to.reduce(new Tally(residual, ++calls, bytes));
        } catch (RemoteException | InterruptedException e) {
            throw failed(e);
        }
    }

    @Override
    public void gather(Block block, RowReader reader) {
        desk.finish(block);
        try {
            if (rank > 0) {
                desk.awaitDone();
                return;
            }
            for (int other = 0; other < ranks; other++) {
                var from = worker(other);
                var rows = Rows.of(other, ranks, size);
                for (int row = rows.first(); row <= rows.last(); row++) {
                    reader.row(row, from.row(row), 0);
                }
                from.done();
            }
        } catch (RemoteException | InterruptedException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() {
        rmi.unexport(desk);
    }
}
