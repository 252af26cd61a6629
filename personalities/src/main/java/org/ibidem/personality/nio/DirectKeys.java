package org.ibidem.personality.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ibidem.wait.Armed;
import org.jspecify.annotations.Nullable;

/// The keys of VLinks for which a selector of ours sleeps in the JDK's selector itself. Used by
/// whoever selects.
final class DirectKeys {
    /// By then, what a processor has stored is seen by all.
    private static final long MOMENT_MILLIS = 1;

    private final Selector jdk;

    /// Those that may have missed that this one is about to wait for them.
    private final Set<MixedKey> unsure = new HashSet<>();

    private int waiting;

    DirectKeys(Selector jdk) {
        this.jdk = jdk;
    }

    /// Whether some wait, also while nobody selects.
    boolean areWaiting() {
        return waiting > 0;
    }

    /// As [MixedKey#arm].
    @Nullable Armed arm(MixedKey key) {
        var armed = key.arm(jdk);
        waiting += key.waits() ? 1 : 0;
        if (armed == Armed.SLEEP_THEN_LOOK) {
            unsure.add(key);
        }
        return armed;
    }

    /// It is looked at, or is not there any more.
    void disarm(MixedKey key) {
        if (key.disarm()) {
            waiting--;
            unsure.remove(key);
        }
    }

    /// Sleeps, at first for a moment only where somebody may have missed that this one does.
    ///
    /// @param millis 0: for ever
    /// @return those to be looked at that the JDK's selector has not found
    List<MixedKey> sleep(Consumer<SelectionKey> found, long millis) throws IOException {
        if (unsure.isEmpty()) {
            jdk.select(found, millis);
            return List.of();
        }
        long begun = System.nanoTime();
        jdk.select(found, MOMENT_MILLIS);
        if (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(MOMENT_MILLIS)) {
            return List.of();
        }
        var open = new ArrayList<MixedKey>();
        for (var key : unsure) {
            key.arm(jdk);
            if (!key.waits()) {
                waiting--;
                open.add(key);
            }
        }
        unsure.clear();
        return open;
    }
}
