package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.History;
import org.jspecify.annotations.Nullable;

/// Each number of a sequence is given once, later ones are higher, and none is left out but by
/// calls that nobody waited for.
final class SequenceRule implements Rule, Model<Long> {
    @Override
    public List<String> broken(History history) {
        var broken = new ArrayList<String>();
        history.byName("next")
                .forEach((name, calls) ->
                        Linear.check(
                                "sequence " + name, this, Linear.known(calls, history), broken));
        return broken;
    }

    @Override
    public Long first() {
        return 0L;
    }

    @Override
    public @Nullable Long after(Long state, Call call) {
        return call.ok() && call.number(0) != state ? null : state + count(call);
    }

    private static long count(Call call) {
        return Long.parseLong(call.arguments().get(1));
    }

    @Override
    public Object effect(Call call) {
        return List.of(count(call), call.ok() ? call.number(0) : -1L);
    }
}
