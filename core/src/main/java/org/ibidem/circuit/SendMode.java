package org.ibidem.circuit;

/// When a piece of a message is read that is packed (Madeleine's send modes).
public enum SendMode {
    /// By the time [Packing#pack] returns: the piece may be changed then.
    SAFER,

    /// When the message ends: what the piece holds then is sent.
    LATER,

    /// At some time between the two, whichever costs least: the piece must stay as it is until the
    /// message ends.
    CHEAPER
}
