package org.ibidem.registry;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What a node knows of its pool: snapshots and changes go in, what is new to the node comes out.
/// Not safe for several threads.
final class View {
    private final Map<NodeId, Member> members = new LinkedHashMap<>();
    private final TreeMap<Integer, Member> ranks = new TreeMap<>();
    private final Set<NodeId> suspected = new HashSet<>();
    private String closed = "";

    /// The members, by rank.
    List<Member> members() {
        return List.copyOf(ranks.values());
    }

    int size() {
        return members.size();
    }

    @Nullable Member member(NodeId id) {
        return members.get(id);
    }

    @Nullable Member member(int rank) {
        return ranks.get(rank);
    }

    /// Why nobody may join any more, or empty.
    String closed() {
        return closed;
    }

    /// Takes in one change.
    ///
    /// @return false when it says nothing new, as may be after a hub was started anew
    boolean apply(Change change) {
        return switch (change) {
            case PoolEvent.Joined(var member) -> add(member);
            case PoolEvent.Left(var member) -> remove(member);
            case PoolEvent.Died(var member, _) -> remove(member);
            case PoolEvent.Suspected(var member, _) ->
                    members.containsKey(member.id()) && suspected.add(member.id());
            case PoolEvent.Restored(var member) -> suspected.remove(member.id());
            case PoolEvent.Closed(var why) -> close(why);
        };
    }

    /// Takes in the whole pool as the hub knows it.
    ///
    /// @return the changes that lead there from what was known
    List<Change> replace(List<Reply.Entry> entries, String nowClosed) {
        var changes = new ArrayList<Change>();
        var present = new HashSet<Member>();
        entries.forEach(entry -> present.add(entry.member()));
        for (var member : members()) {
            if (!present.contains(member)) {
                changes.add(
                        new PoolEvent.Died(
                                member, "it was gone when this node heard of the pool again"));
            }
        }
        for (var entry : entries) {
            update(entry, changes);
        }
        if (!nowClosed.isEmpty()) {
            changes.add(new PoolEvent.Closed(nowClosed));
        }
        changes.removeIf(change -> !apply(change));
        return changes;
    }

    private static void update(Reply.Entry entry, List<Change> changes) {
        var member = entry.member();
        changes.add(new PoolEvent.Joined(member));
        changes.add(
                entry.suspected()
                        ? new PoolEvent.Suspected(member, "the hub has no contact with it")
                        : new PoolEvent.Restored(member));
    }

    private boolean add(Member member) {
        if (members.putIfAbsent(member.id(), member) != null) {
            return false;
        }
        ranks.put(member.rank(), member);
        return true;
    }

    private boolean remove(Member member) {
        suspected.remove(member.id());
        ranks.remove(member.rank(), member);
        return members.remove(member.id()) != null;
    }

    private boolean close(String why) {
        boolean news = closed.isEmpty();
        closed = why;
        return news;
    }
}
