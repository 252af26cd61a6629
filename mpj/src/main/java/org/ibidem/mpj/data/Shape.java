package org.ibidem.mpj.data;

import java.util.Arrays;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.jspecify.annotations.Nullable;

/// A datatype, flattened: runs of elements of one kind, in the order in which they travel, and the
/// bounds it claims. All distances count elements, never bytes. Immutable.
public final class Shape {
    /// The marker of a lower bound.
    public static final Shape LOWER =
            new Shape(Kind.NONE, new Runs(0, 0, 0, 0), new Bounds(0, 0, true, false));

    /// The marker of an upper bound.
    public static final Shape UPPER =
            new Shape(Kind.NONE, new Runs(0, 0, 0, 0), new Bounds(0, 0, false, true));

    private final Kind kind;
    private final Runs runs;
    private final Bounds bounds;

    /// The runs: all of one length and distance, or a table of them.
    private record Runs(
            int count,
            int first,
            int stride,
            int length,
            int @Nullable [] starts,
            int @Nullable [] lengths) {
        Runs(int count, int first, int stride, int length) {
            this(count, first, stride, length, null, null);
        }
    }

    /// @param lowerSet whether a marker says the lower one
    /// @param upperSet whether a marker says the upper one
    private record Bounds(int lower, int upper, boolean lowerSet, boolean upperSet) {}

    private Shape(Kind kind, Runs runs, Bounds bounds) {
        this.kind = kind;
        this.runs = runs;
        this.bounds = bounds;
    }

    /// One element, or as many beside each other.
    public static Shape of(Kind kind, int count) {
        return new Shape(
                kind,
                new Runs(count == 0 ? 0 : 1, 0, count, count),
                new Bounds(0, count, false, false));
    }

    /// Copies of a shape, one behind the other.
    public static Shape contiguous(int count, Shape of) {
        return vector(1, count, 0, of);
    }

    /// Blocks at a distance that counts elements.
    ///
    /// @param count of blocks
    /// @param length copies of the shape in each
    /// @param stride from the beginning of one to that of the next
    public static Shape vector(int count, int length, int stride, Shape of) {
        need(count);
        need(length);
        if (of.isDense() && count > 0 && length > 0) {
            int run = exact((long) length * of.size());
            int last = exact((long) (count - 1) * stride);
            boolean one = count == 1 || run == stride;
            return new Shape(
                    of.kind,
                    one
                            ? new Runs(1, 0, 0, exact((long) run * count))
                            : new Runs(count, 0, stride, run),
                    new Bounds(Math.min(0, last), exact(Math.max(0L, last) + run), false, false));
        }
        int[] lengths = new int[count];
        int[] displacements = new int[count];
        Shape[] shapes = new Shape[count];
        Arrays.fill(lengths, length);
        Arrays.fill(shapes, of);
        for (int i = 0; i < count; i++) {
            displacements[i] = exact((long) i * stride);
        }
        return count == 0 ? of(of.kind, 0) : struct(lengths, displacements, shapes);
    }

    /// Blocks of any shapes at any distances.
    ///
    /// @param lengths copies in each block
    /// @param displacements in elements
    /// @param shapes all of one kind, but for markers
    public static Shape struct(int[] lengths, int[] displacements, Shape[] shapes) {
        Flattening flat = new Flattening();
        for (int block = 0; block < shapes.length; block++) {
            need(lengths[block]);
            flat.add(lengths[block], displacements[block], shapes[block]);
        }
        return flat.shape();
    }

    private static void need(int count) {
        Fault.unless(
                count >= 0, ErrorClass.COUNT, "a datatype with a block of " + count + " elements");
    }

    private static int exact(long value) {
        Fault.unless(
                value == (int) value,
                ErrorClass.ARG,
                "a datatype that spans more elements than an array can have");
        return (int) value;
    }

    /// Of what its elements are.
    public Kind kind() {
        return kind;
    }

    /// How many runs it has.
    int runs() {
        return runs.count;
    }

    /// Where a run begins.
    int start(int run) {
        return runs.starts == null ? runs.first + run * runs.stride : runs.starts[run];
    }

    /// How long a run is.
    int length(int run) {
        return runs.lengths == null ? runs.length : runs.lengths[run];
    }

