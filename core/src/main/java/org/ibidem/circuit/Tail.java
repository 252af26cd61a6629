package org.ibidem.circuit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.link.LinkBroken;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// What was committed and its link could not hand on yet: it leaves although nobody calls the
/// circuit any more. Who does call is faster, and is not to wait for this: it looks now and then,
/// and touches only what has been left alone since it looked last.
final class Tail implements Progress {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final Circuit circuit;
    private final Tasks tasks;

    /// Under the circuit's turn, as is whether it is looked after.
    private final List<Outward> kept = new ArrayList<>();

    private boolean watched;
    private Tasks.@Nullable Driven driven;
    private boolean closed;

    Tail(Circuit circuit, Tasks tasks) {
        this.circuit = circuit;
        this.tasks = tasks;
    }

    /// Needs the turn.
    void add(Outward out) {
        if (!kept.contains(out)) {
            kept.add(out);
        }
        if (!watched) {
            watched = true;
            watch();
        }
    }

    private synchronized void watch() {
        if (closed) {
            return;
        }
        if (driven != null) {
            driven.soon();
            return;
        }
        try {
            driven = tasks.drive(circuit + ": what was kept back", this);
        } catch (IllegalStateException _) {
            // this node is going down
        }
    }

    @Override
    public long progress(long now) {
        if (!circuit.tryEnter()) {
            return PAUSE;
        }
        try {
            kept.removeIf(out -> !keeps(out));
            watched = !kept.isEmpty();
            return watched ? PAUSE : IDLE;
        } finally {
            circuit.leave();
        }
    }

    private static boolean keeps(Outward out) {
        try {
            return out.isUnsent() && (!out.rests() || out.handsOn());
        } catch (LinkBroken | InternalError _) {
            return false; // whoever polls or sends next is told
        }
    }

    void close() {
        Tasks.@Nullable Driven last;
        synchronized (this) {
            closed = true;
            last = driven;
        }
        if (last != null) {
            last.stop();
        }
    }
}
