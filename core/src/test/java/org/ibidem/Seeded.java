package org.ibidem;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Property tests: runs a property with many seeds and, when it fails, says which one it was.
///
/// Run a single seed again with `-Dtest.seed=N` among the arguments of the test JVM.
public final class Seeded {
    private Seeded() {}

    /// Something that must hold for every source of randomness.
    @FunctionalInterface
    public interface Property {
        /// Fails by throwing.
        void holds(RandomGenerator random) throws Exception;
    }

    /// Checks `property` with seeds 0 to `times` - 1.
    public static void times(int times, Property property) {
        var one = Long.getLong("test.seed");
        long first = one == null ? 0 : one;
        for (long seed = first; seed < (one == null ? times : first + 1); seed++) {
            try {
                property.holds(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "fails with -Dtest.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
