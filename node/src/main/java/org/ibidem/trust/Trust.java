package org.ibidem.trust;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which pools have an authority, as far as this process knows, and what it shows there itself. In
/// every other pool whoever has a key is somebody.
public final class Trust {
    /// No pool has an authority.
    public static final Trust NONE = new Trust(Map.of(), () -> Instant.EPOCH);

    private static final Duration SOON = Duration.ofDays(7);

    private final Map<String, Membership> pools;
    private final InstantSource clock;

    /// @param own what this process shows
    /// @param revocations what it knows of certificates that count no more
    private record Membership(
            Authority authority, OwnChain own, Standing standing, Revocations revocations) {}

    private Trust(Map<String, Membership> pools, InstantSource clock) {
        this.pools = Map.copyOf(pools);
        this.clock = clock;
    }

    /// Reads the files of a node or hub.
    ///
    /// @param authorities PEM files of the authorities' own certificates
    /// @param certificates PEM files, each with a certificate of this process's key, and those of
    ///   who issued it if these are not the authorities
    /// @param clock the time of day
    /// @throws BadCertificate when one cannot be read, or names no pool
    public static Trust read(List<Path> authorities, List<Path> certificates, InstantSource clock) {
        var roots =
                authorities.stream()
                        .flatMap(file -> Authority.read(file).roots().stream())
                        .toList();
        var trust = Trust.NONE;
        for (var file : certificates) {
            trust = trust.and(new Authority(roots), OwnChain.of(file), clock);
        }
        return trust;
    }

    /// The same with the pools that this certificate is for.
    ///
    /// @throws BadCertificate when it names none
    public Trust and(Authority authority, Chain own, InstantSource time) {
        return and(authority, new OwnChain(own), time);
    }

    private Trust and(Authority authority, OwnChain own, InstantSource time) {
        var standings = Standing.all(own.chain().own());
        if (standings.isEmpty()) {
            throw new BadCertificate(
                    "the certificate of '"
                            + own.chain().own().getSubjectX500Principal()
                            + "' names no pool: it needs an alternative name such as URI:"
                            + new Standing("POOL", Role.NODE, "").uri());
        }
        var more = new HashMap<>(pools);
        for (var standing : standings) {
            var revocations = new Revocations(authority);
            more.put(standing.pool(), new Membership(authority, own, standing, revocations));
        }
        return new Trust(more, time);
    }

    /// Whether a pool has an authority.
    public boolean governs(String pool) {
        return pools.containsKey(pool);
    }

    /// The pools that have one.
    public Set<String> pools() {
        return pools.keySet();
    }

    /// What is shown in a pool.
    public Chain shown(String pool) {
        var here = pools.get(pool);
        return here == null ? Chain.NONE : here.own.chain();
    }

    /// At which site of a pool this process's certificate says that it is, or empty.
    public String site(String pool) {
        var here = pools.get(pool);
        return here == null ? "" : here.standing.site();
    }

    /// What is said of somebody in a pool that has an authority.
    ///
    /// @param key whose, X.509
    /// @throws NotTrusted when it does not count
    public Standing check(String pool, byte[] key, Chain shown) {
        var here = Objects.requireNonNull(pools.get(pool), "no authority");
        var now = clock.instant();
        var standing = here.authority.check(shown, key, pool, now);
        here.revocations.check(key, shown, standing, now);
        return standing;
    }

    /// From now on these certificates count no more, in the pools whose authority has signed the
    /// list.
    ///
    /// @return whether it is new in any of them
    /// @throws NotTrusted when it is of no authority known here, older than what is known, or
    ///   should have been replaced by now
    public boolean accept(RevokedList list) {
        var ruled = pools.entrySet().stream().filter(each -> owns(each, list)).toList();
        if (ruled.isEmpty()) {
            throw new NotTrusted(
                    "this list of revoked certificates does not count: no authority known here has"
                            + " signed it as it is");
        }
        boolean newer = false;
        for (var each : ruled) {
            newer |= each.getValue().revocations.accept(list, clock.instant());
        }
        return newer;
    }

