package org.ibidem.filter.tls;

import java.io.IOException;
import org.ibidem.link.Credentials;
import org.ibidem.link.ForwardedLower;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;

/// A lower whose ends have keys, and come from a handshake.
public final class Keyed extends ForwardedLower {
    private final Credentials credentials;
    private final String key;
    private final byte[] said;

    /// Over this one.
    public Keyed(Lower below, Credentials credentials, String key, byte[] said) {
        super(below);
        this.credentials = credentials;
        this.key = key;
        this.said = said;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public StreamPath stream() throws IOException {
        return below().stream();
    }

    @Override
    public byte[] said() {
        return said;
    }

    @Override
    public Credentials credentials() {
        return credentials;
    }
}
