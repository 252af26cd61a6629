package org.ibidem.identity;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import org.ibidem.link.Path;
import org.ibidem.link.StreamPath;
import org.jspecify.annotations.Nullable;

/// What an end of a connection shows beside its key, in a pool that has an authority.
///
/// @param local its own address on this connection, as it sees it; empty where there is none, or
///   nobody needs it
/// @param certificates as [org.ibidem.trust.Chain] has them; none: nothing
public record Shown(String local, byte[] certificates) {
    /// Longest address, in bytes of UTF-8.
    public static final int LONGEST_LOCAL = 64;

    /// What is shown where nobody asks for more than a key.
    public static final Shown NOTHING = new Shown("", new byte[0]);

    @Override
    public boolean equals(Object other) {
        return other instanceof Shown that
                && local.equals(that.local)
                && Arrays.equals(certificates, that.certificates);
    }

    @Override
    public int hashCode() {
        return local.hashCode() + Arrays.hashCode(certificates);
    }

    /// The address of this end of a path.
    public static String local(@Nullable Path path) {
        var local = path instanceof StreamPath stream ? address(stream.local()) : null;
        return local == null ? "" : text(local);
    }

    /// An address without a zone, which means nothing elsewhere.
    public static String text(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }

    /// The address alone, or null where it is none.
    public static @Nullable InetAddress address(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress known ? known.getAddress() : null;
    }
}
