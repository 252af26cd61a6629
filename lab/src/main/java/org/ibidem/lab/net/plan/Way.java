package org.ibidem.lab.net.plan;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// One direction of what connects sites: from one to another, or from a site to the middle (up), or
/// from the middle to a site (down).
///
/// @param from a site's name, empty for the middle
/// @param to a site's name, empty for the middle
public record Way(String from, String to) implements Serializable {
    private static final String ALL = "*";

    /// Reads which ways are meant.
    ///
    /// ```
    /// home-office   both directions between two sites
    /// home>office   one direction
    /// home-*        home and each other; *-* all pairs
    /// home          up and down, shared by all of the site
    /// home>         up alone
    /// >home         down alone
    /// ```
    ///
    /// @param sites the names there are
    /// @throws IllegalArgumentException when nothing is meant by it
    public static List<Way> parse(String text, List<String> sites) {
        int arrow = text.indexOf('>');
        int dash = text.indexOf('-');
        if (arrow >= 0) {
            return between(text.substring(0, arrow), text.substring(arrow + 1), sites);
        }
        var ways = new ArrayList<Way>();
        if (dash >= 0) {
            var one = text.substring(0, dash);
            var other = text.substring(dash + 1);
            ways.addAll(between(one, other, sites));
            if (!one.equals(other)) {
                ways.addAll(between(other, one, sites));
            }
        } else {
            ways.addAll(between(text, "", sites));
            ways.addAll(between("", text, sites));
        }
        return ways;
    }

    private static List<Way> between(String from, String to, List<String> sites) {
        var ways = new ArrayList<Way>();
        for (var one : meant(from, sites)) {
            for (var other : meant(to, sites)) {
                if (!one.equals(other)) {
                    ways.add(new Way(one, other));
                }
            }
        }
        if (ways.isEmpty() && !from.equals(ALL) && !to.equals(ALL)) {
            throw new IllegalArgumentException(
                    "'" + from + ">" + to + "' means no way: name two different sites");
        }
        return ways;
    }

    private static List<String> meant(String name, List<String> sites) {
        if (name.equals(ALL)) {
            return sites;
        }
        if (!name.isEmpty() && !sites.contains(name)) {
            throw new IllegalArgumentException(
                    "there is no site '" + name + "': there are " + sites);
        }
        return List.of(name);
    }

    /// Is it one that all of a site share?
    public boolean isShared() {
        return from.isEmpty() || to.isEmpty();
    }

    @Override
    public String toString() {
        return from + ">" + to;
    }
}
