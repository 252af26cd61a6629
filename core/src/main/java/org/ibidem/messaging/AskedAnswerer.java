package org.ibidem.messaging;

import org.jspecify.annotations.Nullable;

/// What answers questions, and wants to know who asks.
///
/// @param <Q> the kind of question
/// @param <R> the kind of answer
@FunctionalInterface
public interface AskedAnswerer<Q, R> {
    /// Answers one, as [Answerer#answer].
    ///
    /// @throws Exception as there
    @Nullable R answer(Q question, Asked asked) throws Exception;
}
