package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.ibidem.mpj.data.Messages;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;
import org.junit.jupiter.api.Test;

/// Derived datatypes: what they span, and what of an array travels.
class DatatypeTest {
    private static void spans(Datatype type, int size, int lower, int upper) {
        assertThat(List.of(type.Size(), type.Lb(), type.Ub(), type.Extent()))
                .containsExactly(size, lower, upper, upper - lower);
    }

    @Test
    void each_constructor_counts_elements() {
        Datatype pair = Datatype.Contiguous(2, MPI.INT);
        spans(pair, 2, 0, 2);
        spans(Datatype.Contiguous(3, pair), 6, 0, 6);
        spans(Datatype.Vector(3, 1, 2, pair), 6, 0, 10);
        spans(Datatype.Hvector(3, 1, 5, pair), 6, 0, 12);
        spans(Datatype.Vector(2, 1, -3, MPI.INT), 2, -3, 1);
        spans(Datatype.Indexed(new int[] {1, 2}, new int[] {4, 1}, pair), 6, 2, 10);
        spans(Datatype.Hindexed(new int[] {1, 2}, new int[] {4, 1}, pair), 6, 1, 6);
        spans(
                Datatype.Struct(new int[] {1, 1}, new int[] {3, 7}, new Datatype[] {pair, MPI.INT}),
                3,
                3,
                8);
        spans(Datatype.Contiguous(0, MPI.INT), 0, 0, 0);
        spans(MPI.INT2, 2, 0, 2);
        assertThat(MPI.DOUBLE2.getByteSize()).isEqualTo(16);
        assertThat(pair.getType()).isEqualTo(MPI.INT.baseType);
    }

    @Test
    void markers_set_the_bounds() {
        Datatype wide =
                Datatype.Struct(
                        new int[] {1, 2, 1},
                        new int[] {-2, 0, 10},
                        new Datatype[] {MPI.LB, MPI.FLOAT, MPI.UB});
        spans(wide, 2, -2, 10);
        spans(Datatype.Contiguous(2, wide), 4, -2, 22);
        Datatype narrow =
                Datatype.Struct(
                        new int[] {4, 1}, new int[] {0, 1}, new Datatype[] {MPI.FLOAT, MPI.UB});
        spans(narrow, 4, 0, 1);
        spans(
                Datatype.Struct(
                        new int[] {1, 1}, new int[] {0, 50}, new Datatype[] {wide, MPI.FLOAT}),
                3,
                -2,
                10);
    }

    /// What a datatype means: displacements in order, and bounds, as the standard defines them.
    ///
    /// @param marked whether its bounds were set by markers: then no others count beside them
    private record Meaning(
            Datatype type, List<Integer> places, int lower, int upper, boolean marked) {
        int extent() {
            return upper - lower;
        }
    }

    private static Meaning made(Random random, int depth) {
        if (depth == 0) {
            return new Meaning(MPI.INT, List.of(0), 0, 1, false);
        }
        Meaning old = made(random, depth - 1);
        int blocks = 1 + random.nextInt(3);
        int[] lengths = random.ints(blocks, 0, 3).toArray();
        int[] places = random.ints(blocks, -6, 7).toArray();
        int stride = random.nextInt(-4, 5);
        return switch (random.nextInt(6)) {
            case 5 -> struct(random, depth, lengths, places);
            case 0 ->
                    combined(
                            old,
                            Datatype.Contiguous(blocks, old.type),
                            new int[] {blocks},
                            new int[] {0});
            case 1 -> {
                Arrays.fill(lengths, lengths[0]);
                Arrays.setAll(places, i -> i * stride * old.extent());
                yield combined(
                        old,
                        Datatype.Vector(blocks, lengths[0], stride, old.type),
                        lengths,
                        places);
            }
            case 2 -> {
                Arrays.fill(lengths, lengths[0]);
                Arrays.setAll(places, i -> i * stride);
                yield combined(
                        old,
                        Datatype.Hvector(blocks, lengths[0], stride, old.type),
                        lengths,
                        places);
            }
            case 3 -> {
                int[] scaled = Arrays.stream(places).map(place -> place * old.extent()).toArray();
                yield combined(old, Datatype.Indexed(lengths, places, old.type), lengths, scaled);
            }
            default -> combined(old, Datatype.Hindexed(lengths, places, old.type), lengths, places);
        };
    }

    private static Meaning combined(Meaning old, Datatype type, int[] lengths, int[] places) {
        List<Integer> all = new ArrayList<>();
        int lower = Integer.MAX_VALUE;
        int upper = Integer.MIN_VALUE;
        for (int block = 0; block < lengths.length; block++) {
            for (int copy = 0; copy < lengths[block]; copy++) {
                int at = places[block] + copy * old.extent();
                old.places.forEach(place -> all.add(at + place));
                lower = Math.min(lower, at + old.lower);
                upper = Math.max(upper, at + old.upper);
            }
        }
        boolean none = lower > upper || (all.isEmpty() && !old.marked);
        return none
                ? new Meaning(type, all, 0, 0, false)
                : new Meaning(type, all, lower, upper, old.marked);
    }

