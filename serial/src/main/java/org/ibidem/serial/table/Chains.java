package org.ibidem.serial.table;

import java.io.InvalidClassException;
import org.ibidem.serial.wire.Decoder;

/// Tables in which keys of one place are compared one by one: `Hashtable`.
final class Chains extends Hashing {
    private final HashCounts counts = new HashCounts();
    private final int places;

    /// @param places of the table
    Chains(Decoder from, int places) {
        super(from);
        this.places = places;
    }

    @Override
    void collisions(Object key, long cost) throws InvalidClassException {
        compare(counts.add((key.hashCode() & Integer.MAX_VALUE) % places), cost);
    }
}
