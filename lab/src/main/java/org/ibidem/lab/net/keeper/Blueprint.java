package org.ibidem.lab.net.keeper;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ibidem.lab.net.plan.Addresses;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;

/// What has to be built for a network: machines, cables between them, and which machine gets which
/// device of the emulator.
///
/// ```
/// emulator ── wan [home-isp] lan ── wan [home] lan ┬─ eth0 [home1]
///                                                  └─ eth0 [home2]
/// ```
final class Blueprint {
    /// The device towards the others.
    static final String WAN = "wan";

    /// The device towards the hosts.
    static final String LAN = "lan";

    private static final String MIDDLE_GATEWAY = ".1";
    private static final String MIDDLE_INNER = ".2";

    /// The kernel's own congestion control may be one that hides loss. It may forbid others to a
    /// network that is not its first, but not to a route.
    private static final String CUBIC = " congctl cubic";

    /// Two machines and the devices that a cable gives them.
    ///
    /// @param one a gateway
    /// @param oneDevice its device
    /// @param other the machine behind it
    /// @param otherDevice its device
    record Cable(String one, String oneDevice, String other, String otherDevice) {}

    private final Network network;
    private final Addresses addresses;
    private final List<Space> spaces = new ArrayList<>();
    private final List<Cable> cables = new ArrayList<>();
    private final Set<String> gateways = new HashSet<>();

    Blueprint(Network network) {
        this.network = network;
        this.addresses = new Addresses(network);
        network.sites().forEach(this::add);
    }

    List<Space> spaces() {
        return spaces;
    }

    List<Cable> cables() {
        return cables;
    }

    /// The machines at the ends of the cables: they are to be ready before the gateways.
    List<Space> hosts() {
        return spaces.stream().filter(space -> !gateways.contains(space.name())).toList();
    }

    List<Space> gateways() {
        return spaces.stream().filter(space -> gateways.contains(space.name())).toList();
    }

    /// The machine that has the emulator's device of each site, in their order.
    List<String> outermost() {
        return network.sites().stream().map(site -> site.gatewayNames().getFirst()).toList();
    }

    private void add(Site site) {
        gateways.addAll(site.gatewayNames());
        var outer = site.behind();
        if (outer != null) {
            spaces.add(provider(site, outer));
            cables.add(new Cable(site.name() + "-isp", LAN, site.name(), WAN));
        }
        spaces.add(gateway(site));
        for (var host : site.hostNames()) {
            spaces.add(host(site, host));
            cables.add(new Cable(site.name(), port(host, site), host, "eth0"));
        }
    }

    /// The gateway's end of a host's cable.
    private static String port(String host, Site site) {
        return "port" + host.substring(site.name().length());
    }

    private Space gateway(Site site) {
        var draft = new Space.Draft(site.name());
        forward(draft, site);
        draft.ip("link add " + LAN + " type bridge forward_delay 0");
        for (var host : site.hostNames()) {
            draft.awaited(port(host, site));
            draft.ip("link set " + port(host, site) + " master " + LAN);
        }
        // Now that its ports are up: a bridge that comes up before them drops everything until the
        // kernel looks again, which it does once a second.
        draft.ip("link set " + LAN + " up");
        if (site.family().four()) {
            draft.ip("addr add " + addresses.inside4(site) + ".254/24 dev " + LAN);
        }
        if (site.family().six()) {
            draft.ip("addr add " + addresses.inside6(site) + "::1/64 dev " + LAN + " nodad");
        }
        if (site.behind() == null) {
            toTheWorld(draft, site);
        } else {
            toTheProvider(draft, site);
        }
        return draft.rules(Rules.of(site, site.kind())).done();
    }

    /// The gateway in front of the gateway.
    private Space provider(Site site, Kind kind) {
        var draft = new Space.Draft(site.name() + "-isp");
        forward(draft, site);
        var middle4 = addresses.middle4(site);
        var middle6 = addresses.middle6(site);
        draft.ip("link set " + LAN + " up");
        draft.ip("addr add " + middle4 + MIDDLE_GATEWAY + "/24 dev " + LAN);
        if (site.family().six()) {
            draft.ip("addr add " + middle6 + "::1/64 dev " + LAN + " nodad");
            draft.ip("route add " + addresses.inside6(site) + "::/64 via " + middle6 + "::2");
        }
        toTheWorld(draft, site);
        return draft.rules(Rules.of(site, kind)).done();
    }

    private void toTheWorld(Space.Draft draft, Site site) {
        for (var address : addresses.outside(site)) {
            boolean six = address.indexOf(':') >= 0;
            draft.ip("addr add " + address + (six ? "/128" : "/32") + " dev " + WAN);
        }
        // What the emulator lags behind waits here.
        draft.ip("link set " + WAN + " up mtu 1500 txqueuelen 2000");
        if (site.family().four()) {
            draft.ip("route add default dev " + WAN);
        }
        if (site.family().six()) {
            draft.ip("route add ::/0 dev " + WAN);
        }
    }

    private void toTheProvider(Space.Draft draft, Site site) {
        var middle4 = addresses.middle4(site);
        draft.ip("link set " + WAN + " up");
        draft.ip("addr add " + middle4 + MIDDLE_INNER + "/24 dev " + WAN);
        draft.ip("route add default via " + middle4 + MIDDLE_GATEWAY);
        if (site.family().six()) {
            draft.ip("addr add " + addresses.middle6(site) + "::2/64 dev " + WAN + " nodad");
            draft.ip("route add ::/0 via " + addresses.middle6(site) + "::1");
        }
    }

    private static void forward(Space.Draft draft, Site site) {
        draft.kernel("ipv4/ip_forward", 1)
                .kernel("ipv6/conf/all/forwarding", 1)
                .kernel("ipv4/conf/all/rp_filter", 0)
                .kernel("ipv4/conf/default/rp_filter", 0)
                // Bridged frames are no business of the filter between the sites.
                .kernel("bridge/bridge-nf-call-iptables", 0)
                .kernel("bridge/bridge-nf-call-ip6tables", 0)
                // A connection whose beginning the gateway has not seen is none: with the kernel's
                // default it would take up a forgotten one where it is.
                .kernel("netfilter/nf_conntrack_tcp_loose", 0)
                .kernel("ipv6/conf/wan/addr_gen_mode", 1);
        if (!site.family().six()) {
            draft.kernel("ipv6/conf/wan/disable_ipv6", 1);
        }
        if (site.idle() != null) {
            draft.kernel("netfilter/nf_conntrack_tcp_timeout_established", site.idle().toSeconds());
        }
    }

    private Space host(Site site, String name) {
        var draft = new Space.Draft(name);
        draft.ip("link set eth0 up");
        for (var address : addresses.of(name)) {
            boolean six = address.indexOf(':') >= 0;
            draft.ip("addr add " + address + (six ? "/64 dev eth0 nodad" : "/24 dev eth0"));
        }
        if (site.family().four()) {
            draft.ip("route add default via " + addresses.inside4(site) + ".254" + CUBIC);
        }
        if (site.family().six()) {
            draft.ip("route add ::/0 via " + addresses.inside6(site) + "::1" + CUBIC);
        }
        return draft
                // What one connection learned of a line shall not change the next.
                .kernel("ipv4/tcp_no_metrics_save", 1)
                .kernel("ipv6/conf/all/accept_ra", 0)
                .kernel("ipv6/conf/default/accept_ra", 0)
                .kernel("ipv6/conf/all/accept_dad", 0)
                .done();
    }
}
