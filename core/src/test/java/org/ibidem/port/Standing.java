package org.ibidem.port;

import static org.ibidem.Eventually.eventually;

import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.ibidem.arbitration.Waiter;

/// A writer that goes on no more, as one of its receivers does not read.
final class Standing {
    /// A writer that waits for a moment only goes on between so many looks.
    private static final int LOOKS = 100;

    private Standing() {}

    /// Waits until the writer stands: whenever it is looked at it waits, in the same message; or
    /// until it has ended.
    static void eventuallyStands(SendPort out, Thread writer, Future<?> sending) {
        eventually(
                "it stands",
                new BooleanSupplier() {
                    private long at = -1;
                    private int looks;

                    @Override
                    public boolean getAsBoolean() {
                        long now = out.messages();
                        looks = now == at && waits(writer) ? looks + 1 : 0;
                        at = now;
                        return looks == LOOKS || sending.isDone();
                    }
                });
    }

    private static boolean waits(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Waiter.class.getName()));
    }
}
