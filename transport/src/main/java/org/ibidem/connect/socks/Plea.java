package org.ibidem.connect.socks;

import java.net.InetSocketAddress;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.AddressCoding;
import org.jspecify.annotations.Nullable;

/// What one end asks of the other where a proxy has to let somebody in. Format:
/// `docs/wire/socks.md`.
///
/// ```
/// | version u8 | what u8: 1 DIAL, 2 BIND | address, as in AddressCoding |
/// ```
///
/// @param what is to be done
/// @param address of a proxy's open port, to be dialled; or null
record Plea(What what, @Nullable InetSocketAddress address) {
    private static final int VERSION = 1;
    private static final int MOST_BYTES = 2 + AddressCoding.MOST_BYTES;

    /// What is to be done.
    enum What {
        /// A proxy listens for you at this address: connect to it. The answer has no address.
        DIAL,
        /// Have a proxy of yours listen for me. The answer is where it does.
        BIND
    }

    Plea {
        if ((what == What.DIAL) != (address != null)) {
            throw new IllegalArgumentException(
                    "an address is for the dialling end, and only there");
        }
    }

    byte[] encode() {
        var out = new ControlWriter(MOST_BYTES).u8(VERSION).u8(what == What.DIAL ? 1 : 2);
        AddressCoding.write(out, address);
        return out.toBytes();
    }

    /// @throws Malformed when it is none
    static Plea decode(byte[] message) {
        var in = new ControlReader(message);
        version(in);
        int what = in.u8("what");
        if (what != 1 && what != 2) {
            throw in.bad("what", "1 to dial or 2 to bind, not " + what);
        }
        var address = AddressCoding.read(in);
        if ((what == 1) != (address != null)) {
            throw in.bad("address", "an address is for the dialling end, and only there");
        }
        in.end();
        return new Plea(what == 1 ? What.DIAL : What.BIND, address);
    }

    /// The answer: an address, or none.
    static byte[] answer(@Nullable InetSocketAddress address) {
        var out = new ControlWriter(MOST_BYTES).u8(VERSION);
        AddressCoding.write(out, address);
        return out.toBytes();
    }

    /// @throws Malformed when it is none
    static @Nullable InetSocketAddress decodeAnswer(byte[] message) {
        var in = new ControlReader(message);
        version(in);
        var address = AddressCoding.read(in);
        in.end();
        return address;
    }

    private static void version(ControlReader in) {
        int version = in.u8("version");
        if (version != VERSION) {
            throw in.bad("version", "version " + version + " is not known here, only " + VERSION);
        }
    }
}
