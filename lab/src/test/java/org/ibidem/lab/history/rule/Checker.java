package org.ibidem.lab.history.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.lab.history.History;

/// All rules.
public final class Checker {
    private final List<Rule> rules;

    /// @param suspicion after which the hub holds a silent member for dead
    /// @param slack by which a call may exceed its limit
    public Checker(Duration suspicion, Duration slack) {
        rules =
                List.of(
                        new ElectionRule(),
                        new SequenceRule(),
                        new TokenRule(),
                        new SignalRule(),
                        new ParcelRule(),
                        new OrderRule(),
                        new DeathRule(suspicion.toNanos() / 1_000),
                        new LimitRule(slack.toNanos() / 1_000),
                        new ReasonRule(),
                        new ViewRule());
    }

    /// What breaks a promise, one line each; empty: nothing does.
    public List<String> broken(History history) {
        var broken = new ArrayList<String>();
        for (var rule : rules) {
            var name = rule.getClass().getSimpleName();
            rule.broken(history).forEach(what -> broken.add(name + ": " + what));
        }
        return broken;
    }

    /// Whether all know the same of who is there and who has won.
    public static boolean agreed(History history) {
        return new ViewRule().broken(history).isEmpty();
    }

    /// How many calls were under way during each kind of fault and were done, by kind.
    public static Map<String, Long> done(History history) {
        var done = new LinkedHashMap<String, Long>();
        for (var fault : history.faults()) {
            long count =
                    history.calls().stream()
                            .filter(call ->
                                    call.ok()
                                            && call.invoked() <= fault.to()
                                            && call.ended() >= fault.from())
                            .count();
            done.merge(fault.name(), count, Long::sum);
        }
        return done;
    }
}
