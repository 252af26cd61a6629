package org.ibidem.arbitration;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/// What is done when the program ends, in order or by a signal that lets it: at the end of `main`,
/// after `System.exit`, at SIGTERM; not at `halt` or SIGKILL.
public final class AtExit {
    private static final Set<LongConsumer> ALL = ConcurrentHashMap.newKeySet();

    static {
        var hook = Thread.ofPlatform().name("ibidem/exit").unstarted(AtExit::run);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException _) {
            // the end has begun already
        }
    }

    private AtExit() {}

    /// Has this done at the end, one after the other.
    ///
    /// @param action gets when the end began, as [System#nanoTime] says it
    public static void add(LongConsumer action) {
        ALL.add(action);
    }

    /// It is not needed any longer.
    public static void remove(LongConsumer action) {
        ALL.remove(action);
    }

    private static void run() {
        long begun = System.nanoTime();
        for (var action : ALL) {
            try {
                action.accept(begun);
            } catch (RuntimeException e) { // the others have their turn, too
                System.getLogger(AtExit.class.getName())
                        .log(System.Logger.Level.DEBUG, "failed at the end of the program", e);
            }
        }
    }
}
