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
/// | version u8 | whole u8 | token i64 | count u16 | count addresses, as in AddressCoding |
/// ```
///
/// @param whole whether these are all; the asking end's first word may come before it knows them
/// @param token of this splice, chosen by the asking end
/// @param addresses resolved, best first
record Offer(boolean whole, long token, List<InetSocketAddress> addresses) {
    private static final int VERSION = 1;
    private static final int MOST_BYTES =
            2 * Byte.BYTES + Long.BYTES + Short.BYTES + Candidates.MOST * AddressCoding.MOST_BYTES;

    Offer {
        addresses = List.copyOf(addresses);
    }

    /// "Find out where your port may be met, as I do."
    static Offer prepare(long token) {
        return new Offer(false, token, List.of());
    }

    byte[] encode() {
        var out = new ControlWriter(MOST_BYTES);
        out.u8(VERSION).u8(whole ? 1 : 0).i64(token).count(addresses.size(), Candidates.MOST);
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
        int whole = in.u8("whole");
        if (whole > 1) {
            throw in.bad("whole", whole + " is neither 0 nor 1");
        }
        long token = in.i64("token");
        var addresses = new ArrayList<InetSocketAddress>();
        for (int left = in.count("addresses", Candidates.MOST); left > 0; left--) {
            var address = AddressCoding.read(in);
            if (address == null) {
                throw in.bad("family", "each of these is an address");
            }
            addresses.add(address);
        }
        in.end();
        return new Offer(whole == 1, token, addresses);
    }
}
