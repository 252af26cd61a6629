package org.ibidem.rmi.results;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// [Results] for who does not wait; for [ResultReader].
///
/// @param <T> of the results
public interface ResultsLater<T> {
    /// The next ones.
    CompletableFuture<List<T>> next(int most);

    /// No more are wanted.
    void end();
}
