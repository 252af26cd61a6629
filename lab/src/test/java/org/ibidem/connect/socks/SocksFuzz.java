package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Arrays;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.socks.ProxyAddress.Kind;
import org.ibidem.connect.socks.ProxyAddress.Login;

/// Whatever a peer or a proxy says: understood, or refused with a reason; and no more is read of a
/// proxy than it may say. The first byte says which of them speaks.
public final class SocksFuzz {
    private static final int LONGEST_HEAD = 8192;

    /// The choice of a method, its answer, and two replies with the longest names.
    private static final int LONGEST_REPLIES = 2 + 2 + 2 * 262;

    private static final InetSocketAddress TARGET =
            new InetSocketAddress(InetAddress.ofLiteral("203.0.113.5"), 1);

    private SocksFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var said = Arrays.copyOfRange(input, 1, input.length);
        try {
            switch (Math.floorMod(input[0], 6)) {
                case 0 -> same(said, Plea.decode(said).encode());
                case 1 -> same(said, Plea.answer(Plea.decodeAnswer(said)));
                default -> proxy(input[0], new Said(said));
            }
        } catch (Malformed | ProxyFailed | IOException _) {
            // as it must be
        }
    }

    private static void same(byte[] before, byte[] again) {
        if (!Arrays.equals(before, again)) {
            throw new AssertionError("became " + Arrays.toString(again));
        }
    }

    private static void proxy(int kind, Said said) throws IOException {
        var open = new ProxyAddress(Kind.SOCKS5, "proxy", 1080, null);
        switch (Math.floorMod(kind, 6)) {
            case 2 -> new Socks5(open, said).connect(TARGET);
            case 3 -> new Socks5(open.withLogin(new Login("a", "b")), said).connect(TARGET);
            case 4 -> {
                var socks = new Socks5(open, said);
                socks.bind(TARGET);
                socks.accepted();
            }
            default -> new HttpConnect(open, said.upTo(LONGEST_HEAD)).connect(TARGET);
        }
    }

    /// A channel at whose other end this was said.
    private static final class Said implements ByteChannel {
        private final ByteBuffer left;
        private int mayBeRead = LONGEST_REPLIES;

        Said(byte[] bytes) {
            left = ByteBuffer.wrap(bytes);
        }

        Said upTo(int bytes) {
            mayBeRead = bytes;
            return this;
        }

        @Override
        public int read(ByteBuffer to) {
            if (!left.hasRemaining()) {
                return -1;
            }
            int count = Math.min(left.remaining(), to.remaining());
            to.put(left.slice(left.position(), count));
            left.position(left.position() + count);
            mayBeRead -= count;
            if (mayBeRead < 0) {
                throw new AssertionError("reads on and on");
            }
            return count;
        }

        @Override
        public int write(ByteBuffer from) {
            int count = from.remaining();
            from.position(from.limit());
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to be closed
        }
    }
}
