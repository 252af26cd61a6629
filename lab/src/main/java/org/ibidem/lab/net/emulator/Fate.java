package org.ibidem.lab.net.emulator;

/// What became of a packet.
public enum Fate {
    /// It is still on its way.
    TRAVELLING(0),
    /// It arrived at the other site.
    DELIVERED(1),
    /// A line lost it, by its loss.
    LOST(2),
    /// A line's queue was full.
    OVERFLOWED(3),
    /// Nobody has the address it goes to.
    UNROUTABLE(4),
    /// It carries a sender's address that is not the site's: a private address got out.
    FOREIGN(5),
    /// There was no room for more packets under way.
    CROWDED(6);

    private static final Fate[] BY_CODE = values();

    private final int code;

    Fate(int code) {
        this.code = code;
    }

    /// Its number in records: the place where it stands here.
    int code() {
        return code;
    }

    static Fate of(int code) {
        return BY_CODE[code];
    }
}
