package org.ibidem.link.udp;

/// What may be sent to an address that has not proved yet that it hears: three times what came from
/// there (RFC 9000, section 8.1). Otherwise whoever writes another's address into one datagram
/// would have many sent to it.
final class Allowance {
    private static final int TIMES = 3;

    private long left;
    private volatile boolean proved;

    /// @param proved the address needs no proof, as this end has chosen it
    Allowance(boolean proved) {
        this.proved = proved;
    }

    /// A packet has come from there.
    synchronized void came(int bytes) {
        if (!proved) {
            left += (long) TIMES * bytes;
        }
    }

    /// The other end has named what was sent to it alone: all may be sent from now on.
    ///
    /// @return whether this is new
    synchronized boolean prove() {
        boolean before = proved;
        proved = true;
        return !before;
    }

    /// Asks whether a packet may be sent, and counts it.
    boolean take(int bytes) {
        return proved || takeUnproved(bytes);
    }

    private synchronized boolean takeUnproved(int bytes) {
        boolean enough = left >= bytes;
        if (enough) {
            left -= bytes;
        }
        return enough;
    }
}
