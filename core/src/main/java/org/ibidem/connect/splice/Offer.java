package org.ibidem.connect.splice;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Candidates;

/// What each end tells the other: the addresses at which its port may be met. Format:
/// `docs/wire/splice.md`.
///
/// ```
/// | version u8 | count u16 | count × ( 4 or 6, u8 | address, 4 or 16 bytes | port u16 ) |
/// ```
///
/// @param addresses resolved, best first
record Offer(List<InetSocketAddress> addresses) {
    private static final int VERSION = 1;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int MOST_BYTES = 3 + Candidates.MOST * 19;

    Offer {
        addresses = List.copyOf(addresses);
    }

    byte[] encode() {
        var out = new ControlWriter(MOST_BYTES);
        out.u8(VERSION).count(addresses.size(), Candidates.MOST);
        for (var each : addresses) {
            var bytes = each.getAddress().getAddress();
            out.u8(bytes.length == IPV4 ? IPV4 : IPV6).raw(bytes).u16(each.getPort());
        }
        return out.toBytes();
    }

    /// @throws Malformed when it is none
    static Offer decode(byte[] message) {
        var in = new ControlReader(message);
        int version = in.u8("version");
        if (version != VERSION) {
            throw in.bad("version", "version " + version + " is not known here, only " + VERSION);
        }
        var addresses = new ArrayList<InetSocketAddress>();
        for (int left = in.count("addresses", Candidates.MOST); left > 0; left--) {
            addresses.add(address(in));
        }
        in.end();
        return new Offer(addresses);
    }

    private static InetSocketAddress address(ControlReader in) {
        int family = in.u8("family");
        if (family != IPV4 && family != IPV6) {
            throw in.bad("family", "an address is of family 4 or 6, not " + family);
        }
        var bytes = in.raw("address", family == IPV4 ? 4 : 16);
        int port = in.u16("port");
        if (port == 0) {
            throw in.bad("port", "nobody is at port 0");
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes", e);
        }
    }
}
