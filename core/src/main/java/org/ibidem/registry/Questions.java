package org.ibidem.registry;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Lookups under way, and the contacts found so far. Bounded by the size of the pool and by
/// [#MOST_OPEN]. Guarded by the uplink's lock, but for the numbering.
final class Questions {
    /// Lookups that may wait for their answers at a time.
    static final int MOST_OPEN = 1024;

    private final AtomicInteger lastCall = new AtomicInteger();
    private final Map<Integer, Reply.@Nullable Found> open = new HashMap<>();
    private final Map<NodeId, Contact> known = new ConcurrentHashMap<>();

    /// The contact, if it was found before.
    @Nullable Contact known(NodeId id) {
        return known.get(id);
    }

    /// Begins a question, if there is room for one.
    ///
    /// @return its number, or 0
    int ask() {
        if (open.size() >= MOST_OPEN) {
            return 0;
        }
        int call = lastCall.updateAndGet(last -> last == Integer.MAX_VALUE ? 1 : last + 1);
        open.put(call, null);
        return call;
    }

    /// The answer, or null while there is none.
    Reply.@Nullable Found answer(int call) {
        return open.get(call);
    }

    /// Nobody waits for this one any more; says whether anybody did.
    boolean close(int call) {
        boolean was = open.containsKey(call);
        open.remove(call);
        return was;
    }

    /// An answer came; one that nobody waits for is forgotten.
    void answered(Reply.Found answer) {
        if (open.containsKey(answer.call())) {
            open.put(answer.call(), answer);
        }
    }

    void learn(Contact contact) {
        known.put(contact.id(), contact);
    }

    /// The member may be reached elsewhere now, or not at all.
    void forget(NodeId id) {
        known.remove(id);
    }
}
