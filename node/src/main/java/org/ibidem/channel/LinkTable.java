package org.ibidem.channel;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The data links of a node, and which of them serves a new channel.
///
/// Two nodes that ask each other at the same time shall end up with one link. Who asks waits for a
/// link that the peer is making already; who is asked uses the link it is asking for itself, where
/// its id is the smaller, or where the peer has said that it wants it.
final class LinkTable {
    /// Links that one peer asked for and has not connected to yet.
    static final int MOST_AWAITED = 256;

    private static final Duration BUILD_LIMIT = Duration.ofSeconds(15);

    private final NodeId me;
    private final Map<String, DataLink> links = new ConcurrentHashMap<>();

    LinkTable(NodeId me) {
        this.me = me;
    }

    Collection<DataLink> all() {
        return links.values();
    }

    int size() {
        return links.size();
    }

    @Nullable DataLink get(String key) {
        return links.get(key);
    }

    void remove(DataLink link) {
        links.remove(link.key, link);
    }

    /// Lists a link that is about to be asked for. Of a link of a node to itself only the other end
    /// is listed.
    ///
    /// @param fresh it shall be asked for at once; else one that the peer is making is waited for:
    ///   its free direction may do
    /// @param limit so long at most
    void begin(DataLink mine, boolean fresh, Duration limit) {
        boolean wait = !fresh;
        while (!mine.peer.equals(me)) {
            @Nullable DataLink coming;
            synchronized (this) {
                coming = wait ? awaited(mine) : null;
                if (coming == null) {
                    links.put(mine.key, mine);
                    return;
                }
            }
            wait = coming.made(limit);
        }
    }

    private @Nullable DataLink awaited(DataLink like) {
        return links.values().stream()
                .filter(link ->
                        !link.single && link.awaits(like.peer) && link.stack.equals(like.stack))
                .findAny()
                .orElse(null);
    }

    /// Gives away a direction towards us: of a link that is there, else of the fresh one, which is
    /// then listed.
    ///
    /// @param thatOnly only the fresh one will do
    /// @param expect called before the fresh one can be found by others
    /// @return none when the fresh one cannot be listed: its key is in use, or too many are awaited
    @Nullable DataLink promised(DataLink fresh, boolean thatOnly, Runnable expect) {
        while (true) {
            @Nullable DataLink link;
            synchronized (this) {
                link = thatOnly ? null : free(fresh);
                if (link == null) {
                    return listed(fresh, expect) ? fresh : null;
                }
            }
            // Whether the peer wants one that we ask for must be known before it is used.
            if (link.made(BUILD_LIMIT)) {
                return link;
            }
            link.freeIncoming();
        }
    }

    private @Nullable DataLink free(DataLink like) {
        boolean first = me.compareTo(like.peer) < 0;
        for (var link : links.values()) {
            boolean usable = link.isBuilt() || link.isAgreed() || (link.isAsked() && first);
            if (usable
                    && !link.single
                    && link.peer.equals(like.peer)
                    && link.stack.equals(like.stack)
                    && link.promise()) {
                return link;
            }
        }
        return null;
    }

    private boolean listed(DataLink fresh, Runnable expect) {
        long awaited = links.values().stream().filter(link -> link.awaits(fresh.peer)).count();
        if (awaited >= MOST_AWAITED || links.containsKey(fresh.key)) {
            return false;
        }
        fresh.promise();
        expect.run();
        links.put(fresh.key, fresh);
        return true;
    }
}
