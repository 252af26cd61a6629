package org.ibidem.rmi.results;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Iterator;
import java.util.List;
import org.ibidem.rmi.Rmi;

/// Results that are given as they are asked for. A method of a remote object returns one:
///
/// ```java
/// public Results<String> lines(String file) throws RemoteException {
///     return Results.of(rmi, Files.lines(Path.of(file)).iterator());
/// }
/// ```
///
/// What comes is let in as in any call; a type variable says nothing, so classes other than values
/// are to be allowed ([Rmi.Options#policy]). Read it with a [ResultReader].
///
/// @param <T> of the results
public interface Results<T> extends Remote {
    /// The next ones, at least one; it waits for the first, and a few milliseconds for more.
    ///
    /// @param most so many at most, from 1
    /// @return empty: there are no more
    List<T> next(int most) throws RemoteException;

    /// No more are wanted.
    void end() throws RemoteException;

    /// Gives what an iterator has, which is asked as far as results are, by one thread at a time.
    /// An iterator that is [AutoCloseable] is closed when it is over, when nobody wants more, or
    /// when all who had this have gone.
    static <T> Results<T> of(Rmi rmi, Iterator<T> results) {
        @SuppressWarnings("unchecked") // the stub has this interface
        var stub = (Results<T>) rmi.export(new Given<>(rmi, results));
        return stub;
    }
}
