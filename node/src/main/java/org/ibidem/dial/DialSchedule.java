package org.ibidem.dial;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Traits;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Surroundings;

/// When each method is begun for one connection, if none before it has connected or all of them
/// have failed.
///
/// @param service whether it is for a service link
/// @param costs when methods are to begin, as far as that is declared, by name
/// @param unforeseeable whether the peer has said that nobody can be told where to meet it
record DialSchedule(boolean service, Map<String, Duration> costs, boolean unforeseeable) {
    private static final Map<String, Duration> USUAL =
            Map.of(
                    "direct", Duration.ZERO,
                    "reverse", Duration.ofMillis(200),
                    "splice", Duration.ofMillis(400),
                    "socks", Duration.ofSeconds(1),
                    "routed", Duration.ofSeconds(4));

    private static final Duration UNKNOWN = Duration.ofSeconds(2);
    private static final Duration AFTER_WHAT_WORKED = Duration.ofSeconds(1);

    /// After all others: what is known speaks against it.
    private static final Duration IN_DOUBT = Duration.ofSeconds(6);

    /// The hub is near by, and what is said first is short: better this way than later.
    private static final Duration ROUTED_SERVICE = Duration.ofMillis(250);

    /// Their turns.
    ///
    /// @param first what worked lately, or empty: begun at once, the others later, unless it is a
    ///   relay, for which nothing better shall wait; but what costs are declared goes before what
    ///   was found
    /// @param ordered whether somebody has said in which order
    Map<ConnectMethod, Duration> of(List<ConnectMethod> methods, String first, boolean ordered) {
        var usual = new ArrayList<>(methods.stream().map(this::usual).toList());
        if (ordered && costs.isEmpty()) {
            usual.sort(null);
        }
        var worked = methods.stream().filter(each -> each.name().equals(first)).findAny();
        boolean known = costs.isEmpty() && worked.isPresent();
        boolean wait = known && !relays(worked.get());
        var turns = new LinkedHashMap<ConnectMethod, Duration>();
        for (int i = 0; i < methods.size(); i++) {
            var method = methods.get(i);
            var later = wait ? usual.get(i).plus(AFTER_WHAT_WORKED) : usual.get(i);
            turns.put(method, known && method.name().equals(first) ? Duration.ZERO : later);
        }
        return turns;
    }

    private Duration usual(ConnectMethod method) {
        var declared = costs.get(method.name());
        if (declared != null) {
            return declared;
        }
        if (service && relays(method)) {
            return ROUTED_SERVICE;
        }
        return doubtful(method) ? IN_DOUBT : USUAL.getOrDefault(method.name(), UNKNOWN);
    }

    /// What a peer has said may be over, so such a method is put off, and not left out.
    boolean doubtful(ConnectMethod method) {
        return unforeseeable && method.traits().nat() == Traits.Nat.LEARNABLE;
    }

    /// Whether somebody has said when this method is to begin.
    boolean declared(ConnectMethod method) {
        return costs.containsKey(method.name());
    }

    /// Whether nobody at these addresses can be told where to meet a peer that has said this: it is
    /// before a NAT that cannot be foreseen, which there is for IPv4 only, or a proxy is its only
    /// way.
    static boolean unforeseeable(Surroundings peer, Collection<InetAddress> mine) {
        boolean six =
                mine.stream().anyMatch(DialSchedule::isPublicSix)
                        && peer.interfaces().stream()
                                .anyMatch(each -> isPublicSix(each.subnet().address()));
        return !peer.egress().foreseeable() && !(peer.egress() == Egress.SYMMETRIC && six);
    }

    private static boolean isPublicSix(InetAddress address) {
        return address instanceof Inet6Address && !LocalAddresses.isPrivate(address);
    }

    static boolean relays(ConnectMethod method) {
        return method.traits().relayed() && !method.traits().brokered();
    }
}
