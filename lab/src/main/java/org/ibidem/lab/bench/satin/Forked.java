package org.ibidem.lab.bench.satin;

import java.io.Serial;
import java.util.ArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/// The applications `fib` and `queens` as they are written for a fork-join pool, with the same
/// grain.
final class Forked {
    private Forked() {}

    /// What a program for it prints.
    static String run(ForkJoinPool pool, String name, String... arguments) {
        int n = Integer.parseInt(arguments[0]);
        int grain = Integer.parseInt(arguments[1]);
        return switch (name) {
            case "fib" -> "fib(" + n + ") = " + pool.invoke(new Fib(n, grain));
            case "queens" -> n + " queens stand in " + pool.invoke(new Queens(n, grain)) + " ways";
            default -> throw new IllegalArgumentException("there is no " + name + " for a pool");
        };
    }

    /// Forks both calls, as Satin's program spawns both.
    private static final class Fib extends RecursiveTask<Long> {
        @Serial private static final long serialVersionUID = 1;

        private final int n;
        private final int grain;

        Fib(int n, int grain) {
            this.n = n;
            this.grain = grain;
        }

        private static long alone(int n) {
            return n < 2 ? n : alone(n - 1) + alone(n - 2);
        }

        @Override
        protected Long compute() {
            if (n < 2 || n < grain) {
                return alone(n);
            }
            var one = new Fib(n - 1, grain);
            var other = new Fib(n - 2, grain);
            one.fork();
            other.fork();
            return other.join() + one.join();
        }
    }

    /// A queen in each free column of a row is a task.
    private static final class Queens extends RecursiveTask<Long> {
        @Serial private static final long serialVersionUID = 1;

        private final byte[] board;
        private final int row;
        private final int deep;

        Queens(int n, int deep) {
            this(new byte[n], 0, deep);
        }

        private Queens(byte[] board, int row, int deep) {
            this.board = board;
            this.row = row;
            this.deep = deep;
        }

        @Override
        protected Long compute() {
            if (row == board.length || row >= deep) {
                return counted(row);
            }
            var open = new ArrayList<Queens>();
            for (byte column = 0; column < board.length; column++) {
                if (isFree(row, column)) {
                    var next = board.clone();
                    next[row] = column;
                    var task = new Queens(next, row + 1, deep);
                    task.fork();
                    open.add(task);
                }
            }
            long all = 0;
            for (var task : open.reversed()) {
                all += task.join();
            }
            return all;
        }

        private long counted(int from) {
            if (from == board.length) {
                return 1;
            }
            long all = 0;
            for (byte column = 0; column < board.length; column++) {
                if (isFree(from, column)) {
                    board[from] = column;
                    all += counted(from + 1);
                }
            }
            return all;
        }

        private boolean isFree(int below, int column) {
            for (int above = 0; above < below; above++) {
                int apart = Math.abs(board[above] - column);
                if (apart == 0 || apart == below - above) {
                    return false;
                }
            }
            return true;
        }
    }
}
