package org.ibidem.peer;

import java.util.Optional;

/// What a connection is for; the code travels, the meaning of a code never changes.
public enum Purpose {
    /// A node's connection to its hub that carries nothing else than what they say.
    BOOTSTRAP(1),
    /// The control channel between two nodes.
    SERVICE(2),
    /// A link that carries messages of ports.
    DATA(3),
    /// A node's connection to its hub that carries its routed streams too.
    ROUTED(4),
    /// A connection between nodes that is only made to see whether it can be.
    TRIAL(5),
    /// A connection between nodes whose streams are links of theirs.
    SHARED(6),
    /// A link that carries messages of ports, over a path of datagrams.
    DATAGRAMS(7),
    /// A connection to a hub of who invites somebody into a pool, or of who has been given a code.
    INVITATION(8);

    private final int code;

    Purpose(int code) {
        this.code = code;
    }

    /// Whether it carries data of programs.
    public boolean carriesData() {
        return this == DATA || this == DATAGRAMS;
    }

    /// Whether it leads to a hub.
    public boolean toHub() {
        return this == BOOTSTRAP || this == ROUTED || this == INVITATION;
    }

    /// Whether it carries what nodes and hubs say to each other.
    public boolean isControl() {
        return this == SERVICE || toHub();
    }

    /// Whether it is for paths of datagrams, and for no others.
    public boolean byDatagrams() {
        return this == DATAGRAMS;
    }

    /// The number on the wire, 1 to 255.
    public int code() {
        return code;
    }

    /// The purpose with this number, if it is known here.
    public static Optional<Purpose> of(int code) {
        for (var purpose : values()) {
            if (purpose.code == code) {
                return Optional.of(purpose);
            }
        }
        return Optional.empty();
    }
}
