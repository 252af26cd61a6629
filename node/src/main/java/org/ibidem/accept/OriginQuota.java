package org.ibidem.accept;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.link.Path;
import org.jspecify.annotations.Nullable;

/// Those who have not shown yet what they are good for, by the address they come from: so many at
/// most, and when one more comes, the oldest of the address with the most goes. So one address may
/// have all the room while nobody else wants any, as a crowd behind one NAT does, and a flood
/// pushes out itself before it pushes out others. Safe for several threads.
///
/// @param <T> who they are
public final class OriginQuota<T> {
    private static final int NETWORK = 8;

    private final int most;
    private final Map<T, Object> origins = new LinkedHashMap<>();
    private final Map<Object, Integer> counts = new HashMap<>();

    /// Nobody yet.
    ///
    /// @param most at a time
    public OriginQuota(int most) {
        this.most = most;
    }

    /// Where a connection comes from, as far as one origin is told from another: an IPv4 address,
    /// or the network part of an IPv6 address, of which one machine may have many addresses.
    public static Object origin(Path path) {
        return path.remote() instanceof InetSocketAddress from && !from.isUnresolved()
                ? origin(from.getAddress())
                : "elsewhere";
    }

    static Object origin(InetAddress address) {
        if (address instanceof Inet6Address && !address.isLoopbackAddress()) {
            return HexFormat.of().formatHex(address.getAddress(), 0, NETWORK) + "::/64";
        }
        return address;
    }

    /// Takes one in.
    ///
    /// @return who goes for it, or null: there was room
    public synchronized @Nullable T enter(T who, Object origin) {
        origins.put(who, origin);
        counts.merge(origin, 1, Integer::sum);
        return origins.size() > most ? dropOldest() : null;
    }

    /// This one needs no room any more.
    ///
    /// @return false: it had gone already
    public synchronized boolean leave(T who) {
        var origin = origins.remove(who);
        if (origin != null) {
            counts.merge(origin, -1, OriginQuota::lessOne);
        }
        return origin != null;
    }

    private static @Nullable Integer lessOne(Integer count, Integer change) {
        return count + change == 0 ? null : Integer.valueOf(count + change);
    }

    /// The oldest of the origin with the most goes.
    ///
    /// @return who, or null: nobody is here
    public synchronized @Nullable T dropOldest() {
        int greatest = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        for (var each : origins.entrySet()) {
            if (of(each.getValue()) == greatest) {
                leave(each.getKey());
                return each.getKey();
            }
        }
        return null;
    }

    /// How many are here.
    public synchronized int size() {
        return origins.size();
    }

    /// How many of one origin are here.
    public synchronized int of(Object origin) {
        return counts.getOrDefault(origin, 0);
    }

    /// All of them, the oldest first.
    public synchronized List<T> all() {
        return List.copyOf(origins.keySet());
    }
}
