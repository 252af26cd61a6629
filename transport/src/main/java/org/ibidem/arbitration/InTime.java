package org.ibidem.arbitration;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.task.Tasks;

/// What a thread does until a time is over, when it is interrupted. The interrupt ends with it: one
/// that comes too late is nobody else's business.
public final class InTime {
    private InTime() {}

    /// Does it, on this thread.
    ///
    /// @param body waits as things here do: with a [WaitInterrupted]
    /// @return false: the time was over first
    /// @throws WaitInterrupted when somebody else interrupts it
    public static boolean run(Tasks tasks, Duration time, String name, Runnable body) {
        var me = Thread.currentThread();
        var late = new AtomicBoolean();
        var limit =
                tasks.after(
                        time,
                        name,
                        () -> {
                            synchronized (late) {
                                if (!late.getAndSet(true)) {
                                    me.interrupt();
                                }
                            }
                        });
        try {
            body.run();
            return true;
        } catch (WaitInterrupted e) {
            if (!late.get()) {
                throw e;
            }
            return false;
        } finally {
            limit.stop();
            synchronized (late) {
                if (late.getAndSet(true)) {
                    Thread.interrupted();
                }
            }
        }
    }
}
