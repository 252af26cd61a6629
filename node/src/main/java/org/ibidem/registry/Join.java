package org.ibidem.registry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.Visible;
import org.ibidem.arbitration.Clock;
import org.ibidem.config.Limit;
import org.ibidem.config.Settings;
import org.ibidem.control.ControlLink;
import org.ibidem.identity.Identity;
import org.ibidem.registry.uplink.HubAddress;
import org.ibidem.topology.Location;
import org.ibidem.trust.Trust;
import org.jspecify.annotations.Nullable;

/// How to join a pool: which, through which hub, as whom. Immutable: each method gives a changed
/// copy.
///
/// ```java
/// var join = Join.pool("demo").hub("localhost:8888").size(4);
/// ```
public final class Join {
    /// No wish: the hub gives the lowest free rank.
    public static final int ANY_RANK = -1;

    /// No wish: the pool has the size it has, or none.
    public static final int ANY_SIZE = 0;

    private static final String DEFAULT_HUB = "localhost:8888";
    private static final int MOST_HUBS = 16;

    private String pool;
    private List<String> hubs = List.of();
    private int size = ANY_SIZE;
    private int rank = ANY_RANK;
    private boolean open;
    private @Nullable Duration limit;
    private Membership membership = Membership.EVENTUAL;
    private Tag tag = Tag.NONE;
    private @Nullable Location location;
    private @Nullable Identity identity;
    private ControlLink.Limits rhythm = ControlLink.Limits.DEFAULT;

    private Join(String pool) {
        this.pool = pool;
    }

    private Join(Join from) {
        pool = from.pool;
        hubs = from.hubs;
        size = from.size;
        rank = from.rank;
        open = from.open;
        limit = from.limit;
        membership = from.membership;
        tag = from.tag;
        location = from.location;
        identity = from.identity;
        rhythm = from.rhythm;
    }

    /// Begins: the pool to join, by its name.
    public static Join pool(String name) {
        return new Join(Visible.name("the name of a pool", name));
    }

    /// What the launcher `ibidem run` passes on, or whoever else sets it: `ibidem.pool`,
    /// `ibidem.hub` (several with commas between), `ibidem.size`, `ibidem.rank`, `ibidem.location`,
    /// `ibidem.open`, `ibidem.membership`, `ibidem.identity` (a file), and in a pool that has an
    /// authority `ibidem.authority` and `ibidem.certificate` (files); each a system property or an
    /// environment variable such as `IBIDEM_HUB`. What is not set is as in [#pool(String)].
    ///
    /// @throws org.ibidem.config.SettingException when one is set to something it cannot be
    public static Join fromEnvironment() {
        return from(Settings.system());
    }

    static Join from(Settings settings) {
        var join =
                pool(settings.value("ibidem.pool", "default"))
                        .size(settings.value("ibidem.size", ANY_SIZE))
                        .rank(settings.value("ibidem.rank", ANY_RANK))
                        .open(settings.value("ibidem.open", false))
                        .membership(settings.value("ibidem.membership", Membership.EVENTUAL));
        for (var hub : settings.value("ibidem.hub", DEFAULT_HUB).split(",", -1)) {
            join = join.hub(hub.strip());
        }
        var place = settings.text("ibidem.location");
        join = place.isPresent() ? join.location(Location.parse(place.get())) : join;
        var identity = identity(settings);
        return identity == null ? join : join.identity(identity);
    }

    private static @Nullable Identity identity(Settings settings) {
        var key = settings.text("ibidem.identity").map(Path::of);
        var authority = settings.given("ibidem.authority");
        if (authority.isEmpty()) {
            var alone = settings.given("ibidem.certificate");
            if (alone.isPresent()) {
                throw Settings.wrong(
                        alone.get(),
                        "a certificate is for a pool that has an authority: set ibidem.authority to"
                                + " the file of that, too");
            }
            return key.map(Identity::stored).orElse(null);
        }
        if (key.isEmpty()) {
            throw Settings.wrong(
                    authority.get(),
                    "a pool that has an authority is joined with a certificate and its key: set"
                            + " ibidem.identity to the file");
        }
        var certificate = settings.text("ibidem.certificate").map(Path::of).orElse(key.get());
        return Identity.stored(key.get())
                .trusting(
                        Trust.read(
                                List.of(Path.of(authority.get().value())),
                                List.of(certificate),
                                Clock.TIME_OF_DAY));
    }

    /// The same in another pool.
    Join inPool(String name) {
        var copy = new Join(this);
        copy.pool = name;
        if (identity != null && !identity.trust().governs(name)) {
            copy.identity = null; // it is somebody in that pool alone
        }
        return copy;
    }

