package org.ibidem.registry.uplink;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.buffer.Malformed;
import org.ibidem.link.FreeNumbers;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Lookups under way, and the contacts found so far. Bounded by the size of the pool and by
/// [#MOST_OPEN]. Guarded by the uplink's lock, but for the numbering.
final class Contacts {
    /// Lookups that may wait for their answers at a time.
    static final int MOST_OPEN = 1024;

    final FreeNumbers numbers = new FreeNumbers();
    private final Map<Integer, Reply.@Nullable Found> open = new HashMap<>();
    private final Map<Integer, NodeId> asked = new HashMap<>();
    private final Map<Integer, Reply.Whereabouts> rechecks = new HashMap<>();
    private final Map<NodeId, Reply.Whereabouts> known = new ConcurrentHashMap<>();

    /// The contact, if it was found before.
    @Nullable Contact known(NodeId id) {
        var found = known.get(id);
        return found == null ? null : found.contact();
    }

    /// All whose contact is known.
    Collection<Reply.Whereabouts> all() {
        return List.copyOf(known.values());
    }

    /// Begins a question, if there is room for one.
    ///
    /// @param id about whom
    /// @return its number, or 0
    int ask(NodeId id) {
        if (open.size() >= MOST_OPEN) {
            return 0;
        }
        int call = nextCall();
        open.put(call, null);
        asked.put(call, id);
        return call;
    }

    /// Begins to ask anew for one that is known, and may be gone.
    int askAgain(Reply.Whereabouts found) {
        int call = nextCall();
        rechecks.put(call, found);
        return call;
    }

    private int nextCall() {
        return numbers.take(call -> open.containsKey(call) || rechecks.containsKey(call));
    }

    /// The answer, or null while there is none.
    Reply.@Nullable Found answer(int call) {
        return open.get(call);
    }

    /// Nobody waits for this one any more.
    void close(int call) {
        open.remove(call);
        asked.remove(call);
    }

    /// An answer came; one that nobody waits for is forgotten.
    ///
    /// @return who is gone by that, of those that were known
    /// @throws Malformed when it is about somebody else: no hub says how to reach one in another's
    ///   place
    @Nullable Member answered(Reply.Found answer) {
        var again = rechecks.remove(answer.call());
        requireAbout(again == null ? asked.get(answer.call()) : again.contact().id(), answer);
        if (again != null) {
            var gone = answer.found().isPresent() ? null : known.remove(again.contact().id());
            return gone == null ? null : gone.member().orElse(null);
        }
        if (open.containsKey(answer.call())) {
            open.put(answer.call(), answer);
        }
        return null;
    }

    private static void requireAbout(@Nullable NodeId whom, Reply.Found answer) {
        if (whom == null || answer.found().isEmpty()) {
            return;
        }
        var found = answer.found().get();
        var named = found.member().map(Member::id).orElse(whom);
        if (!found.contact().id().equals(whom) || !named.equals(whom)) {
            throw new Malformed(
                    "asked how node "
                            + whom.brief()
                            + " is reached, it said how node "
                            + found.contact().id().brief()
                            + " is");
        }
    }

    /// The connection is lost, and with it the answers to what was asked anew.
    void lost() {
        rechecks.clear();
    }

    /// Nobody says any more who of them is gone: they are asked for anew.
    void clear() {
        known.clear();
    }

    void learn(Reply.Whereabouts found) {
        known.put(found.contact().id(), found);
    }

    /// The member may be reached elsewhere now, or not at all.
    void forget(NodeId id) {
        known.remove(id);
    }
}
