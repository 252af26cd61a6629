package org.ibidem.wrap;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HexFormat;

/// Where sockets of this machine receive datagrams, as the kernel's tables say (`/proc/net/udp`). A
/// socket's end is told to nobody: it is missed here.
final class OpenPorts {
    private static final Path TABLES = Path.of("/proc/net");
    private static final int ADDRESS = 8;

    private OpenPorts() {}

    /// The ports at which somebody receives, at any address.
    ///
    /// @throws IOException when there is no such table
    static BitSet ofDatagrams() throws IOException {
        var ports = new BitSet();
        for (var table : new String[] {"udp", "udp6"}) {
            if (!Files.exists(TABLES.resolve(table))) { // without IPv6 there is one
                continue;
            }
            try (var lines = Files.lines(TABLES.resolve(table))) {
                lines.skip(1).map(OpenPorts::local).forEach(local -> ports.set(port(local)));
            }
        }
        return ports;
    }

    /// Whether somebody receives at this address of IPv4 itself, and not at all of them.
    static boolean receivesAt(InetSocketAddress at) throws IOException {
        var address = ByteBuffer.wrap(at.getAddress().getAddress());
        int asItLies = address.order(ByteOrder.nativeOrder()).getInt();
        var wanted = "%08X:%04X".formatted(asItLies, at.getPort());
        try (var lines = Files.lines(TABLES.resolve("udp"))) {
            return lines.skip(1).map(OpenPorts::local).anyMatch(wanted::equals);
        }
    }

    private static String local(String line) {
        var words = line.strip().split("\\s+", 3);
        return words.length > 1 ? words[1] : "";
    }

    private static int port(String local) {
        int colon = local.indexOf(':');
        return colon < ADDRESS ? 0 : HexFormat.fromHexDigits(local, colon + 1, local.length());
    }
}
