package org.ibidem.connect.splice;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.AddressCoding;
import org.ibidem.connect.Candidates;

/// What each end tells the other: the addresses at which its port may be met. Format:
/// `docs/wire/splice.md`.
///
/// ```
/// | version u8 | count u16 | count addresses, as in AddressCoding |
/// ```
///
/// @param addresses resolved, best first
record Offer(List<InetSocketAddress> addresses) {
    private static final int VERSION = 1;
    private static final int MOST_BYTES = 3 + Candidates.MOST * AddressCoding.MOST_BYTES;

    Offer {
        addresses = List.copyOf(addresses);
    }

    byte[] encode() {
        var out = new ControlWriter(MOST_BYTES);
        out.u8(VERSION).count(addresses.size(), Candidates.MOST);
        addresses.forEach(each -> AddressCoding.write(out, each));
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
            var address = AddressCoding.read(in);
            if (address == null) {
                throw in.bad("family", "each of these is an address");
            }
            addresses.add(address);
        }
        in.end();
        return new Offer(addresses);
    }
}
