package org.ibidem.filter.parallel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ibidem.link.Line;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;

/// A long line between two ends and a clock, both made of numbers: so much at a time for all
/// connections together, and for each as much under way as its window has. One thread plays all of
/// it, so that it goes the same way each time.
final class ModelledLine implements Tasks {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);

    /// Bytes a second each way, and bytes under way on one connection: to be changed at any time.
    double rate;

    int window;

    /// One way, in nanoseconds.
    final long delay;

    /// What the end that asked for the link has decided, the last at the end.
    final List<String> decisions = new ArrayList<>();

    int connections;

    /// The ends of those that the end that asked for the link has made.
    final List<ModelledPath> made = new ArrayList<>();

    private final Map<Boolean, Long> busyUntil = new HashMap<>();
    private final Deque<Runnable> starting = new ArrayDeque<>();
    private final List<Part> parts = new ArrayList<>();
    private final CompletableFuture<Consumer<StreamPath>> takes = new CompletableFuture<>();
    private final ModelledPath[] first;
    private long now;

    ModelledLine(double rate, int window, Duration delay) {
        this.rate = rate;
        this.window = window;
        this.delay = delay.toNanos();
        this.first = connection();
    }

    private ModelledPath[] connection() {
        connections++;
        var one = new ModelledPath(this, true);
        var other = new ModelledPath(this, false);
        made.add(one);
        one.to(other);
        other.to(one);
        return new ModelledPath[] {one, other};
    }

    /// A little time goes by, and what is due is done.
    void step() {
        now += STEP;
        for (var body = starting.poll(); body != null; body = starting.poll()) {
            body.run();
        }
        for (var part : List.copyOf(parts)) {
            if (part.due <= now) {
                long pause = part.progress.progress(now);
                part.due = pause == Progress.IDLE ? Long.MAX_VALUE : now + pause;
            }
        }
    }

    /// When bytes that leave now are at the other end.
    long arrival(boolean outwards, int bytes) {
        long free = Math.max(now, busyUntil.getOrDefault(outwards, 0L));
        long left = free + (long) (bytes / rate * 1e9);
        busyUntil.put(outwards, left);
        return left + delay;
    }

    /// What lies below one of the two.
    Lower lower(boolean active) {
        return new Below(active);
    }

    @Override
    public Task start(String name, Runnable body) {
        starting.add(body);
        return () -> starting.remove(body);
    }

    @Override
    public Task after(Duration wait, String name, Runnable body) {
        var once = new Part[1];
        once[0] =
                new Part(_ -> {
                    once[0].stop();
                    body.run();
                    return Progress.IDLE;
                });
        once[0].due = now + wait.toNanos();
        parts.add(once[0]);
        return once[0]::stop;
    }

    @Override
    public Driven drive(String name, Progress progress) {
        var part = new Part(progress);
        parts.add(part);
        return part;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    private final class Part implements Driven {
        private final Progress progress;
        private long due;

        Part(Progress progress) {
            this.progress = progress;
        }

        @Override
        public void soon() {
            due = now;
        }

        @Override
        public void stop() {
            parts.remove(this);
        }
    }

    private final class Below extends Meeting {
        Below(boolean active) {
            super(active, first[active ? 0 : 1], takes);
        }

        @Override
        StreamPath[] connected() {
            return connection();
        }

        @Override
        public Tasks tasks() {
            return ModelledLine.this;
        }

        @Override
        public Line line() {
            return active() ? new Said() : Line.UNKNOWN;
        }
    }

    private final class Said implements Line {
        @Override
        public Known known() {
            return new Known(Duration.ofNanos(2 * delay), 0, 0, 0, 0, Duration.ZERO);
        }

        @Override
        public void decided(String what, String decision, String why) {
            decisions.add(what + ": " + decision);
        }
    }
}
