package org.ibidem.cli.run;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.ibidem.config.Settings;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.Hub;

/// The hub of a job, which is started while the job's program is looked for.
final class OwnHub implements AutoCloseable {
    private final FutureTask<Hub> starting;

    /// Begins to start it.
    ///
    /// @param open as [Hub.Options#open]
    OwnHub(boolean open) {
        starting =
                new FutureTask<>(() -> {
                    var options = Hub.Options.DEFAULT.bounds(Bounds.of(Settings.system()));
                    return Hub.start(options.port(0).open(open));
                });
        Thread.ofPlatform().daemon().name("start-hub").start(starting);
    }

    /// The hub, when it has started.
    ///
    /// @throws RuntimeException as [Hub#start], or as settings of its own are refused
    Hub hub() throws InterruptedException {
        try {
            return starting.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException why -> throw why;
                case Error why -> throw why;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /// Ends it, also when it has only begun to start.
    @Override
    public void close() {
        try {
            starting.get().close();
        } catch (ExecutionException _) {
            // then there is none, which whoever asked for it was told
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it ends with this process
        }
    }
}
