package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.ibidem.Background;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What ports send through the filters for long lines, as it is on the wire.
@Timeout(60)
class WideLinesTest {
    private static final String COMPRESS = "compress(level=1, codec=deflate) > tcp";

    /// The service link is the first.
    private static final int FIRST = 1;

    private static final int SECOND = 2;
    private static final long LIMIT = 2 << 20;
    private static final String RATE = "rate(limit=2M, share=wide) > tcp";

    /// What goes at once after a pause, and what the end of the connection says.
    private static final long BURST = LIMIT / 50 + 1_000;

    private final Pair pair = new Pair();
    private Relayed relayed;
    private NodeRuntime here;

    @BeforeEach
    void open() throws IOException {
        relayed = new Relayed(pair.there.listener().port());
        here = pair.runtime(pair.there, relayed.address());
    }

    @AfterEach
    void close() throws IOException {
        here.close();
        relayed.close();
        pair.close();
    }

    private static void send(SendPort out, byte[] bytes) {
        try (var message = out.newMessage()) {
            message.writeArray(bytes).finish();
        }
    }

    private static void receive(ReceivePort in, byte[] wanted) {
        var got = new byte[wanted.length];
        try (var message = in.receive()) {
            message.readArray(got);
        }
        assertThat(got).isEqualTo(wanted);
    }

    private static byte[] words(int seed, int count) {
        var random = new Random(seed);
        var text = new StringBuilder();
        while (text.length() < count) {
            text.append(Integer.toString(random.nextInt(2_000), 36)).append(" of the ");
        }
        return text.substring(0, count).getBytes(StandardCharsets.US_ASCII);
    }

    /// Bytes that a message takes behind another one.
    private long behind(byte[] first, byte[] message, SendPort out, ReceivePort in) {
        send(out, first);
        receive(in, first);
        long before = relayed.carried(FIRST);
        send(out, message);
        receive(in, message);
        return relayed.carried(FIRST) - before;
    }

    /// How far a secret shrinks says nothing of what was sent before it, and the other way round:
    /// also where both are longer than what is compressed at once.
    @ParameterizedTest
    @ValueSource(ints = {600, 5_000, 300_000})
    void messages_of_a_secret_port_are_compressed_one_by_one(int size) {
        var type = PortType.oneToOne().stack(COMPRESS).secret();
        try (var in = pair.receive(pair.there, type, "in");
                var out = pair.send(here, type, "out")) {
            out.connect(pair.there.id(), "in");
            var secret = words(1, size);
            long alone = behind(words(2, size), secret, out, in);
            assertThat(alone).as("it is compressed").isBetween(100L, size * 3L / 4);
            assertThat(behind(secret, secret, out, in)).isEqualTo(alone);
            assertThat(behind(words(3, 2 * size), secret, out, in)).isEqualTo(alone);
        }
    }

    @Test
    void ports_of_one_share_have_its_limit_together_and_messages_get_through_beside_bulk() {
        var type = PortType.oneToOne().stack(RATE);
        var bulk = new byte[3 << 20];
        var more = new byte[1 << 20];
        try (var in = pair.receive(pair.there, type, "bulk");
                var out = pair.send(here, type, "out");
                var shortIn = pair.receive(pair.there, type, "short");
                var shortOut = pair.send(here, type, "short out")) {
            out.connect(pair.there.id(), in.name());
            shortOut.connect(pair.there.id(), shortIn.name());
            long from = System.nanoTime();
            var sending = Background.run(() -> send(out, bulk));
            var receiving = Background.run(() -> receive(in, bulk));
            eventually("it is on its way", () -> relayed.carried(FIRST) > BURST);
            long before = relayed.carried(FIRST);
            for (int i = 0; i < 50; i++) {
                send(shortOut, words(i, 100));
                receive(shortIn, words(i, 100));
            }
            assertThat(receiving).as("what takes a second").isNotDone();
            assertThat(relayed.carried(FIRST)).as("it has its turns, too").isGreaterThan(before);
            var sendingMore = Background.run(() -> send(shortOut, more));
            receive(shortIn, more);
            sendingMore.join();
            receiving.join();
            sending.join();
            double seconds = (System.nanoTime() - from) / 1e9;
            assertThat(relayed.carried(FIRST) + relayed.carried(SECOND))
                    .isLessThanOrEqualTo(2 * BURST + (long) (seconds * LIMIT));
        }
    }
}
