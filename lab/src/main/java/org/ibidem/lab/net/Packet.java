package org.ibidem.lab.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.ibidem.lab.net.emulator.Fate;
import org.ibidem.lab.net.plan.Network;

/// A packet as the emulator saw it, between two gateways.
///
/// @param number in the emulator's records
/// @param sent when it came to the emulator, in nanoseconds of one clock
/// @param delivered when it was handed to the other site; 0: it was not, or not yet
/// @param fate what became of it
/// @param fromSite the site it came from
/// @param toSite the site it goes to; empty when nobody has the address
/// @param from address and port (0 where there is none) of the sender
/// @param to the same of the one it goes to
/// @param protocol 6 for TCP, 17 for UDP …
/// @param flags of TCP, as in its header; 0 for others
/// @param payload bytes behind the headers of IP and TCP or UDP
/// @param length bytes of all of it
public record Packet(
        long number,
        long sent,
        long delivered,
        Fate fate,
        String fromSite,
        String toSite,
        InetSocketAddress from,
        InetSocketAddress to,
        int protocol,
        int flags,
        int payload,
        int length) {

    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 16;

    /// Reads a record: number, sent, delivered, fate, from, to, bytes, first bytes.
    static Packet parse(String text, Network network) {
        var words = text.split(" ", -1);
        var header = ByteBuffer.wrap(HexFormat.of().parseHex(words.length > 7 ? words[7] : ""));
        int length = Integer.parseInt(words[6]);
        int version = header.remaining() < 20 ? 0 : (header.get(0) & 0xff) >> 4;
        int ip = version == 6 ? 40 : version == 4 ? 4 * (header.get(0) & 0xf) : header.remaining();
        int protocol = version == 0 ? 0 : header.get(version == 6 ? 6 : 9) & 0xff;
        boolean tcp = protocol == TCP && header.remaining() >= ip + 14;
        boolean ports = tcp || (protocol == UDP && header.remaining() >= ip + 4);
        int upper = tcp ? ((header.get(ip + 12) & 0xf0) >> 2) : protocol == UDP ? 8 : 0;
        return new Packet(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Fate.valueOf(words[3]),
                name(words[4], network),
                name(words[5], network),
                new InetSocketAddress(
                        address(header, version, 0), ports ? header.getShort(ip) & 0xffff : 0),
                new InetSocketAddress(
                        address(header, version, 1), ports ? header.getShort(ip + 2) & 0xffff : 0),
                protocol,
                tcp ? header.get(ip + 13) & 0x3f : 0,
                Math.max(0, length - ip - upper),
                length);
    }

    private static String name(String number, Network network) {
        int site = Integer.parseInt(number);
        return site == 0 || site > network.sites().size()
                ? ""
                : network.sites().get(site - 1).name();
    }

    private static InetAddress address(ByteBuffer header, int version, int which) {
        int size = version == 6 ? 16 : 4;
        var bytes = new byte[size];
        if (version != 0) {
            header.get((version == 6 ? 8 : 12) + which * size, bytes);
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of " + size + " bytes", e);
        }
    }

    /// Is it of TCP?
    public boolean isTcp() {
        return protocol == TCP;
    }

    /// Does it begin a connection: a SYN without an ACK?
    public boolean isSyn() {
        return (flags & (SYN | ACK)) == SYN;
    }

    /// Is it the answer to one that begins a connection?
    public boolean isSynAck() {
        return (flags & (SYN | ACK)) == (SYN | ACK);
    }

    /// Is it a reset?
    public boolean isReset() {
        return (flags & RST) != 0;
    }

    /// Does it say more than that something arrived: a beginning, an end, or data?
    public boolean isMeaningful() {
        return !isTcp() || payload > 0 || (flags & (SYN | FIN | RST)) != 0;
    }

    /// Did it arrive?
    public boolean arrived() {
        return fate == Fate.DELIVERED;
    }
}
