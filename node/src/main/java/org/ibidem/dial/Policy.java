package org.ibidem.dial;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ibidem.config.Settings;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.Declarations.Declared;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Preferences;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What somebody has said of methods and sites, as it concerns this node and a peer.
///
/// @param me this node
/// @param preferences which methods may be used
/// @param declarations what is declared of sites
/// @param locations what a node says of where it is, or null where nobody knows
public record Policy(
        NodeId me,
        Preferences preferences,
        Declarations declarations,
        Function<NodeId, @Nullable Location> locations) {

    /// As it is set here.
    public static Policy of(
            NodeId me,
            Settings settings,
            List<ConnectMethod> methods,
            Function<NodeId, @Nullable Location> locations) {
        return new Policy(
                me,
                new Preferences(settings, methods),
                new Declarations(settings, methods),
                locations);
    }

    /// Where a peer is, or null.
    @Nullable Location place(Contact peer) {
        var addresses = peer.addresses().stream().map(InetSocketAddress::getAddress).toList();
        return declarations.place(locations.apply(peer.id()), addresses);
    }

    /// The site of a peer, if it is known and not the one where this node is; or an empty text.
    public String otherSite(Contact peer) {
        var there = place(peer);
        if (there == null || there.levels().size() < 2) {
            return ""; // the name of its host says nothing
        }
        var site = there.levels().getLast();
        var mine = here();
        return mine != null && mine.levels().getLast().equals(site) ? "" : site;
    }

    private @Nullable Location here() {
        var said = locations.apply(me);
        // The system takes its time to say which addresses there are.
        return declarations.hasSites() ? declarations.place(said, LocalAddresses.mine()) : said;
    }

    /// Why a method is not to be used towards a peer, or an empty text.
    public String whyNot(ConnectMethod method, Contact peer) {
        var there = place(peer);
        var forbidden = preferences.whyNot(method, there);
        return forbidden.isEmpty() ? declarations.whyNot(method, here(), there) : forbidden;
    }

    /// When methods are begun towards a peer, as far as that is declared.
    Map<String, Duration> costs(Contact peer) {
        return declarations.costs(here(), place(peer)).map(Declared::value).orElse(Map.of());
    }

    /// What is declared of the cost of a method towards a peer, or an empty text.
    public String cost(ConnectMethod method, Contact peer) {
        return declarations.costs(here(), place(peer)).stream()
                .filter(costs -> costs.value().containsKey(method.name()))
                .map(costs ->
                        "begins after %d ms by %s"
                                .formatted(
                                        costs.value().get(method.name()).toMillis(), costs.where()))
                .collect(Collectors.joining());
    }

    /// How this node's connections get out, if that is declared.
    public Optional<Declared<Egress>> egress() {
        return declarations.egress(here());
    }
}
