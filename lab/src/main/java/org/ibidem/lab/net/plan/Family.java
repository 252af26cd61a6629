package org.ibidem.lab.net.plan;

/// Which addresses a site's hosts have.
public enum Family {
    /// IPv4 alone.
    IPV4,
    /// IPv6 alone.
    IPV6,
    /// Both.
    DUAL;

    /// Is there IPv4?
    public boolean four() {
        return this != IPV6;
    }

    /// Is there IPv6?
    public boolean six() {
        return this != IPV4;
    }
}
