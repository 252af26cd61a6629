package org.ibidem.port;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The connections of a send port that are over and of which nobody was told yet. Any thread adds.
final class UnreportedLosses {
    private static final int MOST = 4096;
    private static final int MOST_SAID = 20;

    private final ArrayDeque<Lost<Target>> losses = new ArrayDeque<>();
    private int forgotten;

    /// Adds one. Whoever asks sees both or neither: that it is over, and that it is gone.
    synchronized void add(Lost<Target> loss, Runnable gone) {
        if (losses.size() < MOST) {
            losses.add(loss);
        } else {
            forgotten++;
        }
        gone.run();
    }

    /// Whether any of them broke, instead of being closed in order.
    synchronized boolean anyBroken() {
        return losses.stream().anyMatch(Lost::broken);
    }

    /// All of them, from now on told.
    synchronized List<Lost<Target>> take() {
        var list = List.copyOf(losses);
        losses.clear();
        forgotten = 0;
        return list;
    }

    /// The same in words; null: there are none.
    synchronized @Nullable String say() {
        int unsaid = Math.max(0, losses.size() - MOST_SAID) + forgotten;
        var all = take();
        if (all.isEmpty()) {
            return null;
        }
        var text =
                all.stream()
                        .limit(MOST_SAID)
                        .map(UnreportedLosses::described)
                        .collect(Collectors.joining("; "));
        return unsaid == 0 ? text : text + "; and " + unsaid + " more";
    }

    static String described(Lost<Target> loss) {
        return "the connection to "
                + loss.peer()
                + (loss.broken() ? " is lost: " : " is over: ")
                + loss.why();
    }
}
