package org.ibidem.personality.nio;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/// The selected keys of a selector: a program may remove some, and add none.
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private final Set<SelectionKey> all = new HashSet<>();

    boolean insert(SelectionKey key) {
        return all.add(key);
    }

    @Override
    public Iterator<SelectionKey> iterator() {
        return all.iterator();
    }

    @Override
    public int size() {
        return all.size();
    }

    @Override
    public boolean contains(Object key) {
        return all.contains(key);
    }

    @Override
    public boolean remove(Object key) {
        return all.remove(key);
    }

    @Override
    public void clear() {
        all.clear();
    }
}