    /// Takes a list that this process has kept itself, also when it should have been replaced by
    /// now: it says that there are lists, and which were there before.
    ///
    /// @throws NotTrusted when it is of no authority known here
    public void restore(RevokedList list) {
        var ruled = pools.entrySet().stream().filter(each -> owns(each, list)).toList();
        if (ruled.isEmpty()) {
            throw new NotTrusted("this list is of no authority known here");
        }
        ruled.forEach(each -> each.getValue().revocations.restore(list));
    }

    /// Looks whether other certificates of this process have been put into the files from which its
    /// own came: for the same key, pools, roles and sites. They are shown from now on.
    ///
    /// @return what people are to know: what was taken, or why not
    public List<String> lookAgain() {
        var told = new ArrayList<String>();
        for (var own : owned()) {
            try {
                var next = own.next();
                if (next != null) {
                    requireCounts(own, next);
                    own.take(next);
                    told.add(own + " was renewed, until " + next.until());
                }
            } catch (NotTrusted | BadCertificate e) {
                told.add(own + " is not taken, the one before remains valid: " + e.getMessage());
            }
        }
        return told;
    }

    /// One may be for several pools.
    private Set<OwnChain> owned() {
        return pools.values().stream().map(Membership::own).collect(Collectors.toSet());
    }

    private void requireCounts(OwnChain own, Chain next) {
        for (var pool : pools.entrySet()) {
            if (pool.getValue().own.equals(own)) {
                check(pool.getKey(), next.key(), next);
            }
        }
    }

    private static boolean owns(Map.Entry<String, Membership> pool, RevokedList list) {
        return pool.getValue().revocations.owns(list, pool.getKey());
    }

    /// Which certificates of a pool count no more; empty: nobody has said so here.
    public Optional<RevokedList> revokedList(String pool) {
        return Optional.ofNullable(pools.get(pool)).map(here -> here.revocations.list());
    }

    /// Who was trusted in a pool by this process, and is not any more: their keys, X.509.
    public List<byte[]> revoked(String pool) {
        var here = pools.get(pool);
        return here == null ? List.of() : here.revocations.revoked();
    }

    /// Whether this process itself would be trusted in all its pools: better found here than by
    /// being refused everywhere.
    ///
    /// @param key this process's, X.509
    /// @throws NotTrusted when it would not
    public void requireOwn(byte[] key) {
        for (var pool : pools.keySet()) {
            try {
                check(pool, key, shown(pool));
            } catch (NotTrusted e) {
                throw new NotTrusted(
                        "this process cannot take part in pool '" + pool + "': " + e.getMessage(),
                        e);
            }
        }
    }

    /// What people should be told: which of this process's certificates, and of the lists that it
    /// knows, are over soon, that is within a week, or a third of the time for which they are.
    public List<String> warnings() {
        var now = clock.instant();
        var own =
                pools.values().stream()
                        .flatMap(here -> here.own.chain().certificates().stream())
                        .filter(each -> soon(each.getNotBefore(), each.getNotAfter(), now))
                        .map(each ->
                                "this process's certificate expires at "
                                        + each.getNotAfter().toInstant()
                                        + ": put another one for the same key into its file");
        var lists = pools.keySet().stream().flatMap(pool -> endingList(pool, now));
        return Stream.concat(own, lists).distinct().toList();
    }

    private Stream<String> endingList(String pool, Instant now) {
        return revokedList(pool)
                .filter(list -> soon(Date.from(list.made()), Date.from(list.renewal()), now))
                .map(list ->
                        "pool '"
                                + pool
                                + "' admits no node after "
                                + list.renewal()
                                + ", unless there is a newer list of revoked certificates by then:"
                                + " make one with 'ibidem pool revoke', and give it to the hub")
                .stream();
    }

    private static boolean soon(Date from, Date until, Instant now) {
        var last = until.toInstant();
        var third = Duration.between(from.toInstant(), last).dividedBy(3);
        return last.isBefore(now.plus(third.compareTo(SOON) < 0 ? third : SOON));
    }
}
