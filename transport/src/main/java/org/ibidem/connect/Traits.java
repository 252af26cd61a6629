package org.ibidem.connect;

/// What a method can do: the table of methods of Denis, Aumage, Hofman, Verstoep, Kielmann and Bal,
/// "Wide-area communication for grids" (HPDC 2004, table 1).
///
/// @param firewalls past which it gets
/// @param nat past which it gets
/// @param bootstrap can it be used when nothing reaches the peer yet?
/// @param nativeTcp is the connection one of TCP, with which every filter can be used?
/// @param relayed does somebody between carry all the bytes?
/// @param brokered must both ends agree first?
public record Traits(
        Firewalls firewalls,
        Nat nat,
        boolean bootstrap,
        boolean nativeTcp,
        boolean relayed,
        boolean brokered) {

    /// In plain words, in the order of the table.
    public String inWords() {
        var passes =
                switch (firewalls) {
                    case NONE -> "past no firewall in front of the peer";
                    case OURS -> "past a firewall in front of the connecting node";
                    case PEERS -> "past a firewall in front of the peer";
                    case BOTH -> "past firewalls in front of both";
                };
        var translated =
                switch (nat) {
                    case CLIENT -> "a NAT in front of the connecting node";
                    case SERVER -> "a NAT in front of the peer";
                    case LEARNABLE -> "NATs whose ports can be foreseen";
                    case ANY -> "NATs of all kinds";
                };
        return passes
                + "; "
                + translated
                + (bootstrap ? "; needs no other connection" : "; not for the first connection")
                + (nativeTcp ? "; native TCP" : "; no native TCP")
                + (relayed ? "; relayed" : "; not relayed")
                + (brokered ? "; both ends must agree first" : "; nothing to agree on first");
    }

    /// Firewalls that let only out.
    public enum Firewalls {
        /// None before the end that is connected to.
        NONE,
        /// One, before the end that asks for the connection.
        OURS,
        /// One, before the end that is asked.
        PEERS,
        /// Before both ends.
        BOTH
    }

    /// Translation of addresses.
    public enum Nat {
        /// Only before the end that asks for the connection.
        CLIENT,
        /// Only before the end that is asked.
        SERVER,
        /// Before both ends, where the outside port can be learned.
        LEARNABLE,
        /// Of all kinds.
        ANY
    }
}
