package org.ibidem.lab.net.plan;

import java.util.Locale;

/// What stands between a site's hosts and the others.
///
/// NATs behave as RFC 4787 and RFC 5382 name it; all of them and the firewalls let answers in, and
/// forget a connection they have seen no packet of for a while. Nothing gets in by a connection
/// they have forgotten, or were not there to see begin.
public enum Kind {
    /// Nothing: public addresses, everybody gets in.
    OPEN(false),

    /// A stateful firewall that drops what does not belong to a connection from inside.
    FIREWALL(false),

    /// The same, answering TCP with a reset and the rest with an ICMP error.
    REJECTING(false),

    /// A firewall that drops each SYN from outside, even one of a connection that began inside: so
    /// the one that crosses ours in a simultaneous open.
    STRICT(false),

    /// A NAT that keeps the port where it is free, with the firewall's filter.
    NAT(true),

    /// A NAT that maps one inside port to one outside port whoever is spoken to, but to which one
    /// cannot be known beforehand; with the firewall's filter.
    NAT_RANDOM(true),

    /// A NAT that takes a new unpredictable port for each one spoken to; with the filter.
    NAT_SYMMETRIC(true),

    /// A NAT that keeps the port and filters nothing itself: what it has no mapping for it takes to
    /// be for itself, and refuses.
    NAT_UNFILTERED(true),

    /// Nothing gets out or in but through a proxy on the gateway.
    SEVERE(false);

    private final boolean translates;

    Kind(boolean translates) {
        this.translates = translates;
    }

    /// Is it a NAT? IPv4 addresses only are translated.
    public boolean translates() {
        return translates;
    }

    /// Have its hosts private IPv4 addresses?
    public boolean isPrivate() {
        return translates || this == SEVERE;
    }

    /// As people write it: `nat-random`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