    /// A hub that may be used, as `host:port` (IPv6 hosts in brackets). Several are tried in order.
    public Join hub(String address) {
        if (hubs.size() == MOST_HUBS) {
            throw new IllegalArgumentException("a node tries at most " + MOST_HUBS + " hubs");
        }
        var copy = new Join(this);
        var more = new ArrayList<>(hubs);
        more.add(HubAddress.parse(address).toString());
        copy.hubs = List.copyOf(more);
        return copy;
    }

    /// How many members the pool is for: when it has them it is closed, and stays so when one has
    /// gone. All members that name a size name the same. [#ANY_SIZE] by default.
    public Join size(int members) {
        if (members < 0) {
            throw new IllegalArgumentException(
                    "a pool has 0 members (any number) or more, not " + members);
        }
        var copy = new Join(this);
        copy.size = members;
        return copy;
    }

    /// The rank wished for; [#ANY_RANK] by default.
    public Join rank(int wish) {
        if (wish < ANY_RANK) {
            throw new IllegalArgumentException("a rank is 0 or more, or -1 for any, not " + wish);
        }
        var copy = new Join(this);
        copy.rank = wish;
        return copy;
    }

    /// Where this node is; by default the name of this host.
    public Join location(Location here) {
        var copy = new Join(this);
        copy.location = here;
        return copy;
    }

    /// What the other members are told of this node, as [Member#tag]: at most 256 bytes, which stay
    /// as they are while it is a member. None by default.
    ///
    /// @throws IllegalArgumentException when they are more
    public Join tag(byte[] said) {
        var copy = new Join(this);
        copy.tag = Tag.of(said);
        return copy;
    }

    /// Whether peers on other machines may connect to this node; by default it listens on loopback
    /// only.
    public Join open(boolean toOthers) {
        var copy = new Join(this);
        copy.open = toOthers;
        return copy;
    }

    /// How long joining may take, all hubs together; by default what the setting
    /// `ibidem.limit.join` says, 10 seconds.
    public Join limit(Duration longest) {
        var copy = new Join(this);
        copy.limit = longest;
        return copy;
    }

    /// What this node wants to know of other members; [Membership#EVENTUAL] by default.
    public Join membership(Membership wish) {
        var copy = new Join(this);
        copy.membership = wish;
        return copy;
    }

    /// Who this node is; by default somebody new each time.
    public Join identity(Identity stored) {
        var copy = new Join(this);
        copy.identity = stored;
        return copy;
    }

    /// Bounds and heartbeat of the connection to the hub.
    Join rhythm(ControlLink.Limits limits) {
        var copy = new Join(this);
        copy.rhythm = limits;
        return copy;
    }

    /// The pool to join.
    public String pool() {
        return pool;
    }

    /// The hubs to try, in order.
    public List<String> hubs() {
        return hubs;
    }

    /// The size named, or [#ANY_SIZE].
    public int size() {
        return size;
    }

    /// The rank wished for, or [#ANY_RANK].
    public int rank() {
        return rank;
    }

    /// Whether peers on other machines may connect.
    public boolean open() {
        return open;
    }

    /// How long joining may take.
    public Duration limit() {
        return limit == null ? Limit.JOIN.get() : limit;
    }

    /// What the other members are told of this node.
    public Tag tag() {
        return tag;
    }

    /// What this node wants to know of other members.
    public Membership membership() {
        return membership;
    }

    /// Where this node is, or null when nobody said.
    public @Nullable Location location() {
        return location;
    }

    /// Where this node is: as said, otherwise its host.
    Location place() {
        if (location != null) {
            return location;
        }
        try {
            return new Location(List.of(Settings.hostName()));
        } catch (IllegalArgumentException _) {
            return new Location(List.of("localhost"));
        }
    }

    /// Who this node is, or null for somebody new.
    public @Nullable Identity identity() {
        return identity;
    }

    /// Who this node is from now on. A name that was mistaken must not lead into a pool where
    /// nobody is asked for a certificate.
    Identity who() {
        var who = identity == null ? Identity.create() : identity;
        var pools = who.trust().pools();
        if (!pools.isEmpty() && !pools.contains(pool)) {
            throw new JoinRefused.NotTrusted(
                    "the certificate of this node is for pool "
                            + pools.stream().sorted().collect(Collectors.joining("', '", "'", "'"))
                            + ", and it is to join pool '"
                            + pool
                            + "': name that pool, or have a certificate issued for this one");
        }
        return who;
    }

    ControlLink.Limits rhythm() {
        return rhythm;
    }
}
