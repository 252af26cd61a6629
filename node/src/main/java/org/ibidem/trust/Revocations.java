package org.ibidem.trust;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What is known in one pool of certificates that count no more, and who was trusted here, so that
/// it can be found out whose connections are to end. Who is trusted has a certificate of the
/// authority: so it bounds how many there are.
final class Revocations {
    private static final int MANY = 4096;

    private final Authority authority;
    private final Map<ByteBuffer, Chain> trusted = new ConcurrentHashMap<>();
    private volatile @Nullable RevokedList list;
    private int enough = MANY;

    Revocations(Authority authority) {
        this.authority = authority;
    }

    @Nullable RevokedList list() {
        return list;
    }

    /// Whether the pool's authority has signed it.
    boolean owns(RevokedList one, String pool) {
        return authority.of(pool).anyMatch(one::isOf);
    }

    /// It counts from now on, unless it does already.
    ///
    /// @throws NotTrusted when it is older than what is known
    synchronized boolean accept(RevokedList one, Instant now) {
        boolean newer = one.follows(list, now);
        if (newer) {
            list = one;
        }
        return newer;
    }

    /// It was known before this process was started.
    synchronized void restore(RevokedList one) {
        var known = list;
        if (known == null || one.number().compareTo(known.number()) > 0) {
            list = one;
        }
    }

    /// Somebody was found to belong to the pool, as far as his certificates say.
    ///
    /// @throws NotTrusted when one of them was revoked, or nobody here can know it any more
    void check(byte[] key, Chain chain, Standing standing, Instant now) {
        note(key, chain, now); // first, so that a list that comes now finds it
        var known = list;
        if (known != null) {
            for (var each : chain.certificates()) {
                var since = known.since(each, chain);
                if (since != null) {
                    throw new NotTrusted(
                            Delegation.whose(chain, each)
                                    + " was revoked at "
                                    + since
                                    + ": have another one issued, for a new key");
                }
            }
            // From a hub the next list comes.
            if (standing.role() != Role.HUB && known.renewal().isBefore(now)) {
                throw new NotTrusted(
                        "the list of revoked certificates has expired: a newer one was due by "
                                + known.renewal()
                                + "; make one with 'ibidem pool revoke', and give it to the hub");
            }
        }
    }

    private void note(byte[] key, Chain chain, Instant now) {
        trusted.put(ByteBuffer.wrap(key.clone()), chain);
        if (trusted.size() > enough) {
            trusted.values().removeIf(each -> each.until().isBefore(now));
            enough = Math.max(MANY, 2 * trusted.size());
        }
    }

    /// The keys of those who were trusted and are not any more.
    List<byte[]> revoked() {
        var known = list;
        var keys = new ArrayList<byte[]>();
        if (known != null) {
            for (var chain : trusted.values()) {
                if (chain.certificates().stream()
                        .anyMatch(each -> known.since(each, chain) != null)) {
                    keys.add(chain.key());
                }
            }
        }
        return keys;
    }
}
