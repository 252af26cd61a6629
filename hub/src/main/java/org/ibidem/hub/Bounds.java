package org.ibidem.hub;

import java.time.Duration;
import org.ibidem.config.Settings;
import org.ibidem.hub.pools.Limits;

/// How much a hub holds, and how long it waits.
///
/// @param suspicion how long a member without contact is suspected before it counts as dead
/// @param pools at most
/// @param members at most, of all pools together
/// @param changes of each pool that are kept for those who missed some; who missed more takes a
///   snapshot
public record Bounds(Duration suspicion, int pools, int members, int changes) {
    /// What a hub has when nobody says otherwise: 30 s; 256 pools; 16 384 members; 1 024 changes.
    public static final Bounds DEFAULT = new Bounds(Duration.ofSeconds(30), 256, 16 * 1024, 1024);

    /// The usual ones, with the suspicion that `ibidem.suspicion` says: for a hub that nobody
    /// configures otherwise, as that in a launcher.
    ///
    /// @throws org.ibidem.config.SettingException when it is set to what cannot be
    public static Bounds of(Settings settings) {
        return DEFAULT.suspicion(
                settings.value("ibidem.suspicion", DEFAULT.suspicion, Bounds::checked));
    }

    private static Duration checked(Duration suspicion) {
        if (suspicion.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a silent process is waited for 1s or more");
        }
        return suspicion;
    }

    /// Checks them.
    public Bounds {
        if (suspicion.isNegative()
                || suspicion.isZero()
                || pools < 1
                || members < 1
                || changes < 1) {
            throw new IllegalArgumentException(
                    "a hub's bounds are all more than 0, not %s, %d pools, %d members, %d changes"
                            .formatted(suspicion, pools, members, changes));
        }
    }

    /// The same, with another suspicion.
    public Bounds suspicion(Duration longest) {
        return new Bounds(longest, pools, members, changes);
    }

    Limits limits() {
        return new Limits(suspicion.toNanos(), pools, members, changes);
    }
}
