package org.ibidem.apps.sor;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.ibidem.IbidemException;
import org.jspecify.annotations.Nullable;

/// The object of one process that the others call.
final class Desk implements Worker {
    /// A process sends its next row only after it has read the other's last: two are here at most.
    private static final int MOST = 2;

    private final BlockingQueue<double[]> above = new ArrayBlockingQueue<>(MOST);
    private final BlockingQueue<double[]> below = new ArrayBlockingQueue<>(MOST);
    private final CompletableFuture<Block> finished = new CompletableFuture<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private final int ranks;
    private final int size;
    private Round round = new Round();

    /// One reduction.
    private static final class Round {
        private int came;
        private @Nullable Tally sum;
        private final CompletableFuture<Tally> all = new CompletableFuture<>();
    }

    /// @param ranks how many reduce
    /// @param size cells in a row
    Desk(int ranks, int size) {
        this.ranks = ranks;
        this.size = size;
    }

    @Override
    public void take(boolean isAbove, long step, double[] cells) {
        if (!(isAbove ? above : below).offer(cells)) {
            throw new IllegalStateException("row " + step + " came before its time");
        }
    }

    /// The next row from above or below.
    double[] next(boolean isAbove) throws InterruptedException {
        return (isAbove ? above : below).take();
    }

    @Override
    public Tally reduce(Tally one) throws InterruptedException {
        Round mine;
        synchronized (this) {
            mine = round;
            mine.sum = mine.sum == null ? one : mine.sum.and(one);
            if (++mine.came == ranks) {
                round = new Round();
                mine.all.complete(mine.sum);
            }
        }
        return got(mine.all);
    }

    private static <T> T got(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IbidemException(String.valueOf(e.getMessage()), e);
        }
    }

    /// From now on rows can be asked for.
    void finish(Block block) {
        finished.complete(block);
    }

    @Override
    public double[] row(int row) throws InterruptedException {
        var block = got(finished);
        int base = block.base(row);
        return Arrays.copyOfRange(block.cells(), base, base + size);
    }

    @Override
    public void done() {
        done.countDown();
    }

    void awaitDone() throws InterruptedException {
        done.await();
    }
}
