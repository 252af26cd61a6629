package org.ibidem.serial.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Gate;
import org.ibidem.serial.wire.Limits;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Source;
import org.junit.jupiter.api.Test;

/// The steps that a key takes to be hashed, counted on the key: a step for each object, and more
/// for what is long.
class MeasureTest {
    private static final int MANY = 1000;
    private static final long MOST = 100_000;
    private static final String LONG = "x".repeat(16_000);
    private static final BigInteger GREAT = BigInteger.ONE.shiftLeft(1 << 20);

    /// From which nothing comes.
    private static final class Nothing implements Source {
        @Override
        public int read(byte[] bytes, int offset, int least, int most) throws IOException {
            throw new EOFException();
        }

        @Override
        public void readArray(PrimitiveArray kind, Object array, int offset, int count)
                throws IOException {
            throw new EOFException();
        }
    }

    private static Decoder decoder(long steps) {
        var limits = new Limits(MANY, MOST, MOST, MOST, MOST, steps);
        return new Decoder(Codecs.STANDARD, new Nothing(), new Bounded(limits), true);
    }

    /// Lets no class in.
    private record Bounded(Limits limits) implements Gate {
        @Override
        public boolean allows(String className) {
            return false;
        }

        @Override
        public ClassLoader loader() {
            return MeasureTest.class.getClassLoader();
        }

        @Override
        public ObjectInputFilter filter() {
            return _ -> ObjectInputFilter.Status.REJECTED;
        }
    }

    private static long steps(Object key) throws InvalidClassException {
        return Measure.of(key, decoder(MOST));
    }

    @Test
    void what_is_long_takes_steps_by_its_bytes() throws Exception {
        assertThat(steps(7)).isEqualTo(1);
        assertThat(steps("")).isEqualTo(1);
        assertThat(steps(LONG)).isEqualTo(1 + Decoder.costOfArray(LONG.length())).isGreaterThan(9);
        long great = Decoder.costOfNumber((1 << 20) / Byte.SIZE);
        assertThat(steps(GREAT)).isEqualTo(1 + great).isGreaterThan(9);
        assertThat(steps(new BigDecimal(GREAT, 7))).isEqualTo(1 + great);
        var bits = new BitSet(1 << 20);
        bits.set((1 << 20) - 1);
        assertThat(steps(bits)).isEqualTo(1 + Decoder.costOfArray((1 << 20) / Byte.SIZE));
    }

    @Test
    void collections_take_what_is_in_them() throws Exception {
        long one = steps(LONG);
        assertThat(steps(Arrays.asList(LONG, null, LONG))).isEqualTo(2 + 2 * one);
        assertThat(steps(new HashSet<>(List.of(LONG, 7)))).isEqualTo(2 + one);
        assertThat(steps(new ArrayList<>(List.of(List.of(LONG))))).isEqualTo(2 + one);
        assertThat(steps(new LinkedHashMap<>(Map.of(7, LONG, LONG, 8)))).isEqualTo(3 + 2 * one);
        assertThat(steps(Map.entry(LONG, 7))).isEqualTo(2 + one);
        assertThat(steps(Set.of())).isEqualTo(1);
    }

    @Test
    void one_that_says_its_element_many_times_takes_it_so_often() throws Exception {
        long one = steps(LONG);
        assertThat(steps(Collections.nCopies(10, LONG))).isEqualTo(1 + 11 * one);
        assertThat(steps(Collections.nCopies(0, LONG))).isEqualTo(2);
        assertThat(steps(Collections.nCopies(10, Collections.nCopies(9, 1))))
                .isEqualTo(1 + 11 * (1 + 10));
    }

    @Test
    void one_that_hashes_identities_takes_a_step_for_each() throws Exception {
        var map = new IdentityHashMap<String, Object>();
        map.put(LONG, LONG);
        map.put("7", LONG);
        assertThat(steps(map)).isEqualTo(1 + 2);
    }

    @Test
    void a_set_that_compares_each_with_each_takes_the_square() throws Exception {
        var numbers = new ArrayList<Integer>();
        for (int i = 0; i < 80; i++) {
            numbers.add(i);
        }
        assertThat(steps(new CopyOnWriteArraySet<>(numbers)))
                .isEqualTo(1 + ((80 * 80) >> Foreign.BLOCK) + 80);
    }

    @Test
    void each_step_is_charged_before_it_is_taken() {
        var endless = new ArrayList<Object>();
        endless.add(endless);
        endless.add(endless);
        assertThatThrownBy(() -> Measure.of(endless, decoder(MANY)))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining("steps of hashing");
    }
}
