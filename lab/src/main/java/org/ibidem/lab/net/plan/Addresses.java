package org.ibidem.lab.net.plan;

import java.util.ArrayList;
import java.util.List;

/// The addresses in a network. The blocks are set aside for documentation and benchmarks (RFC 2544,
/// 3849), so nothing here is anybody's.
///
/// All sites with private addresses have the same ones, as it is in the world: `192.168.1.11` is a
/// host in each of them.
public final class Addresses {
    /// What all private sites' inside addresses begin with.
    public static final String PRIVATE = "192.168.1";

    private static final int FIRST_HOST = 11;

    private final Network network;

    /// Of this network.
    public Addresses(Network network) {
        this.network = network;
    }

    /// The addresses of a host, or those of a gateway towards the outside.
    public List<String> of(String name) {
        var site = network.siteOf(name);
        int at = site.hostNames().indexOf(name);
        if (at < 0) {
            boolean outermost = site.gatewayNames().getFirst().equals(name);
            return outermost ? outside(site) : between(site);
        }
        var all = new ArrayList<String>();
        if (site.family().four()) {
            all.add(inside4(site) + "." + (FIRST_HOST + at));
        }
        if (site.family().six()) {
            all.add(inside6(site) + "::" + (FIRST_HOST + at));
        }
        return all;
    }

    /// Those of the inner of two gateways.
    private List<String> between(Site site) {
        var all = new ArrayList<>(List.of(middle4(site) + ".2"));
        if (site.family().six()) {
            all.add(middle6(site) + "::2");
        }
        return all;
    }

    /// The public addresses of a site's outermost gateway.
    public List<String> outside(Site site) {
        var all = new ArrayList<String>();
        if (site.family().four()) {
            all.add("198.18." + number(site) + ".1");
        }
        if (site.family().six()) {
            all.add("2001:db8:" + hexadecimal(site) + "::1");
        }
        return all;
    }

    /// The first three parts of the inside IPv4 addresses.
    public String inside4(Site site) {
        return site.kind().isPrivate() ? PRIVATE : "198.18." + number(site);
    }

    /// The first four parts of the inside IPv6 addresses.
    public String inside6(Site site) {
        return "2001:db8:" + hexadecimal(site) + ":1";
    }

    /// The first three parts of the IPv4 addresses between two gateways of a site (RFC 6598).
    public String middle4(Site site) {
        return "100.64." + number(site);
    }

    /// The same for IPv6.
    public String middle6(Site site) {
        return "2001:db8:" + hexadecimal(site) + ":2";
    }

    private int number(Site site) {
        return network.number(site.name());
    }

    private String hexadecimal(Site site) {
        return Integer.toHexString(number(site));
    }
}
