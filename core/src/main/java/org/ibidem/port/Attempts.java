package org.ibidem.port;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.task.Tasks;

/// Connects to several receive ports at once, on a thread each.
///
/// @param tasks runs them
/// @param connect connects to one within a limit, or throws
record Attempts(Tasks tasks, BiConsumer<Target, Duration> connect) {
    Connected all(List<Target> targets, Duration limit) {
        var failed = new LinkedHashMap<Target, IbidemException>();
        var done = new CountDownLatch(targets.size());
        var running = new ArrayList<Tasks.Task>();
        for (var target : targets) {
            running.add(
                    tasks.start(
                            "connect to " + target, () -> attempt(target, limit, failed, done)));
        }
        try {
            done.await(); // each attempt keeps the limit itself
        } catch (InterruptedException e) {
            running.forEach(Tasks.Task::stop);
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
        synchronized (failed) {
            var reached = targets.stream().filter(target -> !failed.containsKey(target)).toList();
            return new Connected(reached, failed);
        }
    }

    private void attempt(
            Target target,
            Duration limit,
            Map<Target, IbidemException> failed,
            CountDownLatch done) {
        try {
            connect.accept(target, limit);
        } catch (IbidemException e) {
            note(failed, target, e);
        } catch (IllegalStateException e) {
            var why = String.valueOf(e.getMessage());
            note(failed, target, new ConnectRefused(ConnectRefused.Why.OCCUPIED, why));
        } catch (RuntimeException | Error e) { // or it would count as reached
            note(failed, target, new IbidemException("connecting failed: " + e, e));
            throw e;
        } finally {
            done.countDown();
        }
    }

    private static void note(
            Map<Target, IbidemException> failed, Target target, IbidemException why) {
        synchronized (failed) {
            failed.put(target, why);
        }
    }
}
