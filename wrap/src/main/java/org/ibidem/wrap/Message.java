package org.ibidem.wrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// What a launcher and the agent tell each other; docs/wire/wrap.md has the format.
///
/// @param nonblocking whether the program does not wait in its connect
/// @param value a process, a port, or an error's number, by the kind
/// @param id of the call; 0: of none
/// @param about an address, or null
record Message(
        Kind kind, boolean nonblocking, int value, long id, @Nullable InetSocketAddress about) {
    static final int BYTES = 32;

    private static final int ADDRESS = 16;

    /// Where an address of IPv4 begins, with `ff ff`, in one of IPv6.
    private static final int MAPPED = 26;

    /// What it is.
    enum Kind {
        /// From the launcher: it is there, with the process `value`.
        HELLO(1),
        /// From the launcher: the call `id` connects to `about`.
        CONNECTS(2),
        /// From the launcher: the process `value` listens at `about`, by the call `id`, or did (0).
        LISTENS(3),
        /// From the launcher: the call's socket has the address `about` and waits for a SYN from
        /// the held address, whose port is `value`; less than 0: it does not, for this error.
        HELD(4),
        /// From the launcher: the call `id` sends datagrams to `about`, an address of a rank.
        SENDS(5),
        /// From the launcher: the process `value` receives datagrams at `about`, as above.
        BINDS(6),
        /// To the launcher: the kernel shall do what the call says.
        CONTINUE(16),
        /// To the launcher: let the call's socket connect to `about`, where nobody answers.
        HOLD(17),
        /// To the launcher: the call has ended, with the error `value`, or 0.
        DONE(18),
        /// To the launcher: the call's socket shall connect to `about`, where the other program is,
        /// from the address of the rank `value`.
        DIRECT(19);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        private static Kind of(int number) {
            for (var kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("a message of kind " + number + ", which is none");
        }
    }

    static Message to(Kind kind, long id, int value) {
        return new Message(kind, false, value, id, null);
    }

    ByteBuffer encode() {
        var bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) kind.number).put((byte) (nonblocking ? 1 : 0));
        bytes.putShort((short) (about == null ? 0 : about.getPort())).putInt(value).putLong(id);
        if (about != null) {
            var address = about.getAddress().getAddress();
            if (address.length == ADDRESS) {
                bytes.put(address);
            } else {
                bytes.position(MAPPED).putShort((short) 0xFFFF).put(address);
            }
        }
        return bytes.clear();
    }

    /// Reads one.
    ///
    /// @param bytes [#BYTES] of them
    /// @throws IllegalArgumentException when it is none
    static Message decode(ByteBuffer bytes) {
        var from = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        var kind = Kind.of(from.get() & 0xFF);
        boolean nonblocking = from.get() != 0;
        int port = from.getShort() & 0xFFFF;
        int value = from.getInt();
        long id = from.getLong();
        var address = new byte[ADDRESS];
        from.get(address);
        try { // one of IPv4 that is written as of IPv6 is one of IPv4 again
            var about = new InetSocketAddress(InetAddress.getByAddress(address), port);
            return new Message(
                    kind,
                    nonblocking,
                    value,
                    id,
                    about.getAddress().isAnyLocalAddress() && port == 0 ? null : about);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
