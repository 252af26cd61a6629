package org.ibidem.connect.reverse;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.AddressCoding;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.Prelude;

/// "Connect to me there, and say this first." Format: `docs/wire/reverse.md`.
///
/// ```
/// | version u8 | token 16 | count u16 | count addresses, as in AddressCoding |
/// ```
///
/// @param greeting what the connection begins with
/// @param addresses resolved, best first
record Request(Prelude.Turn greeting, List<InetSocketAddress> addresses) {
    private static final int VERSION = 1;
    private static final int MOST_BYTES =
            3 + Prelude.TOKEN_BYTES + Candidates.MOST * AddressCoding.MOST_BYTES;

    Request {
        addresses = List.copyOf(addresses);
    }

    byte[] encode() {
        var out = new ControlWriter(MOST_BYTES).u8(VERSION).raw(greeting.token());
        out.count(addresses.size(), Candidates.MOST);
        addresses.forEach(each -> AddressCoding.write(out, each));
        return out.toBytes();
    }

    /// @throws Malformed when it is none
    static Request decode(byte[] message) {
        var in = new ControlReader(message);
        int version = in.u8("version");
        if (version != VERSION) {
            throw in.bad("version", "version " + version + " is not known here, only " + VERSION);
        }
        var token = in.raw("token", Prelude.TOKEN_BYTES);
        var addresses = new ArrayList<InetSocketAddress>();
        for (int left = in.count("addresses", Candidates.MOST); left > 0; left--) {
            var address = AddressCoding.read(in);
            if (address == null) {
                throw in.bad("family", "each of these is an address");
            }
            addresses.add(address);
        }
        in.end();
        return new Request(new Prelude.Turn(token), addresses);
    }
}
