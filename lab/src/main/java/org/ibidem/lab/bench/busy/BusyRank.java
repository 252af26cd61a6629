package org.ibidem.lab.bench.busy;

import java.util.Arrays;
import mpi.MPI;

/// One process of a program that waits for the others again and again: `ring LAPS`, `sor SIZE
/// ITERATIONS`, both as `busy.c` has them, or `cold SECONDS`.
public final class BusyRank {
    private static final int TAG = 1;
    private static final int REDUCE_EVERY = 16;
    private static final double OMEGA = 1.9;
    private static final double NANOS = 1e9;

    /// For each process: where they share cores all compilers do.
    private static final double WARM_SECONDS = 2;

    private final int rank = MPI.COMM_WORLD.Rank();
    private final int ranks = MPI.COMM_WORLD.Size();

    private BusyRank() {}

    /// Runs it again and again: for some seconds to warm up, and for one more. Rank 0 says how long
    /// a run took in that one, or the only one if it took longer.
    public static void main(String[] args) {
        var own = MPI.Init(args);
        var me = new BusyRank();
        int times = Integer.parseInt(own[own.length - 1]);
        if (own[0].equals("cold")) {
            me.cold(times * NANOS);
        } else {
            int size = own.length > 2 ? Integer.parseInt(own[1]) : 0;
            me.seconds(WARM_SECONDS * me.ranks, () -> me.result(size, times));
            double seconds = me.seconds(1, () -> me.result(size, times));
            me.say("SECONDS %.6f RESULT %s".formatted(seconds, me.result(size, times)));
        }
        MPI.Finalize();
    }

    private void say(String what) {
        if (rank == 0) {
            System.out.println(what);
        }
    }

    /// Runs it for at least so long, as rank 0 sees it.
    ///
    /// @return seconds that a run took
    private double seconds(double least, Runnable run) {
        MPI.COMM_WORLD.Barrier();
        long begun = System.nanoTime();
        var took = new double[1];
        int runs = 0;
        do {
            run.run();
            runs++;
            took[0] = (System.nanoTime() - begun) / NANOS;
            MPI.COMM_WORLD.Bcast(took, 0, 1, MPI.DOUBLE, 0);
        } while (took[0] < least);
        return took[0] / runs;
    }

    private double result(int size, int times) {
        return size == 0 ? ring(times) : new Field(size).sor(times);
    }

    private double ring(int laps) {
        var token = new long[1];
        int next = (rank + 1) % ranks;
        int before = (rank + ranks - 1) % ranks;
        for (int lap = 0; lap < laps; lap++) {
            if (rank == 0) {
                token[0]++;
                MPI.COMM_WORLD.Send(token, 0, 1, MPI.LONG, next, TAG);
                MPI.COMM_WORLD.Recv(token, 0, 1, MPI.LONG, before, TAG);
            } else {
                MPI.COMM_WORLD.Recv(token, 0, 1, MPI.LONG, before, TAG);
                token[0]++;
                MPI.COMM_WORLD.Send(token, 0, 1, MPI.LONG, next, TAG);
            }
        }
        return token[0];
    }

    /// Barriers from the first moment on: their medians in the second second, and in the two after
    /// that, in microseconds.
    private void cold(double nanos) {
        long begun = System.nanoTime();
        var early = new long[1 << 22];
        var late = new long[1 << 22];
        int earlier = 0;
        int later = 0;
        var over = new int[1];
        for (int i = 0; over[0] == 0; i++) {
            long before = System.nanoTime();
            MPI.COMM_WORLD.Barrier();
            long after = System.nanoTime();
            double at = (after - begun) / NANOS;
            if (at >= 1 && at < 2 && earlier < early.length) {
                early[earlier++] = after - before;
            } else if (at >= 2 && later < late.length) {
                late[later++] = after - before;
            }
            if (i % 64 == 0) {
                over[0] = after - begun > nanos ? 1 : 0;
                MPI.COMM_WORLD.Bcast(over, 0, 1, MPI.INT, 0);
            }
        }
        say("SECOND %.3f LATER %.3f".formatted(median(early, earlier), median(late, later)));
    }

    private static double median(long[] all, int count) {
        Arrays.sort(all, 0, count);
        return count == 0 ? 0 : all[count / 2] / 1e3;
    }

    /// The rows of this process, one foreign row on either side.
    private final class Field {
        private final int size;
        private final int first;
        private final int rows;
        private final double[] cells;

        Field(int size) {
            this.size = size;
            first = (int) ((long) size * rank / ranks);
            rows = (int) ((long) size * (rank + 1) / ranks) - first;
            cells = new double[(rows + 2) * size];
            if (rank == 0) {
                Arrays.fill(cells, size, 2 * size, 1);
            }
        }

        double sor(int iterations) {
            exchange();
            var all = new double[1];
            for (int i = 1; i <= iterations; i++) {
                double worst = 0;
                for (int colour = 0; colour < 2; colour++) {
                    worst = Math.max(worst, relax(colour));
                    exchange();
                }
                if (i % REDUCE_EVERY == 0 || i == iterations) {
                    MPI.COMM_WORLD.Allreduce(
                            new double[] {worst}, 0, all, 0, 1, MPI.DOUBLE, MPI.MAX);
                }
            }
            return all[0];
        }

        private double relax(int colour) {
            double worst = 0;
            for (int row = 1; row <= rows; row++) {
                int real = first + row - 1;
                if (real > 0 && real < size - 1) {
                    int begin = 1 + (real + 1 + colour) % 2;
                    worst = Math.max(worst, relaxRow(row * size + begin, (row + 1) * size - 1));
                }
            }
            return worst;
        }

        private double relaxRow(int begin, int end) {
            double worst = 0;
            for (int at = begin; at < end; at += 2) {
                double mean =
                        0.25
                                * (cells[at - size]
                                        + cells[at + size]
                                        + cells[at - 1]
                                        + cells[at + 1]);
                double change = mean - cells[at];
                cells[at] += OMEGA * change;
                worst = Math.max(worst, Math.abs(change));
            }
            return worst;
        }

        private void exchange() {
            int up = rank > 0 ? rank - 1 : MPI.PROC_NULL;
            int down = rank < ranks - 1 ? rank + 1 : MPI.PROC_NULL;
            exchange(size, up, (rows + 1) * size, down);
            exchange(rows * size, down, 0, up);
        }

        private void exchange(int own, int to, int foreign, int from) {
            MPI.COMM_WORLD.Sendrecv(
                    cells,
                    own,
                    size,
                    MPI.DOUBLE,
                    to,
                    TAG,
                    cells,
                    foreign,
                    size,
                    MPI.DOUBLE,
                    from,
                    TAG);
        }
    }
}
