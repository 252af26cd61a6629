package org.ibidem.registry.wire;

import org.ibidem.registry.Member;

/// What came of an [Operation].
public sealed interface Outcome {
    /// Done; there is nothing to say.
    record Done() implements Outcome {}

    /// Who has won.
    ///
    /// @param winner of the election
    /// @param term its number among the winners of this election, from 1
    record Elected(Member winner, long term) implements Outcome {}

    /// A number; which, the operation says.
    ///
    /// @param value the number
    record Value(long value) implements Outcome {}

    /// Whether there was a token.
    ///
    /// @param got true: it is the asker's now
    record Taken(boolean got) implements Outcome {}

    /// The hub did not do it.
    ///
    /// @param why for people
    record Refused(String why) implements Outcome {}
}
