package org.ibidem.lab.net.plan;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A site: a gateway and hosts behind it. Immutable: each method gives a changed copy.
///
/// The gateway has the site's name, the hosts have it with a number: `home`, `home1`, `home2`. A
/// gateway in front of the gateway is `home-isp`.
///
/// @param name letters and digits
/// @param kind what the gateway does
/// @param behind what the gateway in front of it does, or null when there is none
/// @param family which addresses the hosts have
/// @param hosts how many there are
/// @param proxies that the gateway runs
/// @param idle how long the gateways remember a TCP connection without packets; null for the
///   system's 5 days
public record Site(
        String name,
        Kind kind,
        @Nullable Kind behind,
        Family family,
        int hosts,
        List<Proxy> proxies,
        @Nullable Duration idle)
        implements Serializable {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,14}");
    private static final int MOST_HOSTS = 80;

    /// Checks that such a site can be.
    public Site {
        proxies = List.copyOf(proxies);
        require(
                NAME.matcher(name).matches(),
                "a site's name is up to 15 small letters and digits, not '" + name + "'");
        require(hosts >= 0 && hosts <= MOST_HOSTS, "a site has 0 to 80 hosts, not " + hosts);
        require(
                behind == null || (behind.translates() && kind.translates()),
                "only a NAT stands behind a NAT: " + kind + " behind " + behind);
        require(
                family.four() || !kind.translates(),
                "there is no NAT for IPv6: give " + name + " both families, or another kind");
        require(
                idle == null || idle.compareTo(Duration.ofSeconds(1)) >= 0,
                "a gateway remembers for whole seconds, at least one");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /// A site with two hosts and IPv4; a severe one has a SOCKS proxy at port 1080.
    public static Site of(String name, Kind kind) {
        var proxies = kind == Kind.SEVERE ? List.of(Proxy.socks(1080)) : List.<Proxy>of();
        return new Site(name, kind, null, Family.IPV4, 2, proxies, null);
    }

    /// With so many hosts.
    public Site hosts(int count) {
        return new Site(name, kind, behind, family, count, proxies, idle);
    }

    /// With these addresses.
    public Site family(Family which) {
        return new Site(name, kind, behind, which, hosts, proxies, idle);
    }

    /// With another gateway in front of its own.
    public Site behind(Kind outer) {
        return new Site(name, kind, outer, family, hosts, proxies, idle);
    }

    /// With these proxies on the gateway, and no others.
    public Site proxies(Proxy... which) {
        return new Site(name, kind, behind, family, hosts, List.of(which), idle);
    }

    /// With gateways that forget a TCP connection after so long without packets.
    public Site forgets(Duration after) {
        return new Site(name, kind, behind, family, hosts, proxies, after);
    }

    /// The names of its hosts.
    public List<String> hostNames() {
        return IntStream.rangeClosed(1, hosts).mapToObj(i -> name + i).toList();
    }

    /// The names of its gateways, the outermost first.
    public List<String> gatewayNames() {
        var names = new ArrayList<String>();
        if (behind != null) {
            names.add(name + "-isp");
        }
        names.add(name);
        return names;
    }
}