    /// The distance of runs of one element each, or 0.
    int singles() {
        return runs.starts == null && runs.length == 1 && runs.count > 1 ? runs.stride : 0;
    }

    /// How many elements it has.
    public int size() {
        if (runs.lengths == null) {
            return exact((long) runs.count * runs.length);
        }
        return exact(Arrays.stream(runs.lengths).asLongStream().sum());
    }

    /// Where it begins, as far as bounds are concerned.
    public int lower() {
        return bounds.lower;
    }

    /// Where it ends, as far as bounds are concerned.
    public int upper() {
        return bounds.upper;
    }

    /// The distance between two of them that stand one behind the other.
    public int extent() {
        return exact((long) bounds.upper - bounds.lower);
    }

    /// Whether its copies fill an array without a gap, in order.
    boolean isDense() {
        return runs.count == 1
                && start(0) == 0
                && bounds.lower == 0
                && bounds.upper == length(0)
                && !bounds.lowerSet
                && !bounds.upperSet;
    }

    /// The first element it touches.
    int lowest() {
        int lowest = Integer.MAX_VALUE;
        for (int run = 0;
                run < runs.count;
                run += runs.starts == null ? Math.max(1, runs.count - 1) : 1) {
            lowest = Math.min(lowest, start(run));
        }
        return runs.count == 0 ? 0 : lowest;
    }

    /// The element after the last it touches.
    int highest() {
        int highest = Integer.MIN_VALUE;
        for (int run = 0;
                run < runs.count;
                run += runs.starts == null ? Math.max(1, runs.count - 1) : 1) {
            highest = Math.max(highest, exact((long) start(run) + length(run)));
        }
        return runs.count == 0 ? 0 : highest;
    }

    /// Puts blocks together to a shape.
    private static final class Flattening {
        private Kind kind = Kind.NONE;
        private int[] starts = new int[16];
        private int[] lengths = new int[16];
        private int count;
        private long lower = Long.MAX_VALUE;
        private long upper = Long.MIN_VALUE;
        private boolean lowerSet;
        private boolean upperSet;

        void add(int copies, int displacement, Shape shape) {
            if (shape.kind != Kind.NONE) {
                Fault.unless(
                        kind == Kind.NONE || kind == shape.kind,
                        ErrorClass.TYPE,
                        "the parts of a datatype are of one basic type, not of "
                                + kind
                                + " and "
                                + shape.kind);
                kind = shape.kind;
            }
            for (int copy = 0; copy < copies; copy++) {
                long at = displacement + (long) copy * shape.extent();
                bound(at, shape);
                for (int run = 0; run < shape.runs(); run++) {
                    add(exact(at + shape.start(run)), shape.length(run));
                }
            }
        }

        /// A bound that a marker says goes before all that are only found.
        private void bound(long at, Shape shape) {
            Bounds its = shape.bounds;
            boolean isEmpty = shape.runs.count == 0;
            if (its.lowerSet || (!lowerSet && !isEmpty)) {
                lower =
                        its.lowerSet && !lowerSet
                                ? at + its.lower
                                : Math.min(lower, at + its.lower);
                lowerSet |= its.lowerSet;
            }
            if (its.upperSet || (!upperSet && !isEmpty)) {
                upper =
                        its.upperSet && !upperSet
                                ? at + its.upper
                                : Math.max(upper, at + its.upper);
                upperSet |= its.upperSet;
            }
        }

        private void add(int start, int length) {
            if (length == 0) {
                return;
            }
            if (count > 0 && starts[count - 1] + lengths[count - 1] == start) {
                lengths[count - 1] += length;
                return;
            }
            if (count == starts.length) {
                starts = Arrays.copyOf(starts, 2 * count);
                lengths = Arrays.copyOf(lengths, 2 * count);
            }
            starts[count] = start;
            lengths[count++] = length;
        }

        Shape shape() {
            int from = lower == Long.MAX_VALUE ? 0 : exact(lower);
            int to = upper == Long.MIN_VALUE ? from : exact(upper);
            Runs runs =
                    count == 1
                            ? new Runs(1, starts[0], 0, lengths[0])
                            : new Runs(
                                    count,
                                    0,
                                    0,
                                    0,
                                    Arrays.copyOf(starts, count),
                                    Arrays.copyOf(lengths, count));
            return new Shape(kind, runs, new Bounds(from, to, lowerSet, upperSet));
        }
    }
}
