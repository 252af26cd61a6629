package org.ibidem.filter.reliable;

import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// How the reader or the writer of a link sleeps: as the part below does from which
/// acknowledgements come, too; and whoever takes something from there for the other rings.
final class Side implements WaitableOver {
    private final ReliableLink link;
    private volatile @Nullable Doorbell bell;
    private volatile boolean armed;

    Side(ReliableLink link) {
        this.link = link;
    }

    boolean isArmed() {
        return armed;
    }

    void ring() {
        var mine = bell;
        if (mine != null) {
            mine.ring();
        }
    }

    void ringIfArmed() {
        if (armed) {
            ring();
        }
    }

    @Override
    public Waitable below() {
        return link.below();
    }

    @Override
    public Armed arm() {
        link.lock.lock();
        try {
            armed = true;
            return link.arm().and(Armed.quiet(!link.isReady(this) && !link.isOver()));
        } finally {
            link.lock.unlock();
        }
    }

    @Override
    public void disarm() {
        link.lock.lock();
        try {
            armed = false;
            link.disarm();
        } finally {
            link.lock.unlock();
        }
    }

    /// Something may be there because time has passed, or because another thread took it.
    @Override
    public SleepTraits traits() {
        return SleepTraits.NONE;
    }

    @Override
    public void bell(Doorbell waiter) {
        bell = waiter;
    }
}
