package org.ibidem.trust;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import org.ibidem.config.FileMark;
import org.jspecify.annotations.Nullable;

/// What this process shows: certificates, in the place of which others for the same key may be put
/// while it runs, in the file from which they came.
final class OwnChain {
    private final @Nullable Path file;
    private @Nullable FileMark seen;
    private volatile Chain chain;

    /// Those of this file.
    static OwnChain of(Path file) {
        var seen = FileMark.of(file); // before it is read: what comes meanwhile is looked at again
        return new OwnChain(Chain.read(file), file, seen);
    }

    /// Those that stay.
    OwnChain(Chain chain) {
        this(chain, null, null);
    }

    private OwnChain(Chain chain, @Nullable Path file, @Nullable FileMark seen) {
        this.chain = chain;
        this.file = file;
        this.seen = seen;
    }

    Chain chain() {
        return chain;
    }

    /// What people are to know of it.
    @Override
    public String toString() {
        return file == null ? "the certificate" : "the certificate in " + file;
    }

    /// Looks whether there are others; each is looked at once.
    ///
    /// @return null: no; what says the same, but for how long
    /// @throws NotTrusted when it is for something else
    /// @throws BadCertificate when it cannot be read
    synchronized @Nullable Chain next() {
        var from = file;
        if (from == null) {
            return null;
        }
        var now = FileMark.of(from);
        if (now == null || now.equals(seen)) {
            return null;
        }
        seen = now;
        var next = Chain.read(from);
        if (next.equals(chain)) {
            return null;
        }
        if (!Arrays.equals(next.key(), chain.key())) {
            throw new NotTrusted("it is for another key, and a node is its key");
        }
        if (!new HashSet<>(Standing.all(next.own()))
                .equals(new HashSet<>(Standing.all(chain.own())))) {
            throw new NotTrusted(
                    "it is for " + Standing.all(next.own()) + ", not " + Standing.all(chain.own()));
        }
        return next;
    }

    /// Shows these from now on.
    void take(Chain next) {
        chain = next;
    }
}
