package org.ibidem.lab.programs;

/// How long one exchange takes, by the clock of who asks.
final class Exchanges {
    /// What is asked, and looked at.
    interface Exchange {
        /// Once.
        ///
        /// @param number of the exchange
        void once(int number) throws Exception;
    }

    private Exchanges() {}

    /// Half as many to warm up, then all of them; says `NANOS n` for one.
    static void time(int count, Exchange exchange) throws Exception {
        for (int i = 0; i < count / 2; i++) {
            exchange.once(i);
        }
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            exchange.once(i);
        }
        System.out.println("NANOS " + (System.nanoTime() - begin) / Math.max(1, count));
    }

    /// Compares.
    ///
    /// @throws IllegalStateException with both, when they are not equal
    static void same(Object got, Object expected) {
        if (!got.equals(expected)) {
            throw new IllegalStateException("got " + got + " instead of " + expected);
        }
    }
}
