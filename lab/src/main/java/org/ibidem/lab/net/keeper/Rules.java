package org.ibidem.lab.net.keeper;

import static org.ibidem.lab.net.keeper.Blueprint.WAN;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Proxy;
import org.ibidem.lab.net.plan.Site;

/// What makes a gateway the kind it is: rules for nft.
final class Rules {
    private static final String SYN_FROM_OUTSIDE =
            "iifname \"" + WAN + "\" tcp flags & (syn | ack) == syn drop";
    private static final String FROM_OUTSIDE = "iifname \"" + WAN + "\" ";

    /// Where the kernel takes ports from for who asks for none.
    private static final String FREE_PORTS = "32768-60999";

    private Rules() {}

    static String of(Site site, Kind kind) {
        var chains = new ArrayList<String>();
        if (kind != Kind.OPEN) {
            chains.add(chain("forward", "filter hook forward priority 0", forward(kind)));
        }
        if (kind != Kind.OPEN && kind != Kind.NAT_UNFILTERED) {
            chains.add(chain("input", "filter hook input priority 0", input(site, kind)));
        }
        if (kind.translates()) {
            chains.add(
                    chain(
                            "leave",
                            "nat hook postrouting priority 100",
                            List.of(
                                    "meta nfproto ipv4 oifname \""
                                            + WAN
                                            + "\" "
                                            + masquerade(kind))));
        }
        return chains.isEmpty() ? "" : "table inet site {\n" + String.join("", chains) + "}\n";
    }

    private static String chain(String name, String place, List<String> rules) {
        return " chain "
                + name
                + " {\n  type "
                + place
                + "; policy accept;\n  "
                + String.join("\n  ", rules)
                + "\n }\n";
    }

    private static List<String> forward(Kind kind) {
        var rules = new ArrayList<String>();
        if (kind == Kind.SEVERE) {
            return List.of("oifname \"" + WAN + "\" drop", FROM_OUTSIDE + "drop");
        }
        if (kind == Kind.STRICT) {
            rules.add(SYN_FROM_OUTSIDE);
        }
        rules.add("ct state established,related accept");
        // A NAT would let it out with its private address.
        rules.add("ct state invalid drop");
        if (kind != Kind.NAT_UNFILTERED) {
            refuse(kind, rules);
        }
        return rules;
    }

    private static List<String> input(Site site, Kind kind) {
        var rules = new ArrayList<String>();
        rules.add("ct state established,related accept");
        rules.add("icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept");
        // The door a proxy opens for BIND.
        if (site.proxies().stream().anyMatch(Proxy::bind)) {
            rules.add(FROM_OUTSIDE + "tcp dport " + FREE_PORTS + " accept");
        }
        refuse(kind, rules);
        return rules;
    }

    private static void refuse(Kind kind, List<String> rules) {
        if (kind == Kind.REJECTING) {
            rules.add(FROM_OUTSIDE + "meta l4proto tcp reject with tcp reset");
            rules.add(FROM_OUTSIDE + "reject with icmpx admin-prohibited");
        } else {
            rules.add(FROM_OUTSIDE + "drop");
        }
    }

    private static String masquerade(Kind kind) {
        return switch (kind) {
            // Out of a range in which the inside port is not, the kernel takes any, and the same
            // for whoever is spoken to.
            case NAT_RANDOM -> "meta l4proto { tcp, udp } masquerade to :20000-29999";
            case NAT_SYMMETRIC -> "masquerade fully-random";
            default -> "masquerade";
        };
    }
}
