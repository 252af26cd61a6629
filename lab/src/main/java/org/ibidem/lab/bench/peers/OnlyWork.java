package org.ibidem.lab.bench.peers;

import java.util.HashMap;
import java.util.Map;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;

/// Moves nothing: what the rewriting at the sender, or the summing at the receiver, takes alone.
///
/// @param sums whether it sums; else it rewrites
public record OnlyWork(boolean sums) implements Contestant {
    @Override
    public String name() {
        return sums ? "only-sum" : "only-rewrite";
    }

    @Override
    public Waiting waiting() {
        return Waiting.SPIN;
    }

    @Override
    public String about() {
        return "no message at all: what the "
                + (sums ? "receiver's summing" : "sender's rewriting")
                + " costs by itself";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() == Measure.Kind.BANDWIDTH;
    }

    @Override
    public Player open(Meeting meeting) {
        return new Worker(sums, new HashMap<>());
    }

    private record Worker(boolean sums, Map<String, Payload> payloads) implements Player {
        @Override
        public void lead(Measure measure, Burst burst, long[] nanos) {
            var payload = payloads.computeIfAbsent(measure.name(), _ -> measure.payload().get());
            payload.rewrite(1);
            for (int sample = 0; sample < burst.samples(); sample++) {
                long before = System.nanoTime();
                for (int i = 0; i < burst.times(); i++) {
                    work(payload, i);
                }
                nanos[sample] = System.nanoTime() - before;
            }
        }

        private void work(Payload payload, int number) {
            if (sums) {
                payload.verify(1);
            } else {
                payload.rewrite(number);
            }
        }

        @Override
        public void follow(Measure measure, Burst burst) {
            // its core stays idle
        }

        @Override
        public void close() {}
    }
}
