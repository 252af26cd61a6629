package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.topology.NodeId;

/// Follows one pool by its log alone, as a member does that is told everything, and holds it to its
/// promises: dead is final, one winner at most and ever higher terms, closed never grows.
final class Follower {
    private final Map<NodeId, Member> members = new HashMap<>();
    private final Set<NodeId> suspected = new HashSet<>();
    private final Set<NodeId> dead = new HashSet<>();
    private final Map<String, PoolEvent.Elected> winners = new HashMap<>();
    private final Map<String, Long> terms = new HashMap<>();
    private boolean closed;
    private boolean terminated;
    private boolean reformed;
    private long last;

    long number() {
        return last;
    }

    /// Takes in what is new.
    List<Change> catchUp(Pool pool) {
        reformed |= pool.recallUntil != null;
        var news = new ArrayList<Change>();
        for (long number = last + 1; number <= pool.log.last(); number++) {
            var change = pool.log.at(number).change();
            follow(change);
            news.add(change);
        }
        last = pool.log.last();
        return news;
    }

    private void follow(Change change) {
        switch (change) {
            case PoolEvent.Joined(var member) -> joined(member);
            case PoolEvent.Left(var member) -> remove(member);
            case PoolEvent.Died(var member, _) -> {
                remove(member);
                dead.add(member.id());
            }
            case PoolEvent.Suspected(var member, _) -> {
                assertThat(members).containsKey(member.id());
                assertThat(suspected.add(member.id())).as("suspected once").isTrue();
            }
            case PoolEvent.Restored(var member) ->
                    assertThat(suspected.remove(member.id()))
                            .as("restored only when suspected")
                            .isTrue();
            case PoolEvent.Closed _ -> {
                assertThat(closed).as("closes once").isFalse();
                closed = true;
            }
            case PoolEvent.Elected elected -> elected(elected);
            case PoolEvent.Vacated(var election, var term) ->
                    assertThat(winners.remove(election).term()).as("vacated").isEqualTo(term);
            case PoolEvent.Terminated _ -> {
                assertThat(closed).as("terminated is closed").isTrue();
                assertThat(terminated).as("terminates once").isFalse();
                terminated = true;
            }
            case PoolEvent.Signalled(var from, _) ->
                    assertThat(members.get(from.id())).as("members signal").isEqualTo(from);
        }
    }

    private void joined(Member member) {
        assertThat(dead).as("dead is final").doesNotContain(member.id());
        // Only members from before may still come back, and only into a pool that is being remade.
        assertThat(closed && !reformed).as("grows though closed").isFalse();
        assertThat(members.put(member.id(), member)).as("joins once").isNull();
    }

    private void elected(PoolEvent.Elected elected) {
        assertThat(members.get(elected.winner().id()))
                .as("the winner is a member")
                .isEqualTo(elected.winner());
        assertThat(elected.term())
                .as("terms grow")
                .isGreaterThan(terms.getOrDefault(elected.election(), 0L));
        terms.put(elected.election(), elected.term());
        winners.put(elected.election(), elected);
    }

    private void remove(Member member) {
        assertThat(members.remove(member.id())).isEqualTo(member);
        suspected.remove(member.id());
    }

    /// What was followed must be what is.
    void requireSame(Pool pool) {
        var entries = pool.entries();
        assertThat(entries)
                .extracting(entry -> entry.member())
                .containsExactlyInAnyOrderElementsOf(members.values());
        assertThat(entries)
                .filteredOn(entry -> entry.suspected())
                .extracting(entry -> entry.member().id())
                .containsExactlyInAnyOrderElementsOf(suspected);
        assertThat(entries).extracting(entry -> entry.member().rank()).doesNotHaveDuplicates();
        assertThat(pool.elections()).containsExactlyInAnyOrderElementsOf(winners.values());
        assertThat(pool.closed().isEmpty()).isEqualTo(!closed);
        assertThat(pool.facts(false, 0).terminated().isPresent()).isEqualTo(terminated);
        assertThat(pool.size == 0 || entries.size() <= pool.size).as("within its size").isTrue();
        // A winner that is gone has its successor before anybody hears of anything else.
        assertThat(winners.values())
                .allSatisfy(won -> assertThat(members).containsKey(won.winner().id()));
    }
}
