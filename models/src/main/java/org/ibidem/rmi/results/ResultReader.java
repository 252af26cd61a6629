package org.ibidem.rmi.results;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.ibidem.rmi.Rmi;
import org.jspecify.annotations.Nullable;

/// Reads [Results], in order. One request is under way while what the last one brought is read, so
/// of a reader that does not go on its server has made two requests' worth at most; a fast one does
/// not wait for round trips as long as one request's worth takes longer to read.
///
/// ```java
/// try (var lines = ResultReader.of(rmi, files.lines("log"), 100)) {
///     while (lines.hasNext()) {
///         use(lines.next());
///     }
/// }
/// ```
///
/// For one thread at a time.
///
/// @param <T> of the results
public final class ResultReader<T> implements Iterator<T>, AutoCloseable {
    private final ResultsLater<T> results;
    private final int most;
    private Iterator<T> here = List.<T>of().iterator();
    private @Nullable CompletableFuture<List<T>> asked;

    @SuppressWarnings("unchecked") // what is beside it is of the same
    private ResultReader(Rmi rmi, Results<T> results, int most) {
        this.results = (ResultsLater<T>) rmi.beside(results, ResultsLater.class);
        this.most = most;
        this.asked = this.results.next(most);
    }

    /// Begins to read.
    ///
    /// @param results a stub, as a call has given it
    /// @param most so many a request, from 1 to 65 536
    public static <T> ResultReader<T> of(Rmi rmi, Results<T> results, int most) {
        return new ResultReader<>(rmi, results, most);
    }

    /// Waits for the next one.
    ///
    /// @throws CompletionException when it does not come; its cause is the
    ///   [java.rmi.RemoteException], or what the server's iterator has thrown
    @Override
    public boolean hasNext() {
        var mine = asked;
        if (!here.hasNext() && mine != null) {
            asked = null;
            var come = got(mine);
            here = come.iterator();
            if (!come.isEmpty()) {
                asked = results.next(most);
            }
        }
        return here.hasNext();
    }

    private static <T> List<T> got(CompletableFuture<List<T>> asked) {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException("interrupted before the next result came", e);
        }
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all results were read already");
        }
        return here.next();
    }

    /// No more are wanted: the server's iterator is closed.
    @Override
    public void close() {
        var mine = asked;
        if (mine != null) {
            mine.cancel(true); // who waits at the server is interrupted
            asked = null;
        }
        here = List.<T>of().iterator();
        results.end();
    }
}
