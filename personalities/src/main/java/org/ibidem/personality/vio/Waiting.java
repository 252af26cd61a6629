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

        /// Sleeps for so long at most in this thread alone.
        ///
        /// @return false: it cannot, but it may be watched
        default boolean sleeps(long nanos) throws IOException {
            return false;
        }

        void watch(Runnable watcher);

        void unwatch(Runnable watcher);
    }

    static int until(Moving moving, Deadline deadline) throws IOException {
        boolean isVirtual = Thread.currentThread().isVirtual();
        int looks = isVirtual ? 1 : LOOKS; // others want its carrier
        for (int i = 0; i < looks; i++) {
            int now = moving.move();
            if (now != 0) {
                return now;
            }
            Thread.onSpinWait();
        }
        int done = isVirtual ? 0 : asleep(moving, deadline);
        return done == 0 ? told(moving, deadline) : done;
    }

    /// Waits in this thread alone, which waits on when it is interrupted.
    ///
    /// @return 0: it cannot
    private static int asleep(Moving moving, Deadline deadline) throws IOException {
        boolean interrupted = false;
        try {
            while (moving.sleeps(deadline.nanos())) {
                int done = moving.move();
                if (done != 0) {
                    return done;
                }
                requireTime(deadline);
                interrupted |= Thread.interrupted();
            }
            return 0;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void requireTime(Deadline deadline) throws SocketTimeoutException {
        if (deadline.nanos() <= 0) {
            throw new SocketTimeoutException("Read timed out");
        }
    }

    private static int told(Moving moving, Deadline deadline) throws IOException {
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
