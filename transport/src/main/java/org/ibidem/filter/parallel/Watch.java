package org.ibidem.filter.parallel;

import java.nio.channels.SelectableChannel;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// Has the node look at one connection whenever it can be read.
final class Watch implements Progress {
    private final Bundle bundle;
    private final Strand strand;
    private final Waitable sleepy;
    private volatile Tasks.@Nullable Driven driven;

    Watch(Bundle bundle, Strand strand) {
        this.bundle = bundle;
        this.strand = strand;
        this.sleepy = strand.path.readable();
        sleepy.bell(this::ring);
    }

    Tasks.Driven begin(Tasks tasks) {
        var mine = tasks.drive("parallel stream", this);
        driven = mine;
        return mine;
    }

    private void ring() {
        var mine = driven;
        if (mine != null) {
            mine.soon();
        }
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return sleepy.channel();
    }

    /// A path without a channel rings; it is armed again after each look.
    @Override
    public long progress(long now) {
        sleepy.disarm();
        bundle.heard(strand);
        boolean more = !strand.gone && (driven == null || sleepy.arm() == Armed.READY);
        return more ? 0 : IDLE;
    }
}
