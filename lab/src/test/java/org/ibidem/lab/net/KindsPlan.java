package org.ibidem.lab.net;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.lab.net.plan.Family;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;

/// Two sites of every kind, with one host each, and one in the open that all of them reach, and a
/// home with two hosts.
public final class KindsPlan implements Plan {
    /// The site with two hosts behind a NAT.
    public static final String HOME = "home";

    /// The site in the open.
    public static final String MIDDLE = "middle";

    /// Every kind, as a site of its name.
    public static final List<Site> KINDS =
            Stream.concat(
                            Stream.of(Kind.values()).map(kind -> Site.of(name(kind), kind)),
                            Stream.of(
                                    Site.of("double", Kind.NAT).behind(Kind.NAT),
                                    Site.of("six", Kind.FIREWALL).family(Family.IPV6),
                                    Site.of("dual", Kind.NAT).family(Family.DUAL)))
                    .map(site -> site.hosts(1))
                    .toList();

    static String name(Kind kind) {
        return kind.toString().replace("-", "");
    }

    /// The same site under another name.
    static Site called(String name, Site site) {
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
        sites.add(Site.of(MIDDLE, Kind.OPEN).family(Family.DUAL));
        sites.add(Site.of(HOME, Kind.NAT));
        return Network.of(sites.toArray(Site[]::new));
    }
}
