package org.ibidem.personality.nio;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The keys of one channel, for whoever has something new for them.
final class Keys {
    private final List<MixedKey> all = new CopyOnWriteArrayList<>();

    void known(MixedKey key, boolean yes) {
        if (yes) {
            all.add(key);
        } else {
            all.remove(key);
        }
    }

    /// Something happened.
    void tell() {
        all.forEach(MixedKey::run);
    }

    /// The JDK's part may be registered nowhere while its mode is changed.
    void leave() {
        all.forEach(MixedKey::leave);
    }
}
