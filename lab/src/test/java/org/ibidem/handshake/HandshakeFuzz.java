package org.ibidem.handshake;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.Arrays;
import org.ibidem.buffer.Malformed;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.lab.fuzz.Never;

/// Whatever comes, at either end: nobody is taken for proved, and only a failed handshake is
/// thrown.
///
/// The first byte says which end gets the rest.
public final class HandshakeFuzz {
    private static final Identity SELF = Identity.create();
    private static final Handshake HANDSHAKE =
            new Handshake(SELF, new Never(), Duration.ofSeconds(10));

    private HandshakeFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        seal(input);
        var channel = new Recorded(ByteBuffer.wrap(input).position(1));
        try {
            var proved =
                    input[0] % 2 == 0
                            ? HANDSHAKE.respondOver(channel, Admission.ALL)
                            : HANDSHAKE.initiateOver(channel, Hello.bootstrap("pool", null));
            throw new AssertionError("bytes without a key were taken for " + proved);
        } catch (HandshakeFailed _) {
            if (channel.isOpen()) {
                throw new AssertionError("a failed handshake left its channel open");
            }
        }
    }

    private static void seal(byte[] input) {
        try {
            var said = HandshakeMessages.readSeal(input);
            var unsigned = HandshakeMessages.unsignedSeal(said.status(), said.reason());
            var again = Arrays.copyOf(unsigned, unsigned.length + NodeKey.SIGNATURE_BYTES);
            if (!HandshakeMessages.readSeal(again).equals(said)) {
                throw new AssertionError("a seal that is read is not what it is written as");
            }
        } catch (Malformed _) {
            // as it should be
        }
    }

    private static final class Recorded implements ByteChannel {
        private final ByteBuffer input;
        private boolean open = true;

        Recorded(ByteBuffer input) {
            this.input = input;
        }

        @Override
        public int read(ByteBuffer into) {
            if (!input.hasRemaining()) {
                return -1;
            }
            int bytes = Math.min(into.remaining(), input.remaining());
            into.put(input.slice().limit(bytes));
            input.position(input.position() + bytes);
            return bytes;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int bytes = from.remaining();
            from.position(from.limit());
            return bytes;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
