package org.ibidem.link.udp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.ibidem.lab.fuzz.Never;

/// Packets from anybody, and from one who has a path: they are taken or dropped, and what is kept
/// of them is bounded.
///
/// Each packet is a byte with its length in units of 8 bytes and, in its lowest bit, whether it is
/// sent to the path that is there, and as many bytes.
public final class UdpFuzz {
    private static final InetSocketAddress FROM =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
    private static final int TO = 8;
    private static final int MOST_KEPT = 1 << 20;
    private static final ArrayDeque<UdpPath> VISITORS = new ArrayDeque<>();
    private static final UdpSocket SOCKET = open();

    private UdpFuzz() {}

    private static UdpSocket open() {
        try {
            return UdpSocket.open(false, new Never(), VISITORS::add);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        var path = SOCKET.begin(FROM);
        for (int at = 0; at < input.length; ) {
            int head = input[at++] & 0xff;
            int end = Math.min(input.length, at + (head >> 1) * Long.BYTES);
            var packet = Arrays.copyOfRange(input, at, end);
            if ((head & 1) != 0 && packet.length >= TO + Long.BYTES) {
                ByteBuffer.wrap(packet).putLong(TO, Long.reverseBytes(path.number()));
            }
            SOCKET.take(ByteBuffer.wrap(packet), FROM);
            at = end;
        }
        drain(path);
        path.close();
        while (!VISITORS.isEmpty()) {
            VISITORS.remove().close();
        }
    }

    private static void drain(UdpPath path) {
        var into = ByteBuffer.allocate(path.largest());
        long kept = 0;
        try {
            for (int got = path.read(into); got >= 0; got = path.read(into.clear())) {
                kept += got;
            }
        } catch (IOException _) {
            // it was said to be over
        }
        if (kept > MOST_KEPT) {
            throw new AssertionError(kept + " bytes were kept");
        }
    }
}
