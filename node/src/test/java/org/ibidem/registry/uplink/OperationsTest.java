package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What calls leave behind that were given up, with a hub played by hand that does all in order,
/// and sometimes cannot.
class OperationsTest {
    private static final Member ME = new Member(new NodeId(1, 1), 0, Location.parse("here"));
    private static final Outcome ELECTED = new Outcome.Elected(ME, 1);
    private static final Outcome DONE = new Outcome.Done();
    private static final Outcome REFUSED = new Outcome.Refused("no room");

    private final Operations operations = new Operations();

    /// What the node sent, and the hub has not done yet.
    private final TreeMap<Long, Operation> sent = new TreeMap<>();

    /// What the hub knows.
    private final Set<String> candidates = new HashSet<>();

    private final TreeMap<Long, String> waiting = new TreeMap<>();
    private long tokens;
    private boolean full;

    private long begin(Operation operation) {
        return send(operations.begin(operation));
    }

    private long send(long call) {
        sent.put(call, operations.request(call).operation());
        return call;
    }

    private void alone(List<Operation> all) {
        all.forEach(one -> send(operations.beginAlone(one)));
    }

    /// The hub does the next operation, and the answer arrives.
    private void answer() {
        var next = sent.pollFirstEntry();
        if (next != null) {
            var outcome = full ? REFUSED : outcome(next.getKey(), next.getValue());
            if (outcome != null) {
                settled(next.getKey(), outcome);
            }
        }
    }

    private void settled(long call, Outcome outcome) {
        operations.settled(call, outcome);
        alone(operations.takeUndo());
    }

    private Outcome outcome(long call, Operation operation) {
        return switch (operation) {
            case Operation.Elect(var name) -> {
                candidates.add(name);
                yield ELECTED;
            }
            case Operation.Withdraw(var name) -> {
                candidates.remove(name);
                withdrawn = withdraws.contains(call) ? call : withdrawn;
                yield DONE;
            }
            case Operation.Add(_, var count) -> {
                tokens += count;
                serve();
                yield new Outcome.Value(tokens);
            }
            case Operation.Take(var name, _) -> {
                if (tokens == 0) {
                    waiting.put(call, name);
                    yield null;
                }
                tokens--;
                yield new Outcome.Taken(true);
            }
            case Operation.Cancel(var other) -> {
                if (waiting.remove(other) != null) {
                    settled(other, new Outcome.Taken(false));
                }
                yield DONE;
            }
            default -> throw new AssertionError("not asked for here: " + operation);
        };
    }

    private void serve() {
        while (tokens > 0 && !waiting.isEmpty()) {
            tokens--;
            settled(waiting.pollFirstEntry().getKey(), new Outcome.Taken(true));
        }
    }

    private void answerAll() {
        while (!sent.isEmpty()) {
            answer();
        }
    }

    @Test
    void an_elect_that_was_too_late_is_undone() {
        long call = begin(new Operation.Elect("x"));
        assertThat(operations.end(call)).isEmpty();
        answer();
        assertThat(candidates).containsExactly("x");
        answer();
        assertThat(candidates).isEmpty();
    }

    @Test
    void one_that_was_too_late_takes_nothing_from_another_one_that_is_open() {
        operations.end(begin(new Operation.Elect("x")));
        long second = begin(new Operation.Elect("x"));
        answerAll();
        assertThat(operations.end(second)).contains(ELECTED);
        assertThat(candidates).containsExactly("x");
    }

    @Test
    void the_last_of_those_that_were_too_late_is_undone() {
        operations.end(begin(new Operation.Elect("x")));
        operations.end(begin(new Operation.Elect("x")));
        operations.end(begin(new Operation.Elect("y")));
        answerAll();
        assertThat(candidates).isEmpty();
    }

    @Test
    void an_interrupt_after_the_outcome_undoes_it_unless_the_node_stood_before() {
        long first = begin(new Operation.Elect("x"));
        answer();
        operations.abandon(first);
        alone(operations.takeUndo());
        answerAll();
        assertThat(candidates).isEmpty();
        long second = begin(new Operation.Elect("x"));
        answer();
        operations.end(second);
        long third = begin(new Operation.Elect("x"));
        answer();
        operations.abandon(third);
        alone(operations.takeUndo());
        answerAll();
        assertThat(candidates).containsExactly("x");
    }

    @Test
    void one_withdrawn_meanwhile_is_no_candidate_where_the_hub_began_anew() {
        long elect = begin(new Operation.Elect("x"));
        answer();
        long withdraw = begin(new Operation.Withdraw("x"));
        answer();
        operations.end(withdraw);
        operations.end(elect);
        operations.forgotten();
        assertThat(operations.unanswered()).isEmpty();
    }

