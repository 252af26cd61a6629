package org.ibidem.filter.rate;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.ibidem.task.Tasks;

/// The buckets that have a name, as long as a link of theirs is open.
final class Shares {
    /// Those of this process.
    static final Shares HERE = new Shares();

    private final Map<Key, Shared> all = new HashMap<>();

    /// Each node has shares of its own.
    private record Key(Tasks node, String name) {}

    private static final class Shared {
        final Rate rate;
        final Bucket bucket;
        int links;

        Shared(Rate rate, Tasks node) {
            this.rate = rate;
            this.bucket = new Bucket(rate, node);
        }
    }

    /// A place at the bucket that these options name, until it is left.
    ///
    /// @throws IOException when the share has another limit already
    Taker join(Rate rate, Tasks node) throws IOException {
        if (rate.share().isEmpty()) {
            return new Taker(new Bucket(rate, node), () -> {});
        }
        var key = new Key(node, rate.share());
        synchronized (all) {
            var shared = all.computeIfAbsent(key, _ -> new Shared(rate, node));
            if (!shared.rate.equals(rate)) {
                throw new IOException(
                        ("the links of the share '%s' have the limit %d with a burst of %d bytes,"
                                        + " not %d with %d: write the same for all, or name another")
                                .formatted(
                                        rate.share(),
                                        shared.rate.limit(),
                                        shared.rate.atOnce(),
                                        rate.limit(),
                                        rate.atOnce()));
            }
            shared.links++;
            return new Taker(shared.bucket, () -> leave(key));
        }
    }

    private void leave(Key key) {
        synchronized (all) {
            all.computeIfPresent(key, (_, shared) -> --shared.links == 0 ? null : shared);
        }
    }

    /// How many there are.
    int size() {
        synchronized (all) {
            return all.size();
        }
    }
}
