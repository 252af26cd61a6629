package org.ibidem.control;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A map that forgets its oldest entry when one more than allowed comes.
public final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int most;

    private Recent(int most) {
        this.most = most;
    }

    /// An empty map.
    ///
    /// @param most entries; a further one drops the oldest
    public static <K, V> Map<K, V> map(int most) {
        return Collections.synchronizedMap(new Recent<>(most));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
