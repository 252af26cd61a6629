package org.ibidem.peer;

import java.time.Duration;

/// The course that the data of a link takes, as this end knows it.
///
/// @param method the connect method that made its connection; [#ACCEPTED] where the peer made it;
///   empty where there is no connection, as in shared memory
/// @param remote where the other end of the connection is seen; empty where there is none
/// @param age how long ago the link was made
/// @param secrecy who can read it on the way: `tls 1.3 aes-256-gcm`, `clear: same site lyon`; empty
///   in a pool without an authority, and where there is no way
public record Course(String method, String remote, Duration age, String secrecy) {
    /// In the place of the method: the peer made the connection, and knows by which.
    public static final String ACCEPTED = "accepted";

    /// In words that follow a stack: ` by splice to 10.0.0.2:4001`.
    @Override
    public String toString() {
        if (method.isEmpty()) {
            return "";
        }
        var way =
                method.equals(ACCEPTED)
                        ? ", accepted from " + remote
                        : " by " + method + " to " + remote;
        return secrecy.isEmpty() ? way : way + ", " + secrecy;
    }
}
