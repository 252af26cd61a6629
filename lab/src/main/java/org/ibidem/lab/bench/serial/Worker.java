package org.ibidem.lab.bench.serial;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The process of one contestant at one work. It says when it is warm, and takes a turn for each
/// line it reads.
public final class Worker {
    private static final long WARM_NANOS = 2_000_000_000L;
    private static final long SAMPLE_NANOS = 1_500_000;
    private static final int SAMPLES = 16;
    private static final int CHECKED = 1_000_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @SuppressWarnings("UnusedVariable") // so that nothing that is measured can be left out
    private static volatile @Nullable Object sink;

    private final Coder coder;
    private final Object graph;

    private Worker(Coder coder, Object graph) {
        this.coder = coder;
        this.graph = graph;
    }

    /// Begins: the contestant's name, the work's, and whether only the start is measured.
    public static void main(String[] args) throws Exception {
        var graph = Work.named(args[1]).make().get();
        long began = System.nanoTime();
        var coder = Coders.make(args[0]);
        int bytes = coder.write(graph);
        var copy = Objects.requireNonNull(coder.read());
        long cold = System.nanoTime() - began;
        if (!alike(graph, copy)) {
            throw new IllegalStateException(args[0] + " has made something else of " + args[1]);
        }
        System.out.println(bytes + " " + cold);
        if (args.length == 2) {
            new Worker(coder, graph).serve();
        }
    }

    /// As the loops written by hand see it.
    private static boolean alike(Object one, Object other) {
        if (one instanceof Order order) {
            return order.text().equals(((Order) other).text());
        }
        var writer = new HandCoder(false);
        return Arrays.equals(bytes(writer, one), bytes(writer, other));
    }

    private static byte[] bytes(HandCoder writer, Object graph) {
        int size = writer.write(graph);
        return writer.copy(Math.min(size, CHECKED));
    }

    private void serve() throws IOException, ClassNotFoundException {
        long end = System.nanoTime() + WARM_NANOS;
        long times = 0;
        for (; System.nanoTime() < end; times++) {
            sink = coder.write(graph);
            sink = coder.read();
        }
        long batch = Math.max(1, SAMPLE_NANOS * times / WARM_NANOS);
        System.out.println("warm");
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            turn(batch);
        }
    }

    private void turn(long batch) throws IOException, ClassNotFoundException {
        var write = new double[SAMPLES];
        var read = new double[SAMPLES];
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < SAMPLES; i++) {
            write[i] = write(batch);
        }
        long between = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < SAMPLES; i++) {
            read[i] = read(batch);
        }
        long after = THREADS.getCurrentThreadAllocatedBytes();
        System.out.println(
                text(write)
                        + " "
                        + (between - before) / (SAMPLES * batch)
                        + " "
                        + text(read)
                        + " "
                        + (after - between) / (SAMPLES * batch));
    }

    private double write(long batch) throws IOException {
        long began = System.nanoTime();
        for (long i = 0; i < batch; i++) {
            sink = coder.write(graph);
        }
        return (double) (System.nanoTime() - began) / batch;
    }

    private double read(long batch) throws IOException, ClassNotFoundException {
        long began = System.nanoTime();
        for (long i = 0; i < batch; i++) {
            sink = coder.read();
        }
        return (double) (System.nanoTime() - began) / batch;
    }

    private static String text(double[] samples) {
        return Arrays.stream(samples)
                .mapToObj(sample -> String.format(Locale.ROOT, "%.1f", sample))
                .collect(Collectors.joining(","));
    }
}
