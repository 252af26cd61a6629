package org.ibidem.serial.table;

import java.io.InvalidClassException;
import java.util.BitSet;
import org.ibidem.serial.wire.Decoder;

/// Tables that look for the next free place: `Set.of`, `Map.of`, which have two places a key.
public final class Probes extends Hashing {
    private final BitSet taken = new BitSet();
    private final int places;

    /// @param keys that will be put
    public Probes(Decoder from, int keys) {
        super(from);
        this.places = Math.clamp(2L * keys, 1, Integer.MAX_VALUE);
    }

    @Override
    void collisions(Object key, long cost) throws InvalidClassException {
        int first = Math.floorMod(key.hashCode(), places);
        int free = taken.nextClearBit(first);
        int steps = free - first;
        if (free >= places) {
            free = taken.nextClearBit(0);
            steps = places - first + free;
        }
        compare(steps, cost);
        taken.set(free);
    }
}
