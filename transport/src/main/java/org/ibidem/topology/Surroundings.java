package org.ibidem.topology;

import java.util.List;
import java.util.stream.Collectors;

/// What a node knows of the network it is in. It says so when somebody asks; it may have changed
/// since, so whoever hears it may go by it, and must not rely on it.
///
/// @param location where it is
/// @param interfaces its addresses, as in [org.ibidem.topology.Contact] without loopback and
///   link-local ones; at most [#MOST_INTERFACES]
/// @param egress how its connections get out
/// @param declared where that was declared, such as `ibidem.egress.home (line 3 of c)`; empty: it
///   was found
/// @param seen the address its connection to the hub comes from, as `host:port`, or empty
/// @param proxies those it knows of, without passwords; at most [#MOST_PROXIES]
public record Surroundings(
        Location location,
        List<Interface> interfaces,
        Egress egress,
        String declared,
        String seen,
        List<String> proxies) {
    /// Interfaces in one of these, at most.
    public static final int MOST_INTERFACES = 32;

    /// Proxies in one of these, at most.
    public static final int MOST_PROXIES = 16;

    /// Keeps its own copies.
    public Surroundings {
        interfaces = List.copyOf(interfaces);
        proxies = List.copyOf(proxies);
    }

    /// An address of a network interface.
    ///
    /// @param name of the interface, such as `eth0`
    /// @param subnet its address, and how much of it is the network's
    public record Interface(String name, Subnet subnet) {
        @Override
        public String toString() {
            return name + " " + subnet;
        }
    }

    /// In plain words, one line for each thing.
    public List<String> inWords() {
        return List.of(
                "location    " + location,
                "interfaces  " + listed(interfaces),
                "way out     "
                        + egress.meaning()
                        + (declared.isEmpty() ? "" : ", as declared by " + declared),
                "seen from   " + (seen.isEmpty() ? "not known" : seen),
                "proxies     " + listed(proxies));
    }

    private static String listed(List<?> things) {
        return things.isEmpty()
                ? "none"
                : things.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
