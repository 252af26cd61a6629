package org.ibidem.registry.uplink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What a node knows of its pool: changes go in, and it says which are news. Made for many nodes in
/// one process: a member costs about a hundred bytes. Not safe for several threads.
public final class View {
    private static final int MOST_PLACES = 256;

    private final Map<NodeId, Member> members = new HashMap<>();
    private final Set<NodeId> suspected = new HashSet<>();
    private final Map<String, Result> results = new HashMap<>();
    private final Map<Location, Location> places = new HashMap<>();
    private Member @Nullable [] byRank;
    private String closed = "";
    private List<Member> whenClosed = List.of();
    private @Nullable Member terminated;

    /// What is known of an election.
    private record Result(long term, PoolEvent.@Nullable Elected elected) {}

    View() {}

    /// As much as another one knows.
    View(View other) {
        members.putAll(other.members);
        suspected.addAll(other.suspected);
        results.putAll(other.results);
        closed = other.closed;
        whenClosed = other.whenClosed;
        terminated = other.terminated;
    }

    /// The members, by rank.
    public List<Member> members() {
        return List.of(byRank());
    }

    /// How many there are.
    public int size() {
        return members.size();
    }

    /// The member with this id, or null.
    public @Nullable Member member(NodeId id) {
        return members.get(id);
    }

    /// The member with this rank, or null.
    public @Nullable Member member(int rank) {
        var all = byRank();
        int low = 0;
        for (int high = all.length; low < high; ) {
            int middle = (low + high) >>> 1;
            if (all[middle].rank() < rank) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < all.length && all[low].rank() == rank ? all[low] : null;
    }

    /// Why nobody may join any more, or empty.
    public String closed() {
        return closed;
    }

    /// The members that the pool had when it was closed, by rank, also those that have left since;
    /// none while it is open.
    public List<Member> membersWhenClosed() {
        return whenClosed;
    }

    /// Who terminated the pool, if anybody did.
    public Optional<Member> terminated() {
        return Optional.ofNullable(terminated);
    }

    /// The winner of an election, if there is one.
    public Optional<PoolEvent.Elected> elected(String election) {
        var result = results.get(election);
        return result == null ? Optional.empty() : Optional.ofNullable(result.elected);
    }

    /// How many winners an election has had.
    long term(String election) {
        var result = results.get(election);
        return result == null ? 0 : result.term;
    }

    /// The elections that have a winner.
    List<PoolEvent.Elected> elections() {
        var won = new ArrayList<PoolEvent.Elected>();
        for (var result : results.values()) {
            if (result.elected != null) {
                won.add(result.elected);
            }
        }
        return won;
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
            case PoolEvent.Terminated(var by) -> terminate(by);
            case PoolEvent.Elected elected -> elect(elected);
            case PoolEvent.Vacated(var election, var term) -> vacate(election, term);
            case PoolEvent.Signalled _ -> true;
        };
    }

    /// The changes that lead from here to the pool as the hub knows it; not taken in yet.
    List<Change> difference(Reply.Facts facts, Snapshot snapshot) {
        var changes = new ArrayList<Change>();
        var present = new HashSet<Member>();
        snapshot.entries().forEach(entry -> present.add(entry.member()));
        for (var member : members.values()) {
            if (!present.contains(member)) {
                changes.add(gone(member, facts, snapshot.dead()));
            }
        }
        snapshot.entries().forEach(entry -> update(entry, changes));
        var won = new HashSet<String>();
        snapshot.elections().forEach(elected -> won.add(elected.election()));
        for (var result : elections()) {
            if (!won.contains(result.election())) {
                changes.add(new PoolEvent.Vacated(result.election(), result.term()));
            }
        }
        changes.addAll(snapshot.elections());
        if (!facts.closed().isEmpty()) {
            changes.add(new PoolEvent.Closed(facts.closed()));
        }
        facts.terminated().ifPresent(by -> changes.add(new PoolEvent.Terminated(by)));
        return changes;
    }

    private static Change gone(Member member, Reply.Facts facts, Map<NodeId, String> dead) {
        var how = dead.get(member.id());
        if (how == null && !facts.vague()) {
            return new PoolEvent.Left(member);
        }
        return new PoolEvent.Died(
                member, how == null ? "it was gone when this node heard of the pool again" : how);
    }

    /// Members and elections of a snapshot.
    ///
    /// @param entries members
    /// @param elections those with a winner
    /// @param dead how those died who have not left
    record Snapshot(
            List<Reply.Entry> entries,
            List<PoolEvent.Elected> elections,
            Map<NodeId, String> dead) {}

    /// The changes that lead from another view to this one.
    ///
    /// @param dead how those members of the other one died who have not left
    List<Change> since(View other, Map<NodeId, String> dead) {
        var entries = new ArrayList<Reply.Entry>();
        for (var member : byRank()) {
            entries.add(new Reply.Entry(member, suspected.contains(member.id())));
        }
        return other.difference(
                new Reply.Facts(closed, terminated(), false, false),
                new Snapshot(entries, elections(), dead));
    }

    /// Forgets the terms of elections: the hub has begun anew, and so have they. What it says of
    /// them is news again.
    void forgetTerms() {
        results.values().removeIf(result -> result.elected == null);
        results.replaceAll((_, result) -> new Result(0, result.elected));
    }

    private void update(Reply.Entry entry, List<Change> changes) {
        var member = entry.member();
        boolean known = member.equals(members.get(member.id()));
        if (!known) {
            changes.add(new PoolEvent.Joined(member));
        }
        if (entry.suspected() != (known && suspected.contains(member.id()))) {
            changes.add(
                    entry.suspected()
                            ? new PoolEvent.Suspected(member, "the hub has no contact with it")
                            : new PoolEvent.Restored(member));
        }
    }

    private Member[] byRank() {
        var all = byRank;
        if (all == null) {
            all = members.values().toArray(Member[]::new);
            Arrays.sort(all, Comparator.comparingInt(Member::rank));
            byRank = all;
        }
        return all;
    }

    private boolean add(Member member) {
        if (members.putIfAbsent(member.id(), lean(member)) != null) {
            return false;
        }
        byRank = null;
        return true;
    }

    // Members are many, places few.
    private Member lean(Member member) {
        var place = places.get(member.location());
        if (place == null) {
            if (places.size() < MOST_PLACES) {
                places.put(member.location(), member.location());
            }
            return member;
        }
        return new Member(member.id(), member.rank(), place, member.tag());
    }

    private boolean remove(Member member) {
        suspected.remove(member.id());
        boolean was = members.remove(member.id()) != null;
        byRank = was ? null : byRank;
        return was;
    }

    private boolean close(String why) {
        boolean news = closed.isEmpty();
        if (news) {
            whenClosed = members();
        }
        closed = why;
        return news;
    }

    private boolean terminate(Member by) {
        boolean news = terminated == null;
        terminated = by;
        return news;
    }

    private boolean elect(PoolEvent.Elected elected) {
        if (elected.term() <= term(elected.election())) {
            return false;
        }
        results.put(elected.election(), new Result(elected.term(), elected));
        return true;
    }

    private boolean vacate(String election, long term) {
        var before = results.get(election);
        if (before != null && before.term > term) {
            return false;
        }
        if (before != null && before.term == 0) {
            results.remove(election);
        } else {
            results.put(election, new Result(term, null));
        }
        return before != null && before.elected != null;
    }
}
