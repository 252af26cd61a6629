package org.ibidem.connect;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.jspecify.annotations.Nullable;

/// How methods write addresses to each other.
///
/// ```
/// | family u8: 4 or 6 | address, 4 or 16 bytes | port u16 |      0 alone: no address
/// ```
public final class AddressCoding {
    /// The most bytes one takes.
    public static final int MOST_BYTES = 19;

    private static final int NONE = 0;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    private AddressCoding() {}

    /// Writes a resolved address, or that there is none.
    public static void write(ControlWriter out, @Nullable InetSocketAddress address) {
        if (address == null) {
            out.u8(NONE);
            return;
        }
        var bytes = address.getAddress().getAddress();
        out.u8(bytes.length == Integer.BYTES ? IPV4 : IPV6).raw(bytes).u16(address.getPort());
    }

    /// Reads one, or null.
    ///
    /// @throws org.ibidem.buffer.Malformed when there is none
    public static @Nullable InetSocketAddress read(ControlReader in) {
        int family = in.u8("family");
        if (family == NONE) {
            return null;
        }
        if (family != IPV4 && family != IPV6) {
            throw in.bad("family", "an address is of family 4 or 6, not " + family);
        }
        var bytes = in.raw("address", family == IPV4 ? 4 : 16);
        int port = in.u16("port");
        if (port == 0) {
            throw in.bad("port", "nobody is at port 0");
        }
        try {
            var address = InetAddress.getByAddress(bytes);
            if (family == IPV6 && address instanceof Inet4Address) {
                throw in.bad("address", "an IPv4 address is of family 4");
            }
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes", e);
        }
    }
}
