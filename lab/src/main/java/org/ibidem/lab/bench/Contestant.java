package org.ibidem.lab.bench;

import java.util.Optional;

/// Somebody who takes part in a benchmark: one way of moving messages between two processes.
public interface Contestant {
    /// How it waits for a message. Only those who wait the same way can be compared.
    enum Waiting {
        /// Looks again and again.
        SPIN,
        /// Sleeps in a selector.
        SELECT,
        /// Sleeps in a read.
        BLOCK,
        /// As it comes, with nothing set: to be compared with what others do when nothing is set.
        USUAL
    }

    /// What the tables call it: short and without blanks.
    String name();

    /// How it waits.
    Waiting waiting();

    /// What a reader of the table has to know about it, in one line.
    String about();

    /// Whether it can play this measure; the others' figures are then shown without it.
    default boolean plays(Measure measure) {
        return true;
    }

    /// Why it cannot take part on this machine, if so.
    default Optional<String> missing() {
        return Optional.empty();
    }

    /// Shows the code it shares with others what else it will have to serve, before anything is
    /// measured, so that nobody wins by being compiled for a single case.
    default void mix() throws Exception {}

    /// Opens this process's end; the other process does the same at the same time.
    Player open(Meeting meeting) throws Exception;
}
