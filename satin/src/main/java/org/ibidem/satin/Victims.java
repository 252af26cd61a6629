package org.ibidem.satin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Whom a process steals from: those of its own site, and those of others. A site is the widest
/// level of a location.
final class Victims {
    private final Location here;
    private final List<NodeId> near = new CopyOnWriteArrayList<>();
    private final List<NodeId> far = new CopyOnWriteArrayList<>();

    Victims(Location here) {
        this.here = here;
    }

    /// The site that a location is in.
    static String site(Location where) {
        return where.levels().getLast();
    }

    void add(NodeId id, Location where) {
        var side = where.shared(here) > 0 ? near : far;
        if (!side.contains(id)) {
            side.add(id);
        }
    }

    void remove(NodeId id) {
        near.remove(id);
        far.remove(id);
    }

    /// One of the own site, at random; none: there is none.
    @Nullable NodeId near() {
        return one(near.toArray(NodeId[]::new));
    }

    /// One of another site.
    @Nullable NodeId far() {
        return one(far.toArray(NodeId[]::new));
    }

    boolean isFar(NodeId id) {
        return far.contains(id);
    }

    /// One of all.
    @Nullable NodeId any() {
        var those = near.toArray(NodeId[]::new);
        var others = far.toArray(NodeId[]::new);
        int all = those.length + others.length;
        if (all == 0) {
            return null;
        }
        int which = ThreadLocalRandom.current().nextInt(all);
        return which < those.length ? those[which] : others[which - those.length];
    }

    private static @Nullable NodeId one(NodeId[] all) {
        return all.length == 0 ? null : all[ThreadLocalRandom.current().nextInt(all.length)];
    }
}
