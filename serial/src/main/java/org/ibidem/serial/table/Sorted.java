package org.ibidem.serial.table;

import java.io.InvalidClassException;
import java.math.BigDecimal;
import org.ibidem.serial.wire.Decoder;

/// Tables that compare each key with a few others, to find its place among them: `TreeMap`,
/// `PriorityQueue`. Keys that are compared in some steps are not charged, nor are those that have
/// just come whole: that many comparisons are in proportion to their bytes.
public final class Sorted extends Hashing {
    /// As many characters are compared in a step where case is ignored; in others sixteen times as
    /// many are.
    private static final int CASE_BLOCK = 2;

    private final long comparator;
    private long keys;

    /// The scale of all decimal numbers so far, if there is one.
    private int scale;

    private boolean hasScale;
    private boolean manyScales;

    /// @param comparator what it costs to hash the comparator: how many there are in each other
    public Sorted(Decoder from, long comparator) {
        super(from);
        this.comparator = Decoder.known(comparator);
    }

    @Override
    void collisions(Object key, long cost) {
        // it is not hashed
    }

    @Override
    void put(Object key, long cost) throws InvalidClassException {
        keys++;
        long steps = comparator > 0 && key instanceof String text ? slow(text, cost) : cost;
        if (key instanceof BigDecimal number) {
            steps = decimal(number, cost);
        } else if (isNew(key)) {
            steps = 0;
        }
        steps = Decoder.sum(steps, comparator);
        if (steps > FREE) {
            compare(Long.SIZE - Long.numberOfLeadingZeros(keys), steps);
        }
    }

    /// What it takes to multiply a number of this cost by a power of ten.
    static long scaled(long cost) {
        return Decoder.times((long) Math.sqrt((double) cost), cost);
    }

    private long slow(String text, long cost) {
        return from.isAgain() ? text.length() >> CASE_BLOCK : cost;
    }

    /// Numbers of several scales are multiplied by powers of ten before they are compared.
    private long decimal(BigDecimal number, long cost) {
        manyScales |= hasScale && scale != number.scale();
        hasScale = true;
        scale = number.scale();
        if (manyScales) {
            return scaled(cost);
        }
        return from.isAgain() ? cost : 0;
    }
}
