package org.ibidem.personality.vio;

import java.io.IOException;
import java.net.SocketTimeoutException;

/// How a blocking call waits: it looks a few times, as an answer is often there by then, and
/// sleeps.
final class Waiting {
    private static final int LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 1;

    private Waiting() {}

    /// What is waited for.
    interface Moving {
        /// Does what can be done now; 0: nothing.
        int move();

        void watch(Runnable watcher);

        void unwatch(Runnable watcher);
    }

    static int until(Moving moving, Deadline deadline) throws IOException {
        int looks = Thread.currentThread().isVirtual() ? 1 : LOOKS; // others want its carrier
        for (int i = 0; i < looks; i++) {
            int done = moving.move();
            if (done != 0) {
                return done;
            }
            Thread.onSpinWait();
        }
        while (true) {
            var sleeper = new Sleeper();
            moving.watch(sleeper);
            try {
                int done = moving.move(); // what came before it was watched
                if (done != 0) {
                    return done;
                }
                if (!sleeper.sleep(deadline)) {
                    throw new SocketTimeoutException("Read timed out");
                }
            } finally {
                moving.unwatch(sleeper);
            }
        }
    }
}
