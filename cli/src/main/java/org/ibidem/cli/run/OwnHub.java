package org.ibidem.cli.run;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.ibidem.config.Limit;
import org.ibidem.config.Settings;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.Hub;
import org.ibidem.trust.JobFile;
import org.ibidem.trust.JobKey;
import org.jspecify.annotations.Nullable;

/// The hub of a job, which is started while the job's program is looked for. Unless it is open only
/// processes of this user may join it: those that can read the file of the job's key.
final class OwnHub implements AutoCloseable {
    private final FutureTask<Started> starting;

    /// What there is to end.
    ///
    /// @param key the file with the job's key, or null where the hub is open
    private record Started(Hub hub, @Nullable KeptKey key) {}

    /// Begins to start it.
    ///
    /// @param open as [Hub.Options#open]; then it asks for no key
    OwnHub(boolean open) {
        starting = new FutureTask<>(() -> start(open));
        Thread.ofPlatform().daemon().name("start-hub").start(starting);
    }

    private static Started start(boolean open) {
        var bounds = Bounds.of(Settings.system()).patience(Patience.of(Limit.HANDSHAKE));
        var options = Hub.Options.DEFAULT.bounds(bounds).port(0);
        if (open) {
            return new Started(Hub.start(options.open(true)), null);
        }
        var key = JobKey.create();
        var hub = Hub.start(options, key);
        try {
            return new Started(hub, new KeptKey(JobFile.write(key, hub.port())));
        } catch (IOException e) {
            hub.close();
            throw new CannotRun(
                    e.getMessage()
                            + "; put one of these right, or name a folder of this user in"
                            + " XDG_RUNTIME_DIR",
                    e);
        }
    }

    /// The hub, when it has started.
    ///
    /// @throws RuntimeException as [Hub#start], or as settings of its own are refused
    Hub hub() throws InterruptedException {
        return started().hub;
    }

    /// By which the job's processes, and what they start, find its key.
    Map<String, String> environment() throws InterruptedException {
        var key = started().key;
        return key == null
                ? Map.of()
                : Map.of(Settings.variable("ibidem.job"), key.file().path().toString());
    }

    private Started started() throws InterruptedException {
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
            var started = starting.get();
            try (var _ = started.key) {
                started.hub.close();
            }
        } catch (ExecutionException _) {
            // then there is none, which whoever asked for it was told
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it ends with this process
        }
    }
}
