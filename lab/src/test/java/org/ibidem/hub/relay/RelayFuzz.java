package org.ibidem.hub.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.lab.fuzz.Never;
import org.ibidem.topology.NodeId;

/// What two nodes send to a hub on their trunks, in pieces. Whatever comes, each of them hears
/// frames that may be, and no more data than it has granted; who breaks the rules is cut off.
///
/// ```
/// | in what pieces, and how much the trunks take at a time, u8 | what the one sends | ...
/// ```
///
/// The second half of the input comes from the other node.
public final class RelayFuzz {
    private static final NodeId ONE = new NodeId(0, 1);

    /// The node that the vectors open a stream to.
    private static final NodeId OTHER = new NodeId(0x0011223344556677L, 0x8899aabbccddeeffL);

    /// Another one that they do.
    private static final NodeId HUB = new NodeId(-1, -1);

    private static final int MOST_TURNS = 10_000;
    private static final int PIECE = 0x0f;

    private RelayFuzz() {}

    /// One node, its trunk, and what it has said and heard.
    private static final class Member {
        final Tap tap = new Tap();
        final Spoke spoke;
        final Loop loop;
        final ByteBuffer says;
        boolean cut;

        Member(Relay relay, Loop loop, NodeId node, byte[] says) {
            this.loop = loop;
            this.says = ByteBuffer.wrap(says).order(ByteOrder.LITTLE_ENDIAN);
            spoke = relay.attach("pool", node, new Wire.Plain(tap), loop);
            relay.join(spoke);
        }

        void turn(int piece, int room) throws IOException {
            tap.room(room);
            loop.write(spoke);
            int now = Math.min(piece, says.remaining());
            if (cut || now == 0 || !tap.isOpen()) {
                return;
            }
            tap.put(says.slice(says.position(), now));
            says.position(says.position() + now);
            try {
                while (tap.hasMore()) {
                    loop.read(spoke);
                }
            } catch (Malformed _) {
                cut = true;
                spoke.hangUp();
            }
        }

        /// Every frame it heard may be, and it let itself be sent so much.
        void verify() {
            var granted = granted();
            var heard = tap.written().order(ByteOrder.LITTLE_ENDIAN);
            while (heard.remaining() >= RoutedFrames.HEADER) {
                int word = heard.getInt();
                int number = heard.getInt();
                RoutedFrames.check(word, number);
                int length = RoutedFrames.length(word);
                if (RoutedFrames.kind(word) == RoutedFrames.DATA) {
                    long left = granted.getOrDefault(number, 0L) - length;
                    if (left < 0) {
                        throw new AssertionError("more than was granted on " + number);
                    }
                    granted.put(number, left);
                }
                heard.position(Math.min(heard.limit(), heard.position() + length));
            }
        }

        private Map<Integer, Long> granted() {
            var granted = new HashMap<Integer, Long>();
            var said = says.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
            while (said.remaining() >= RoutedFrames.HEADER) {
                int word = said.getInt();
                int number = said.getInt();
                int length = RoutedFrames.length(word);
                if (said.remaining() < length) {
                    break;
                }
                int last = said.position() + length - Integer.BYTES;
                int kind = RoutedFrames.kind(word);
                if ((kind == RoutedFrames.OPEN || kind == RoutedFrames.GRANT) && length >= 4) {
                    long credit = Integer.toUnsignedLong(said.getInt(last));
                    granted.merge(number, credit, Long::sum);
                }
                said.position(said.position() + length);
            }
            return granted;
        }
    }

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        int half = 1 + (input.length - 1) / 2;
        int piece = 1 + (input[0] & PIECE) * (input[0] & PIECE);
        int room = input[0] < 0 ? 1 << 20 : 1 + (input[0] & ~PIECE);
        try (var relay = new Relay(Limits.DEFAULT, new Never(), HUB, (_, _) -> {});
                var loop = new Loop(relay)) {
            var one = new Member(relay, loop, ONE, Arrays.copyOfRange(input, 1, half));
            var other = new Member(relay, loop, OTHER, rest(input, half));
            for (int turn = 0; turn < MOST_TURNS; turn++) {
                one.turn(piece, room);
                other.turn(piece, room);
                if (!one.says.hasRemaining() && !other.says.hasRemaining()) {
                    break;
                }
            }
            one.turn(0, 1 << 20);
            other.turn(0, 1 << 20);
            one.verify();
            other.verify();
        }
    }

    private static byte[] rest(byte[] input, int from) {
        return Arrays.copyOfRange(input, from, input.length);
    }
}
