package org.ibidem.lab.fault;

import java.time.Duration;
import org.ibidem.buffer.Frame;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSource;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// What the sources of all fault filters share: they sleep as the lower source does, or until a
/// frame they hold is due.
public abstract class FaultySource implements FrameSource, WaitableOver {
    /// The answer of [#due] when nothing is held.
    protected static final long NEVER = Long.MAX_VALUE;

    private final FrameLink link;
    private final FrameSource lower;
    private final Waitable below;
    private final Tasks tasks;
    private @Nullable Doorbell bell;
    private Tasks.@Nullable Task alarm;

    /// Stands over the source of `link`.
    protected FaultySource(FrameLink link, Tasks tasks) {
        this.link = link;
        this.lower = link.source();
        this.below = Waitable.of(lower);
        this.tasks = tasks;
    }

    /// The whole link, where the fault changes nothing of what is delivered: what is sent goes
    /// straight down.
    public FrameLink link() {
        return link(link.delivery());
    }

    /// The whole link, and what may become of frames on it.
    public FrameLink link(DeliveryFaults delivery) {
        return new FilteredLink(link.sink(), this, link, delivery);
    }

    /// Checks a rate.
    public static void checkRate(double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("rate is 0 to 1, not " + rate);
        }
    }

    /// Polls below.
    protected boolean next(Frame lent) {
        return lower.poll(lent);
    }

    /// Nanoseconds until a frame held here is due; 0 or less: it is.
    protected long due() {
        return NEVER;
    }

    /// The time, in nanoseconds.
    protected long now() {
        return tasks.nanoTime();
    }

    @Override
    public void release() {
        lower.release();
    }

    @Override
    public Armed arm() {
        long due = due();
        var mine = bell;
        if (due <= 0 || (due != NEVER && mine == null)) {
            return Armed.READY;
        }
        if (due != NEVER && mine != null && alarm == null) {
            alarm = tasks.after(Duration.ofNanos(due), "frame due", mine::ring);
        }
        var armed = below.arm();
        if (armed == Armed.READY) {
            stopAlarm();
        }
        return armed;
    }

    @Override
    public void disarm() {
        stopAlarm();
        below.disarm();
    }

    private void stopAlarm() {
        var set = alarm;
        if (set != null) {
            alarm = null;
            set.stop();
        }
    }

    /// Frames held here are due by the passing of time, which no channel tells of.
    @Override
    public SleepTraits traits() {
        return below.traits().looksOnce().silent();
    }

    @Override
    public void bell(Doorbell waiter) {
        bell = waiter;
        below.bell(waiter);
    }

    @Override
    public Waitable below() {
        return below;
    }
}
