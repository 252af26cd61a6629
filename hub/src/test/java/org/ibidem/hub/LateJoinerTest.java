package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.ibidem.registry.Events;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What those are told who join a pool in which much happens.
@Timeout(120)
class LateJoinerTest {
    private static final Duration LONG = Heard.LONG;
    private static final int LATE = 12;
    private static final int RESTLESS = 3;
    private static final int TURNS = 40;
    private static final String END = "end";

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        nodes.forEach(Node::close);
        hub.close();
    }

    private Node join() {
        return Node.join(
                Join.pool("busy")
                        .hub("localhost:" + hub.port())
                        .membership(Membership.ORDERED)
                        .limit(LONG));
    }

    private Node stay() {
        var node = join();
        nodes.add(node);
        return node;
    }

    @Tag("slow")
    @Test
    void each_gets_a_snapshot_and_then_exactly_what_follows_it() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("late joiners: -Dtest.seed=" + seed);
        var first = stay();
        var log = first.events();
        var work = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < RESTLESS; i++) {
            var random = new Random(seed + i);
            work.add(CompletableFuture.runAsync(() -> work(random), Thread::startVirtualThread));
        }
        var late = new ArrayList<Events>();
        for (int i = 0; i < LATE; i++) {
            late.add(stay().events());
        }
        work.forEach(CompletableFuture::join);
        first.elections().elect(END);
        var all = untilEnd(log);
        for (var events : late) {
            isSnapshotAndTail(all, untilEnd(events));
        }
    }

    private void work(Random random) {
        for (int turn = 0; turn < TURNS; turn++) {
            try (var node = join()) {
                var election = "e" + random.nextInt(3);
                node.elections().elect(election);
                if (random.nextBoolean()) {
                    node.elections().withdraw(election);
                }
            }
        }
    }

    private static List<PoolEvent> untilEnd(Events events) {
        var all = new ArrayList<PoolEvent>();
        while (true) {
            var next = events.next(LONG).orElseThrow(() -> new AssertionError("no end: " + all));
            all.add(next);
            if (next instanceof PoolEvent.Elected(var election, _, _) && election.equals(END)) {
                return all;
            }
        }
    }

    /// There is a moment of which the first events are the state, and the others what happened
    /// after it.
    private static void isSnapshotAndTail(List<PoolEvent> log, List<PoolEvent> told) {
        var members = new HashSet<Member>();
        var winners = new HashMap<String, PoolEvent.Elected>();
        for (int moment = 0; moment < log.size(); moment++) {
            apply(log.get(moment), members, winners);
            int state = members.size() + winners.size();
            var tail = log.subList(moment + 1, log.size());
            if (told.size() == state + tail.size()
                    && told.subList(state, told.size()).equals(tail)
                    && isState(told.subList(0, state), members, winners)) {
                return;
            }
        }
        throw new AssertionError("no snapshot with what follows it:\n" + told + "\nof\n" + log);
    }

    private static void apply(
            PoolEvent event, Set<Member> members, Map<String, PoolEvent.Elected> winners) {
        switch (event) {
            case PoolEvent.Joined(var member) -> members.add(member);
            case PoolEvent.Left(var member) -> members.remove(member);
            case PoolEvent.Elected elected -> winners.put(elected.election(), elected);
            case PoolEvent.Vacated(var election, _) -> winners.remove(election);
            default -> throw new AssertionError("not expected here: " + event);
        }
    }

    private static boolean isState(
            List<PoolEvent> told, Set<Member> members, Map<String, PoolEvent.Elected> winners) {
        var toldMembers = new HashSet<Member>();
        var toldWinners = new LinkedHashMap<String, PoolEvent.Elected>();
        for (var event : told) {
            switch (event) {
                case PoolEvent.Joined(var member) -> toldMembers.add(member);
                case PoolEvent.Elected elected -> toldWinners.put(elected.election(), elected);
                default -> {
                    return false;
                }
            }
        }
        return toldMembers.equals(members) && toldWinners.equals(winners);
    }

    @Test
    void a_test_of_the_test_a_gap_and_a_double_are_seen() {
        var one = new PoolEvent.Joined(stay().events().next(LONG).map(LateJoinerTest::who).get());
        var log = List.<PoolEvent>of(one, new PoolEvent.Left(one.member()), one);
        isSnapshotAndTail(log, List.of(one, new PoolEvent.Left(one.member()), one));
        isSnapshotAndTail(log, List.of(one));
        for (var wrong :
                List.of(
                        List.<PoolEvent>of(),
                        List.<PoolEvent>of(one, one),
                        List.<PoolEvent>of(new PoolEvent.Left(one.member()), one, one))) {
            assertThatThrownBy(() -> isSnapshotAndTail(log, wrong))
                    .isInstanceOf(AssertionError.class);
        }
    }

    private static Member who(PoolEvent event) {
        return ((PoolEvent.Joined) event).member();
    }
}
