package org.ibidem.circuit;

/// When a piece of a message is there that is unpacked (Madeleine's receive modes).
public enum ReceiveMode {
    /// When [Unpacking#unpack] returns, so that what follows may depend on it.
    EXPRESS,

    /// When the message ends.
    CHEAPER
}
