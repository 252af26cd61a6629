package org.ibidem.lab.bench;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.Map;

/// A player that sends and receives in loops over an [End].
///
/// Each measure gets a copy of the loops ([Bursts]) of its own, and of what the contestant does in
/// them ([End#alone]), as each user's program has its own: else the copy that is shared by all
/// contestants would make every call in it a call to many classes, for those too who have only one,
/// and a place that writes a number would be compiled together with those that write trees.
public final class Loop implements Player {
    private final End end;
    private final Map<String, Body> bodies = new HashMap<>();

    /// Plays over this end, which it closes in the end.
    public Loop(End end) {
        this.end = end;
    }

    /// The loops of one measure.
    interface Body {
        void lead(Burst burst, long[] nanos) throws Exception;

        void follow(Burst burst) throws Exception;
    }

    @Override
    public void lead(Measure measure, Burst burst, long[] nanos) throws Exception {
        body(measure).lead(burst, nanos);
    }

    @Override
    public void follow(Measure measure, Burst burst) throws Exception {
        body(measure).follow(burst);
    }

    @Override
    public void close() throws IOException {
        end.close();
    }

    private Body body(Measure measure) {
        var known = bodies.get(measure.name()); // a lambda would be allocated for every burst
        if (known == null) {
            known = copy(measure);
            bodies.put(measure.name(), known);
        }
        return known;
    }

    private Body copy(Measure measure) {
        return (Body) Copies.of(MethodHandles.lookup(), Bursts.class, measure, end.alone());
    }
}
