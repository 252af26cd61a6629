package org.ibidem.satin;

import ibis.satin.SharedObject;
import java.io.Serializable;

/// A call of a write method of a [SharedObject], with its arguments as fields: it is done here, and
/// on every copy there is elsewhere. The rewriter makes a class of this kind for each write method;
/// by hand:
///
/// ```java
/// final class Bound extends SharedObject {
///     int least = Integer.MAX_VALUE;
///
///     void lower(int to) {
///         Write.perform(this, new Lower(to));
///     }
///
///     private static final class Lower extends Write {
///         private final int to;
///         …
///         protected void apply(SharedObject on) {
///             ((Bound) on).least = Math.min(((Bound) on).least, to);
///         }
///     }
/// }
/// ```
///
/// What it does depends on nothing but the object and its arguments, or copies will differ.
public abstract class Write implements Serializable {
    private static final long serialVersionUID = 1;

    /// For those that extend it.
    protected Write() {}

    /// Does it to one copy.
    ///
    /// @throws Throwable goes to who called the write method; elsewhere nobody hears of it
    @SuppressWarnings("checkstyle:IllegalThrows")
    protected abstract void apply(SharedObject on) throws Throwable;

    /// Does it to the copy of this process, and has all other processes that run do it to theirs.
    /// Waits while one of them does not take what it is sent. What another write method calls is
    /// part of that one, and goes nowhere by itself.
    ///
    /// @throws IllegalStateException when the object is shared and the caller is no part of the
    ///   program that is run
    /// @throws IllegalArgumentException when an argument cannot be sent
    public static void perform(SharedObject on, Write write) {
        try {
            var worker = Worker.current();
            if (worker == null) {
                alone(on, write);
            } else {
                worker.crew().sharing().perform(on, write);
            }
        } catch (Throwable e) { // Whatever the method throws.
            throw Write.<RuntimeException>unchecked(e);
        }
    }

    private static void alone(SharedObject on, Write write) throws Throwable {
        synchronized (on) {
            if (!on.isUnshared()) {
                throw new IllegalStateException(
                        "object "
                                + on.getObjectId()
                                + " is shared: it is written to by main and by what that spawns,"
                                + " not by other threads");
            }
            write.apply(on);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // So that no wrapper hides it.
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
