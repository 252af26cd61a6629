package org.ibidem.handshake;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.ibidem.link.Credentials;
import org.ibidem.tls.Engines;
import org.ibidem.tls.Records;

/// Sessions of TLS for tests, as they are made behind a handshake.
final class Sessions {
    private Sessions() {}

    static Records records(Credentials credentials, boolean active) throws IOException {
        return new Records(Engines.engine(credentials, active, "control"));
    }

    /// Makes the session.
    static SealedPath shake(SealedPath path) {
        try {
            path.shake();
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
