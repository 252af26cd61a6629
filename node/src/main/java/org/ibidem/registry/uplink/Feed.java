package org.ibidem.registry.uplink;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.ibidem.registry.PoolEvent;

/// Gives events to those who want them, each at its own pace. Guarded by the uplink's lock.
final class Feed {
    private final List<Inbox> inboxes = new ArrayList<>();

    /// Adds one who is told these events first.
    void add(Inbox inbox, List<? extends PoolEvent> first) {
        inbox.fill(first);
        inboxes.add(inbox);
    }

    void remove(Inbox inbox) {
        inboxes.remove(inbox);
    }

    /// Before the view changes: whoever has no room is told of the difference later.
    ///
    /// @param view as it is now
    void makeRoom(View view) {
        makeRoom(() -> new View(view));
    }

    private void makeRoom(Supplier<View> copy) {
        for (var inbox : inboxes) {
            if (inbox.full()) {
                inbox.fallBehind(copy.get());
            }
        }
    }

    void publish(PoolEvent event) {
        inboxes.forEach(inbox -> inbox.offer(event));
    }
}
