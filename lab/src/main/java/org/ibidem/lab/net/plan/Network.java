package org.ibidem.lab.net.plan;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Sites, and the lines between them. Immutable: each method gives a changed copy.
///
/// ```java
/// var network =
///         Network.of(Site.of("home", NAT), Site.of("office", FIREWALL), Site.of("hub", OPEN))
///                 .lines("delay=10ms")
///                 .line("home", "rate=20mbit queue=64k")
///                 .line("home-office", "delay=40ms loss=0.1%");
/// ```
///
/// A packet travels the line up from its site, the line between the two sites, and the line down to
/// the other. What all of a site share (a bottleneck) is set on its lines up and down.
///
/// @param sites the sites, numbered from 1 in this order
/// @param settings what was set on which [Way]s, in order
/// @param seed of the losses and the jitter
public record Network(List<Site> sites, Map<Way, Line> settings, long seed)
        implements Serializable {

    /// What lies between two sites when nobody says otherwise: 5 ms each way.
    public static final Line BETWEEN = Line.of("delay=5ms");

    private static final int MOST_SITES = 200;

    /// Checks the names.
    public Network {
        sites = List.copyOf(sites);
        // In order, and serializable.
        settings = new LinkedHashMap<>(settings);
        if (sites.isEmpty() || sites.size() > MOST_SITES) {
            throw new IllegalArgumentException("a network has 1 to 200 sites");
        }
        var names = new HashSet<String>();
        for (var site : sites) {
            for (var name : all(site)) {
                if (!names.add(name)) {
                    throw new IllegalArgumentException("two in this network are called " + name);
                }
            }
        }
    }

    /// These sites, 5 ms from each other.
    public static Network of(Site... sites) {
        return new Network(List.of(sites), Map.of(), 1);
    }

    /// With these settings on each way between two sites.
    public Network lines(String text) {
        return line("*-*", text);
    }

    /// With these settings on some ways, written as in [Way#parse] and [Line#of].
    ///
    /// @throws IllegalArgumentException that says what is wrong
    public Network line(String ways, String text) {
        var changed = new LinkedHashMap<>(settings);
        for (var way : Way.parse(ways, siteNames())) {
            changed.put(way, line(way).with(text));
        }
        return new Network(sites, changed, seed);
    }

    /// With other losses and jitter.
    public Network seed(long other) {
        return new Network(sites, settings, other);
    }

    /// What one direction of a way is set to.
    public Line line(Way way) {
        var set = settings.get(way);
        return set != null ? set : way.isShared() ? Line.IDEAL : BETWEEN;
    }

    /// The names of the sites, in order.
    public List<String> siteNames() {
        return sites.stream().map(Site::name).toList();
    }

    /// The site of this name.
    ///
    /// @throws IllegalArgumentException when there is none
    public Site site(String name) {
        return sites.get(number(name) - 1);
    }

    /// The number of the site of this name; 0 for the middle, whose name is empty.
    ///
    /// @throws IllegalArgumentException when there is none
    public int number(String name) {
        if (name.isEmpty()) {
            return 0;
        }
        int at = siteNames().indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "there is no site '" + name + "': there are " + siteNames());
        }
        return at + 1;
    }

    /// The site that a host or a gateway belongs to.
    ///
    /// @throws IllegalArgumentException when there is no such host
    public Site siteOf(String host) {
        return sites.stream()
                .filter(site -> all(site).contains(host))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "there is no host '"
                                        + host
                                        + "': there are "
                                        + sites.stream()
                                                .flatMap(site -> all(site).stream())
                                                .toList()));
    }

    private static List<String> all(Site site) {
        var names = new ArrayList<>(site.gatewayNames());
        names.addAll(site.hostNames());
        return names;
    }
}