    @Test
    void one_whose_outcome_is_here_and_not_taken_stands_again_where_the_hub_began_anew() {
        long elect = begin(new Operation.Elect("x"));
        answer();
        candidates.clear();
        operations.forgotten();
        operations.unanswered().forEach(this::send);
        answerAll();
        assertThat(operations.end(elect)).contains(ELECTED);
        assertThat(candidates).containsExactly("x");
    }

    @Test
    void a_token_that_comes_late_is_given_back_as_soon_as_the_hub_takes_it() {
        long take = begin(new Operation.Take("t", true));
        answer();
        full = true;
        send(operations.beginAlone(new Operation.Cancel(take)));
        answer();
        assertThat(operations.end(take)).isEmpty();
        assertThat(operations.owes()).isTrue();
        full = false;
        tokens = 1;
        serve();
        full = true;
        answerAll();
        assertThat(tokens).isZero();
        alone(operations.takeOwed());
        answerAll();
        full = false;
        assertThat(operations.owes()).isTrue();
        alone(operations.takeOwed());
        answerAll();
        assertThat(operations.owes()).isFalse();
        assertThat(tokens).isEqualTo(1);
    }

    @Test
    void what_is_owed_takes_a_place_and_is_nothing_to_a_hub_that_began_anew() {
        full = true;
        int places = 0;
        while (!operations.full()) {
            send(operations.beginAlone(new Operation.Add("t", 1)));
            answer();
            places++;
        }
        assertThat(places).isPositive();
        operations.forgotten();
        assertThat(operations.full()).isFalse();
        assertThat(operations.takeOwed()).isEmpty();
    }

    /// Calls in any order, given up at any time, by a hub that cannot do anything now and then: in
    /// the end the node stands where its last call that nobody gave up left it, and each token is
    /// with the hub or was got.
    @Test
    @Tag("slow")
    void whatever_is_given_up_leaves_nothing_behind() {
        Seeded.times(500, random -> new OperationsTest().play(random));
    }

    private void play(RandomGenerator random) {
        tokens = 3;
        var calls = new ArrayList<Long>();
        var made = new TreeMap<Long, Operation>();
        long got = 0;
        for (int step = 0; step < 60; step++) {
            full = random.nextInt(6) == 0;
            switch (random.nextInt(6)) {
                case 0 -> made.put(begin(new Operation.Elect("x")), new Operation.Elect("x"));
                case 1 -> {
                    if (random.nextInt(4) == 0) {
                        long call = begin(new Operation.Withdraw("x"));
                        withdraws.add(call);
                        made.put(call, new Operation.Withdraw("x"));
                    }
                }
                case 2 -> made.put(begin(new Operation.Take("t", true)), null); // to be cancelled
                case 3 -> alone(operations.takeOwed());
                default -> answer();
            }
            calls.clear();
            calls.addAll(made.keySet());
            if (!calls.isEmpty() && random.nextInt(3) == 0) {
                got += finish(calls.get(random.nextInt(calls.size())), made, random);
            }
        }
        for (long call : List.copyOf(made.keySet())) {
            got += finish(call, made, random);
        }
        full = false;
        for (int round = 0; round < 3; round++) {
            answerAll();
            alone(operations.takeOwed());
        }
        assertThat(sent).isEmpty();
        assertThat(operations.owes()).isFalse();
        assertThat(operations.unanswered()).isEmpty();
        assertThat(waiting).isEmpty();
        assertThat(tokens + got).as("tokens").isEqualTo(3);
        assertThat(candidates.contains("x")).as("candidate").isEqualTo(elected > withdrawn);
    }

    /// The last elect whose outcome somebody got, and the last withdraw that the hub has done.
    private long elected;

    private long withdrawn;
    private final Set<Long> withdraws = new HashSet<>();

    private long finish(long call, Map<Long, Operation> made, RandomGenerator random) {
        var operation = made.remove(call);
        boolean ended = operations.ended(call);
        if (random.nextBoolean() && ended) {
            operations.abandon(call);
            alone(operations.takeUndo());
            return 0;
        }
        if (!ended && operation == null) {
            send(operations.beginAlone(new Operation.Cancel(call)));
        }
        return operations.end(call).map(outcome -> count(call, outcome)).orElse(0L);
    }

    private long count(long call, Outcome outcome) {
        if (outcome.equals(ELECTED)) {
            elected = Math.max(elected, call);
        }
        return outcome.equals(new Outcome.Taken(true)) ? 1 : 0;
    }
}
