package org.ibidem.lab.net.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.lab.net.plan.Family;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Proxy;
import org.ibidem.lab.net.plan.Site;

/// Two sites of every kind, with one host each, and the hub's site in the open, with both families.
public final class MatrixPlan implements Plan {
    static final String HUB = "hub";
    static final int PORT = 8888;
    private static final String GATEWAY = "192.168.1.254";

    /// Every kind, as a site of its name.
    static final List<Site> KINDS =
            Stream.concat(
                            Stream.of(Kind.values())
                                    .filter(kind -> kind != Kind.SEVERE)
                                    .map(kind -> Site.of(kind.toString().replace("-", ""), kind)),
                            Stream.of(
                                    Site.of("double", Kind.NAT).behind(Kind.NAT),
                                    Site.of("six", Kind.FIREWALL).family(Family.IPV6),
                                    Site.of("dual", Kind.NAT).family(Family.DUAL),
                                    Site.of("dualsym", Kind.NAT_SYMMETRIC).family(Family.DUAL),
                                    Site.of("severe", Kind.SEVERE).proxies(Proxy.socks(1080)),
                                    Site.of("severebind", Kind.SEVERE)
                                            .proxies(Proxy.socks(1080).withBind())))
                    .map(site -> site.hosts(1))
                    .toList();

    /// What the JVM of a host at such a site is told.
    static List<String> options(Site kind) {
        return kind.kind() == Kind.SEVERE
                ? List.of("-Dibidem.proxy=socks5://" + GATEWAY + ":1080")
                : List.of();
    }

    private static Site called(String name, Site site) {
        return new Site(
                name,
                site.kind(),
                site.behind(),
                site.family(),
                site.hosts(),
                site.proxies(),
                site.idle());
    }

    @Override
    public Network network() {
        var sites = new ArrayList<Site>();
        for (var kind : KINDS) {
            sites.add(called(kind.name() + "x", kind));
            sites.add(called(kind.name() + "y", kind));
        }
        sites.add(Site.of(HUB, Kind.OPEN).family(Family.DUAL).hosts(1));
        return Network.of(sites.toArray(Site[]::new));
    }

    /// Two kinds of site; the first asks.
    ///
    /// @param from the one who asks for the connection
    /// @param to the one who is asked
    record Pair(Site from, Site to) {
        /// Can one of them connect to the other, or both at once, with nobody between?
        boolean direct() {
            boolean over4 = four() && (is(Kind.OPEN) || !is(Kind.NAT_SYMMETRIC));
            boolean strict = from.kind() == Kind.STRICT && to.kind() == Kind.STRICT;
            return (over4 || six()) && !is(Kind.SEVERE) && !strict;
        }

        private boolean four() {
            return from.family().four() && to.family().four();
        }

        /// Which no NAT translates.
        private boolean six() {
            return from.family().six() && to.family().six();
        }

        private boolean is(Kind kind) {
            return from.kind() == kind || to.kind() == kind;
        }

        /// Why there is no direct connection, for people.
        String obstacle() {
            if (direct()) {
                return "";
            }
            if (!four() && !six()) {
                return "no common version of IP";
            }
            if (is(Kind.SEVERE)) {
                return "nothing gets out but through a proxy";
            }
            return is(Kind.NAT_SYMMETRIC)
                    ? "another outside port for each peer, which nobody can tell before"
                    : "both drop every SYN that comes in";
        }
    }

    /// All of them, both ways.
    static List<Pair> pairs() {
        return KINDS.stream()
                .flatMap(one -> KINDS.stream().map(other -> new Pair(one, other)))
                .toList();
    }
}
