package org.ibidem.messaging;

import org.jspecify.annotations.Nullable;

/// What answers questions.
///
/// @param <Q> the kind of question
/// @param <R> the kind of answer
@FunctionalInterface
public interface Answerer<Q, R> {
    /// Answers one; may block, and ask others.
    ///
    /// @return null only where answers are `Void`
    /// @throws Exception is told to the caller, as the reason of a [CallFailed], and here to the
    ///   hook of [Procedure#failures], or logged
    @Nullable R answer(Q question) throws Exception;
}
