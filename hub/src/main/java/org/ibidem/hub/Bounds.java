package org.ibidem.hub;

import java.time.Duration;
import java.util.Set;
import org.ibidem.config.Limit;
import org.ibidem.config.Settings;
import org.ibidem.connect.Heartbeat;
import org.ibidem.control.ControlLink;
import org.ibidem.hub.pools.Limits;

/// How much a hub holds, and how long it waits.
///
/// @param suspicion how long a member without contact is suspected before it counts as dead
/// @param patience how long a new connection may take to prove whose it is, and then to attach
/// @param pools at most that have no authority
/// @param members at most: of each pool that has an authority; and of all others together, where
///   the first few of each pool do not count (16 unless said otherwise), so that no pool takes all
///   the room of another
/// @param changes of each pool that are kept for those who missed some; who missed more takes a
///   snapshot
/// @param silence when a member is without contact
public record Bounds(
        Duration suspicion,
        Duration patience,
        int pools,
        int members,
        int changes,
        Silence silence) {
    /// When a connection over which nothing comes counts as silent.
    ///
    /// @param interval after so long the other end is asked for a sign of life
    /// @param longest after so long without any its member is without contact
    public record Silence(Duration interval, Duration longest) {
        /// As `ibidem.heartbeat` says.
        public static final Silence USUAL =
                new Silence(Heartbeat.USUAL.interval(), Heartbeat.USUAL.silence());

        /// Checks them.
        public Silence {
            if (!interval.isPositive() || longest.compareTo(interval) <= 0) {
                throw new IllegalArgumentException(
                        "a silence is longer than the interval of questions, not %s and %s"
                                .formatted(longest, interval));
            }
        }
    }

    /// What a hub has when nobody says otherwise: 30 s and 10 s; 256 pools; 16 384 members; 1 024
    /// changes.
    public static final Bounds DEFAULT = new Bounds(Duration.ofSeconds(30), 256, 16 * 1024, 1024);

    /// The usual ones, with the suspicion that `ibidem.suspicion` says and the patience that
    /// `ibidem.limit.handshake` says: for a hub that nobody configures otherwise, as that in a
    /// launcher.
    ///
    /// @throws org.ibidem.config.SettingException when it is set to what cannot be
    public static Bounds of(Settings settings) {
        return DEFAULT.suspicion(
                        settings.value("ibidem.suspicion", DEFAULT.suspicion, Bounds::checked))
                .patience(Limit.HANDSHAKE.of(settings));
    }

    private static Duration checked(Duration suspicion) {
        if (suspicion.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a silent process is waited for 1s or more");
        }
        return suspicion;
    }

    /// With the usual patience and silence.
    public Bounds(Duration suspicion, int pools, int members, int changes) {
        this(suspicion, Duration.ofSeconds(10), pools, members, changes, Silence.USUAL);
    }

    /// Checks them.
    public Bounds {
        if (!suspicion.isPositive()
                || !patience.isPositive()
                || pools < 1
                || members < 1
                || changes < 1) {
            throw new IllegalArgumentException(
                    "a hub's bounds are all more than 0, not %s, %s, %d pools, %d members, %d changes"
                            .formatted(suspicion, patience, pools, members, changes));
        }
    }

    /// The same, with another suspicion.
    public Bounds suspicion(Duration longest) {
        return new Bounds(longest, patience, pools, members, changes, silence);
    }

    /// The same, with another patience.
    public Bounds patience(Duration longest) {
        return new Bounds(suspicion, longest, pools, members, changes, silence);
    }

    /// The same, where another silence counts.
    public Bounds silence(Duration interval, Duration longest) {
        var other = new Silence(interval, longest);
        return new Bounds(suspicion, patience, pools, members, changes, other);
    }

    /// Those of the connection to a node.
    ControlLink.Limits link() {
        return ControlLink.Limits.DEFAULT.heartbeat(silence.interval, silence.longest);
    }

    /// @param governed the pools that have an authority
    Limits limits(Set<String> governed) {
        return new Limits(suspicion.toNanos(), pools, members, changes, governed);
    }

    /// Connections at most: so many that no pool which has joined as many members and visitors as
    /// it may keeps out another.
    ///
    /// @param ofOne of one pool that has an authority, or of all others together
    long connections(boolean ofOne) {
        long strangers = 2L * Places.MOST_STRANGERS;
        int each = Register.MOST_VISITORS + (ofOne ? 0 : limits(Set.of()).reserved());
        return members + strangers + (long) each * (ofOne ? 1 : pools);
    }
}
