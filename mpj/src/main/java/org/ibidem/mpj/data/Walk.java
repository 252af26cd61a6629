package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Goes through the elements of a part, in the order in which they travel, and copies them to and
/// from memory piece by piece. A value may be divided between two pieces.
class Walk {
    private final Kind kind;
    private final Object array;
    private final Shape shape;
    private final int extent;
    private final int singles;

    /// How many elements there are where all lie beside each other: one run, whatever the shape's
    /// are; else -1.
    private final int whole;

    private int base;
    private int run;
    private int inside;

    /// Of a value that is divided: its bytes, and how many of them are done.
    private @Nullable MemorySegment divided;

    private int done;

    Walk(Part part) {
        this.kind = part.shape().kind();
        this.array = part.array();
        this.base = part.offset();
        this.shape = part.shape();
        this.whole = shape.isDense() ? Math.toIntExact(part.elements()) : -1;
        this.extent = shape.extent();
        this.singles = whole < 0 ? shape.singles() : 0;
    }

    final Kind kind() {
        return kind;
    }

    /// The index of the next element.
    final int index() {
        return whole < 0 ? base + shape.start(run) + inside : base + inside;
    }

    /// How many elements lie beside each other, from the next one on.
    final int ahead() {
        return (whole < 0 ? shape.length(run) : whole) - inside;
    }

    /// Goes on by so many elements, as far as they lie beside each other.
    final void skip(int elements) {
        inside += elements;
        if (whole < 0 && inside == shape.length(run)) {
            inside = 0;
            run++;
            if (run == shape.runs()) {
                run = 0;
                base += extent;
            }
        }
    }

    final void store(MemorySegment into, long at, int count) {
        int size = kind.size();
        long to = at;
        int left = count;
        while (left > 0) {
            if (done > 0 || left < size) {
                int some = Math.min(size - done, left);
                MemorySegment value = divided();
                if (done == 0) {
                    kind.store(array, index(), value, 0, 1);
                }
                MemorySegment.copy(value, done, into, to, some);
                divided(some);
                to += some;
                left -= some;
            } else {
                int some = stretch(left / size);
                if (singles != 0) {
                    Strided.store(kind, array, index(), singles, into, to, some);
                    skipRuns(some);
                } else {
                    kind.store(array, index(), into, to, some);
                    skip(some);
                }
                to += (long) some * size;
                left -= some * size;
            }
        }
    }

    final void load(MemorySegment from, long at, int count) {
        int size = kind.size();
        long to = at;
        int left = count;
        while (left > 0) {
            if (done > 0 || left < size) {
                int some = Math.min(size - done, left);
                MemorySegment value = divided();
                MemorySegment.copy(from, to, value, done, some);
                if (done + some == size) {
                    kind.load(array, index(), value, 0, 1);
                }
                divided(some);
                to += some;
                left -= some;
            } else {
                int some = stretch(left / size);
                if (singles != 0) {
                    Strided.load(kind, array, index(), singles, from, to, some);
                    skipRuns(some);
                } else {
                    kind.load(array, index(), from, to, some);
                    skip(some);
                }
                to += (long) some * size;
                left -= some * size;
            }
        }
    }

    /// How many of so many elements lie in one piece: of single ones, at one distance.
    private int stretch(int wanted) {
        return Math.min(wanted, singles != 0 ? shape.runs() - run : ahead());
    }

    private void skipRuns(int runs) {
        run += runs;
        if (run == shape.runs()) {
            run = 0;
            base += extent;
        }
    }

    private MemorySegment divided() {
        if (divided == null) {
            divided = MemorySegment.ofArray(new byte[Long.BYTES]);
        }
        return divided;
    }

    private void divided(int some) {
        done += some;
        if (done == kind.size()) {
            done = 0;
            skip(1);
        }
    }
}
