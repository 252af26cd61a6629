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

    /// Firewalls that let only out.
    public enum Firewalls {
        /// None before the end that is connected to.
        NONE,
        /// One, before the end that asks for the connection.
        OURS,
        /// Before both ends.
        BOTH
    }

    /// Translation of addresses.
    public enum Nat {
        /// Only before the end that dials.
        CLIENT,
        /// Before both ends, where the outside port can be learned.
        LEARNABLE,
        /// Of all kinds.
        ANY
    }
}
