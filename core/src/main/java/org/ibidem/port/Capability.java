package org.ibidem.port;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// One thing that the ports of a type can do, or promise. The set of them is part of the
/// [PortType], so both ends know what to expect; what a port does not have costs it nothing.
public enum Capability {
    /// Messages are asked for with `receive`.
    EXPLICIT(0),
    /// `receive` takes a time limit.
    TIMED(1),
    /// `poll` looks for a message without waiting.
    POLL(2),
    /// Messages are handed to a [MessageUpcall] as they come.
    UPCALLS(3),
    /// Messages are handed to a [MessageUpcall] when the program calls `runUpcall`.
    POLLED_UPCALLS(4),
    /// The messages of one send port arrive in the order they were sent, also when it disconnects
    /// and connects again meanwhile.
    FIFO(5),
    /// Messages carry numbers, unique and increasing per send port, from 0. They arrive in that
    /// order, also when it disconnects and connects again meanwhile.
    NUMBERED(6),
    /// The numbers are unique and increasing over all send ports of the pool that have this type: a
    /// message that was begun after another one, wherever, has the higher number. Some may be
    /// missing: those of messages that were given up. It costs one question to the hub for each
    /// message, which waits for the answer; ports of one node whose messages begin at the same time
    /// ask together. Without the hub no message can begin.
    TOTAL(7),
    /// Messages arrive whole and once, or the connection breaks and says so. Without it messages
    /// may be lost; never are they torn.
    RELIABLE(8),
    /// Connections that come and go are told to a [ConnectionUpcall].
    CONNECTION_UPCALLS(9),
    /// Connections that came and went are listed when asked for, and not thrown.
    CONNECTION_DOWNCALLS(10),
    /// Reads are not checked against the writes: no tags in messages.
    UNCHECKED(11);

    private final int bit;

    Capability(int bit) {
        this.bit = bit;
    }

    /// Its bit on the wire.
    int mask() {
        return 1 << bit;
    }

    /// The capabilities of these bits, or none when there is one that this version does not know.
    static Optional<Set<Capability>> of(int bits) {
        var set = EnumSet.noneOf(Capability.class);
        int known = 0;
        for (var one : values()) {
            known |= one.mask();
            if ((bits & one.mask()) != 0) {
                set.add(one);
            }
        }
        return (bits & ~known) == 0 ? Optional.of(set) : Optional.empty();
    }

    /// In lower case, with `-` for `_`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
