package org.ibidem.port;

import org.ibidem.IbidemException;

/// A message that had a time limit found no room for its next part in time. It is to be closed,
/// which gives it up: its receivers are told if they have got a part.
public final class WriteTimedOut extends IbidemException {
    private static final long serialVersionUID = 1L;

    WriteTimedOut(String port) {
        super(
                port
                        + " had no room for the whole message in time: its receiver does not keep"
                        + " up, or is stopped; the message is given up");
    }
}
