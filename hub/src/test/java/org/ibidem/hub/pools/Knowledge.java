package org.ibidem.hub.pools;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.NodeId;

/// What can be known of a pool: who is in it, who is suspected, who has won, whether it is closed
/// or terminated. Takes in whatever it is told, as a node does, and compares.
public final class Knowledge {
    private final Map<NodeId, Member> members = new HashMap<>();
    private final Set<NodeId> suspected = new HashSet<>();
    private final Map<String, PoolEvent.Elected> winners = new TreeMap<>();
    private boolean closed;
    private boolean terminated;

    public static Knowledge of(Pool pool) {
        var knowledge = new Knowledge();
        knowledge.replace(pool.entries(), pool.elections(), pool.facts(false, 0));
        return knowledge;
    }

    public Knowledge copy() {
        var copy = new Knowledge();
        copy.members.putAll(members);
        copy.suspected.addAll(suspected);
        copy.winners.putAll(winners);
        copy.closed = closed;
        copy.terminated = terminated;
        return copy;
    }

    public void replace(
            Iterable<Reply.Entry> entries,
            Iterable<PoolEvent.Elected> elections,
            Reply.Facts facts) {
        members.clear();
        suspected.clear();
        winners.clear();
        add(entries, elections, facts);
    }

    public void add(
            Iterable<Reply.Entry> entries,
            Iterable<PoolEvent.Elected> elections,
            Reply.Facts facts) {
        for (var entry : entries) {
            members.put(entry.member().id(), entry.member());
            if (entry.suspected()) {
                suspected.add(entry.member().id());
            }
        }
        elections.forEach(elected -> winners.put(elected.election(), elected));
        closed = !facts.closed().isEmpty();
        terminated = facts.terminated().isPresent();
    }

    public void apply(Change change) {
        switch (change) {
            case PoolEvent.Joined(var member) -> members.putIfAbsent(member.id(), member);
            case PoolEvent.Left(var member) -> remove(member);
            case PoolEvent.Died(var member, _) -> remove(member);
            case PoolEvent.Suspected(var member, _) -> suspected.add(member.id());
            case PoolEvent.Restored(var member) -> suspected.remove(member.id());
            case PoolEvent.Closed _ -> closed = true;
            case PoolEvent.Elected elected -> winners.put(elected.election(), elected);
            case PoolEvent.Vacated(var election, _) -> winners.remove(election);
            case PoolEvent.Terminated _ -> terminated = true;
            case PoolEvent.Signalled _ -> {
                // is gone when it was heard
            }
        }
    }

    private void remove(Member member) {
        members.remove(member.id());
        suspected.remove(member.id());
    }

    /// What one knows who does not follow members.
    public Knowledge withoutMembers() {
        var copy = copy();
        copy.members.clear();
        copy.suspected.clear();
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Knowledge that
                && members.equals(that.members)
                && suspected.equals(that.suspected)
                && winners.equals(that.winners)
                && closed == that.closed
                && terminated == that.terminated;
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return members.values()
                + (suspected.isEmpty() ? "" : " suspected " + suspected)
                + " won "
                + winners.values()
                + (closed ? " closed" : "")
                + (terminated ? " terminated" : "");
    }
}
