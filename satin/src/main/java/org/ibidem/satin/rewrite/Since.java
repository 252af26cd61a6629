package org.ibidem.satin.rewrite;

import java.util.BitSet;

/// Slots of local variables that were assigned since a call was spawned, but for what the catch
/// blocks around the call assign.
final class Since {
    /// On some way.
    final BitSet assigned = new BitSet();

    /// On some way, and not by another inlet or the call's own result: what it held then is lost.
    final BitSet lost = new BitSet();

    /// Lost on all ways.
    final BitSet surelyLost = new BitSet();

    Since copy() {
        var copy = new Since();
        copy.surelyLost.or(surelyLost);
        copy.merge(this);
        return copy;
    }

    /// Adds another way.
    void merge(Since other) {
        assigned.or(other.assigned);
        lost.or(other.lost);
        surelyLost.and(other.surelyLost);
    }

    void lose(BitSet slots) {
        lost.or(slots);
        surelyLost.or(slots);
    }

    /// Grows as long as ways are added.
    int size() {
        return assigned.cardinality() + lost.cardinality() - surelyLost.cardinality();
    }
}
