package org.ibidem.lab.bench.wrap;

/// How a program gets to the server.
///
/// @param name for people
/// @param agent whose programs go so; empty: it is not wrapped
/// @param host where it finds the server
record Way(String name, String agent, String host) {
    static final Way ALONE = new Way("as it is", "", "127.0.0.1");

    /// Wrapped, to a destination that is no node: what a program pays for being looked at.
    static final Way ELSEWHERE = new Way("wrapped, elsewhere", "direct", "127.0.0.1");

    /// To a node of this machine, by the program's own socket.
    static final Way DIRECT = new Way("wrapped, direct", "direct", "127.80.0.1");

    /// By agents, over the stack `tcp`.
    static final Way CARRIED = new Way("wrapped, carried", "carried", "127.80.0.1");

    /// The same over `tls > tcp`: as secret as what ssh carries.
    static final Way SEALED = new Way("wrapped, by tls", "sealed", "127.80.0.1");

    /// As it is, to a port that `ssh -L` carries to the server.
    static final Way TUNNEL = new Way("ssh -L", "", "127.0.0.1");

    /// As it is, by a network of WireGuard's ([Wires]).
    static final Way WIRE = new Way("wireguard-go", "", Wires.SERVER);
}