    /// Of blocks of several datatypes, in one of three with markers behind them.
    private static Meaning struct(Random random, int depth, int[] lengths, int[] places) {
        boolean marks = random.nextInt(3) == 0;
        int from = random.nextInt(-9, 10);
        int to = from + random.nextInt(9);
        List<Datatype> types = new ArrayList<>();
        List<Meaning> blocks = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            Meaning old = made(random, depth - 1);
            types.add(old.type);
            int[] length = {lengths[i]};
            blocks.add(combined(old, old.type, length, new int[] {places[i]}));
        }
        int[] allLengths = lengths;
        int[] allPlaces = places;
        if (marks) {
            types.add(MPI.LB);
            types.add(MPI.UB);
            allLengths = IntStream.concat(Arrays.stream(lengths), IntStream.of(1, 1)).toArray();
            allPlaces = IntStream.concat(Arrays.stream(places), IntStream.of(from, to)).toArray();
            blocks.add(new Meaning(MPI.INT, List.of(), from, to, true));
        }
        Datatype type = Datatype.Struct(allLengths, allPlaces, types.toArray(Datatype[]::new));
        List<Integer> all = blocks.stream().flatMap(each -> each.places.stream()).toList();
        boolean marked = blocks.stream().anyMatch(Meaning::marked);
        List<Meaning> counting =
                blocks.stream()
                        .filter(each -> each.marked || (!marked && !each.places.isEmpty()))
                        .toList();
        int lower = counting.stream().mapToInt(Meaning::lower).min().orElse(0);
        int upper = counting.stream().mapToInt(Meaning::upper).max().orElse(0);
        return new Meaning(type, all, lower, upper, marked);
    }

    /// Takes what is sent in pieces of any size, and gives it in others.
    private static void copy(Random random, Outgoing from, Incoming into) {
        long size = into.begin(Messages.envelope(from));
        byte[] all = new byte[(int) size];
        MemorySegment memory = MemorySegment.ofArray(all);
        for (int done = 0; done < all.length; ) {
            int some = 1 + random.nextInt(Math.min(11, all.length - done));
            from.write(memory, done, some);
            done += some;
        }
        for (int done = 0; done < all.length; ) {
            int some = 1 + random.nextInt(Math.min(11, all.length - done));
            into.read(memory, done, some);
            done += some;
        }
        into.end();
    }

    @Test
    void random_datatypes_take_and_put_what_they_mean() {
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            Meaning meaning = made(random, 1 + random.nextInt(3));
            String which = "seed " + seed;
            assertThat(meaning.type.Size()).as(which).isEqualTo(meaning.places.size());
            assertThat(meaning.type.Lb()).as(which).isEqualTo(meaning.lower);
            assertThat(meaning.type.Ub()).as(which).isEqualTo(meaning.upper);
            meaning.type.Commit();
            int count = 1 + random.nextInt(3);
            int middle = 5000;
            int[] from = IntStream.range(0, 2 * middle).toArray();
            int[] flat = new int[count * meaning.places.size()];
            copy(
                    random,
                    Datatype.part(from, middle, count, meaning.type).outgoing(),
                    Datatype.part(flat, 0, flat.length, MPI.INT).incoming());
            int[] expected =
                    IntStream.range(0, count)
                            .flatMap(copy ->
                                    meaning.places.stream()
                                            .mapToInt(place ->
                                                    middle + copy * meaning.extent() + place))
                            .toArray();
            assertThat(flat).as(which).containsExactly(expected);
            int[] back = new int[2 * middle];
            int[] numbers = IntStream.range(1, 1 + flat.length).toArray();
            copy(
                    random,
                    Datatype.part(numbers, 0, numbers.length, MPI.INT).outgoing(),
                    Datatype.part(back, middle, count, meaning.type).incoming());
            int[] put = new int[2 * middle];
            for (int i = 0; i < flat.length; i++) {
                put[expected[i]] = numbers[i];
            }
            assertThat(Arrays.mismatch(back, put)).as(which).isEqualTo(-1);
        }
    }

    @Test
    void each_kind_of_array_is_gathered_by_strides() {
        Random random = new Random(5);
        for (Datatype basic :
                List.of(
                        MPI.BYTE,
                        MPI.CHAR,
                        MPI.SHORT,
                        MPI.BOOLEAN,
                        MPI.INT,
                        MPI.LONG,
                        MPI.FLOAT,
                        MPI.DOUBLE)) {
            Datatype column = Datatype.Vector(5, 1, 3, basic);
            column.Commit();
            Object from = basic.shape().kind().make(30);
            for (int i = 0; i < 30; i++) {
                switch (from) {
                    case boolean[] a -> a[i] = i % 4 == 0;
                    case char[] a -> a[i] = (char) i;
                    case byte[] a -> a[i] = (byte) i;
                    case short[] a -> a[i] = (short) i;
                    default -> java.lang.reflect.Array.setInt(from, i, i);
                }
            }
            Object into = basic.shape().kind().make(30);
            copy(
                    random,
                    Datatype.part(from, 1, 2, column).outgoing(),
                    Datatype.part(into, 1, 2, column).incoming());
            for (int i = 0; i < 30; i++) {
                boolean isTaken =
                        i >= 1 && (i < 14 ? (i - 1) % 3 == 0 : i < 27 && (i - 14) % 3 == 0);
                Object expected =
                        java.lang.reflect.Array.get(
                                isTaken ? from : basic.shape().kind().make(30), i);
                assertThat(java.lang.reflect.Array.get(into, i))
                        .as("%s at %d", basic.shape().kind(), i)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void counts_of_what_came() {
        Ranks.run(
                2,
                world -> {
                    Datatype triple = Datatype.Contiguous(3, MPI.INT);
                    triple.Commit();
                    if (world.Rank() == 0) {
                        world.Send(new int[7], 0, 7, MPI.INT, 1, 0);
                        world.Send(new int[6], 0, 2, triple, 1, 0);
                    } else {
                        int[] values = new int[9];
                        Status odd = world.Recv(values, 0, 3, triple, 0, 0);
                        assertThat(odd.Get_count(triple)).isEqualTo(MPI.UNDEFINED);
                        assertThat(odd.Get_elements(triple)).isEqualTo(7);
                        assertThat(world.Recv(values, 0, 3, triple, 0, 0).Get_count(triple))
                                .isEqualTo(2);
                    }
                });
    }
}
