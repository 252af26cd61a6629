package ibis.satin;

import java.io.Serializable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What objects extend that all processes are to have a copy of, on which the methods of a
/// [WriteMethodsInterface] are applied. As compiled there is one process, and it is an object as
/// any other. Programs with such objects are not rewritten yet: the rewriter refuses their classes.
public class SharedObject implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final String id = "SO" + MADE.incrementAndGet();
    private boolean unshared = true;
    private boolean exported;

    /// For those that extend it.
    protected SharedObject() {}

    /// Whether no other process has been given it.
    public final boolean isUnshared() {
        return unshared;
    }

    /// Gives it to all processes at once, instead of when they ask for it.
    ///
    /// @throws RuntimeException when it was exported, or given to somebody, before
    public void exportObject() {
        if (exported || !unshared) {
            throw new IllegalStateException(
                    "the object " + id + " is shared already: export it once, and first");
        }
        unshared = false;
        exported = true;
    }

    /// Its name in all processes.
    public final @Nullable String getObjectId() {
        return id;
    }

    /// The same for somebody who is given it.
    public final @Nullable String getObjectIdAndSetNonlocal() {
        unshared = false;
        return id;
    }
}
