package org.ibidem.port;

/// Tells a program of connections that are over: by its upcall, when it asks, or by an exception of
/// the next receive.
///
/// @param downcalls what is kept until it asks
record Losses(ReceivePort port, Downcalls downcalls) {
    /// Lets go of a connection, and tells the program where it asked to be told: what it has to ask
    /// for is there in the moment when the connection is gone, and it is called after that.
    ///
    /// @param gone lets go in the program's eyes
    /// @param letGo lets go
    /// @return false: it did not ask
    boolean tell(Lost<Origin> loss, Runnable gone, Runnable letGo) {
        boolean kept = !port.upcalls().tellLosses() && downcalls.lost(loss, gone);
        letGo.run();
        return kept || port.upcalls().lost(loss);
    }

    /// A connection broke before it was there, and its sender had used it.
    void neverCame(Origin origin, String why) {
        var loss = new Lost<>(origin, true, why);
        if (!tell(loss, () -> {}, () -> {})) {
            downcalls.throwLater(
                    new ConnectionLost(
                            "the connection from "
                                    + origin
                                    + " is lost, before anything of it came: "
                                    + why));
        }
        port.troubled();
    }
}
