package org.ibidem.hub.pools;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.OutcomeCoding;
import org.ibidem.registry.wire.Parts;
import org.ibidem.registry.wire.Protocol;

/// What became of one member's operations, so that each is done once however often it is sent: the
/// number of the last, and the outcomes that the member may not have got yet.
final class Ledger {
    final TreeMap<Long, Optional<Outcome>> open = new TreeMap<>();
    long last;

    /// Was this call made before?
    boolean knows(long call) {
        return call <= last;
    }

    /// Is it under way, or is its outcome kept?
    boolean isOpen(long call) {
        return open.containsKey(call);
    }

    boolean full() {
        return open.size() >= Protocol.MOST_OPEN;
    }

    /// The outcome; none when there is none yet, or when the member has it.
    Optional<Outcome> outcome(long call) {
        return open.getOrDefault(call, Optional.empty());
    }

    void begin(long call) {
        last = call;
        open.put(call, Optional.empty());
    }

    void finish(long call, Outcome outcome) {
        open.computeIfPresent(call, (_, _) -> Optional.of(outcome));
    }

    /// The member has the outcomes of all before this call but of those.
    void settle(long before, List<Long> but) {
        open.headMap(before)
                .entrySet()
                .removeIf(one -> one.getValue().isPresent() && !but.contains(one.getKey()));
    }

    void write(ControlWriter out) {
        out.i64(last).i32(open.size());
        open.forEach((call, outcome) -> {
            Parts.flag(out.i64(call), outcome.isPresent());
            outcome.ifPresent(known -> OutcomeCoding.write(out, known));
        });
    }

    void read(ControlReader in) {
        last = in.i64("last call");
        for (int left = in.i32("calls"); left > 0; left--) {
            long call = in.i64("call");
            open.put(
                    call,
                    Parts.flag(in, "settled")
                            ? Optional.of(OutcomeCoding.read(in))
                            : Optional.empty());
        }
    }
}
