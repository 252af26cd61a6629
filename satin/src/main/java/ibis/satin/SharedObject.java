package ibis.satin;

import java.io.ObjectStreamException;
import java.io.Serial;
import java.io.Serializable;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.satin.host.Host;
import org.ibidem.satin.host.StandIns;
import org.jspecify.annotations.Nullable;

/// What objects extend that all processes are to have a copy of, on which the methods of a
/// [WriteMethodsInterface] are applied. As compiled there is one process, and it is an object as
/// any other. Rewritten, each process has a copy from when it first gets a job that refers to it:
/// reads are local, and what a write method does is done to all copies, to each in its time.
public class SharedObject implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicLong MADE = new AtomicLong();

    /// Where it was made, so that no two processes give the same name.
    private static final String HERE = HexFormat.of().toHexDigits(new SecureRandom().nextLong());

    private final String id = "SO" + MADE.incrementAndGet() + "-" + HERE;
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
        exported = true;
        var host = Host.current();
        if (host != null) { // otherwise there is nobody to give it to
            unshared = false;
            host.export(this);
        }
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

    /// What travels in its place: its name, and its state where there is no copy of it yet.
    @Serial
    protected Object writeReplace() throws ObjectStreamException {
        var writer = StandIns.HERE.get();
        return writer == null ? this : writer.of(this);
    }
}
