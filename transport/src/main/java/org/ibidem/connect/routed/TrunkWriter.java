package org.ibidem.connect.routed;

import java.util.concurrent.locks.LockSupport;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// The task that writes for a trunk while there is something to write. That of the trunk to a hub,
/// by which the hub knows whether the node lives, stays and waits in a thread of the platform; any
/// other is a virtual thread each time.
final class TrunkWriter {
    private final Tasks tasks;
    private final boolean stays;
    private final Runnable body;
    private volatile boolean wanted;
    private volatile boolean over;
    private volatile @Nullable Thread thread;
    private Tasks.@Nullable Task task;

    /// @param stays whether in one thread
    /// @param body writes until there is nothing to write
    TrunkWriter(Tasks tasks, boolean stays, Runnable body) {
        this.tasks = tasks;
        this.stays = stays;
        this.body = body;
    }

    /// Begins to write; not again before the body has ended, and by one thread at a time.
    ///
    /// @throws IllegalStateException when this node is going down
    void start() {
        if (!stays) {
            tasks.start("trunk", body);
            return;
        }
        wanted = true;
        if (task == null) {
            task = tasks.vital("trunk writer", this::stay);
        } else {
            LockSupport.unpark(thread);
        }
    }

    private void stay() {
        thread = Thread.currentThread();
        while (!over && !Thread.currentThread().isInterrupted()) {
            if (wanted) {
                wanted = false;
                body.run();
            } else {
                LockSupport.park(this);
            }
        }
    }

    /// Nothing is to be written any more.
    void end() {
        over = true;
        LockSupport.unpark(thread);
    }
}
