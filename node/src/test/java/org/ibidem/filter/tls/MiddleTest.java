package org.ibidem.filter.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.ibidem.Background;
import org.ibidem.Seeded;
import org.ibidem.filter.tls.Middle.Fault;
import org.ibidem.filter.tls.Middle.Harm;
import org.ibidem.identity.Identity;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Credentials;
import org.ibidem.link.Lower;
import org.ibidem.link.TestLower;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Somebody in the middle who does harm to one record of TLS, in the handshake or behind it.
@Tag("slow")
@Timeout(120)
class MiddleTest {
    private static final int CHANGE = 20;
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int DATA = 23;

    private static final int MANY = 30;
    private static final int BYTES = 40_000;
    private static final byte[] LAST = {1};

    /// For who waits for what has been dropped.
    private static final Duration BRIEF = Duration.ofMillis(700);

    private static final Duration LONGEST = Duration.ofSeconds(40);

    private static final String FAILED = "the TLS handshake failed: ";
    private static final String ENDED = "the other end ended the connection";
    private static final String GONE = "the peer's end of the connection is gone";
    private static final String CUT =
            "the connection ended in the middle of a record of TLS: it was cut on the way, or the"
                    + " other end died";
    private static final String HERE =
            "what came is not what the peer encrypted: a record was altered, invented, repeated or"
                    + " left out on the way: ";
    private static final String THERE =
            "the other end broke the session, as what came there is not what this end encrypted: ";
    private static final String JOINED =
            ", which is of another link than it is: somebody between joins two connections: ";
    private static final String REFUSED = "the other end refused this one";
    private static final String REFUSES = "this end refuses the other" + JOINED;

    /// What became of one end.
    ///
    /// @param opened whether it had its session
    /// @param got all that it was given
    /// @param failed why it goes no further; empty: it has said and heard everything
    private record Outcome(boolean opened, byte[] got, String failed) {}

    /// One end.
    private record End(ByteStream below, Lower lower, Tls options, byte[] mine, int wanted) {
        Outcome play() {
            var got = new ByteArrayOutputStream();
            ByteStream stream;
            try {
                stream = new TlsFilter().over(below, options, lower);
            } catch (IOException e) {
                below.close();
                return new Outcome(false, got.toByteArray(), String.valueOf(e.getMessage()));
            }
            try {
                talk(stream, got);
                return new Outcome(true, got.toByteArray(), "");
            } catch (IOException e) {
                return new Outcome(true, got.toByteArray(), String.valueOf(e.getMessage()));
            }
        }

        /// The last byte says that all has come: so nobody is content before the other one is.
        private void talk(ByteStream stream, ByteArrayOutputStream got) throws IOException {
            var room = ByteBuffer.allocateDirect(5_000);
            for (int piece = 0; piece < MANY; piece++) {
                int from = piece * (mine.length / MANY);
                int to = piece == MANY - 1 ? mine.length : from + mine.length / MANY;
                say(stream, Arrays.copyOfRange(mine, from, to));
                hear(stream, got, room);
            }
            while (got.size() < wanted) {
                hear(stream, got, room);
            }
            say(stream, LAST);
            while (got.size() < wanted + LAST.length) {
                hear(stream, got, room);
            }
        }

        private static void say(ByteStream stream, byte[] what) throws IOException {
            var bytes = ByteBuffer.allocateDirect(what.length).put(what).flip();
            while (bytes.hasRemaining()) {
                stream.write(bytes);
            }
            while (!stream.flush()) {
                Thread.onSpinWait();
            }
        }

        private static void hear(ByteStream stream, ByteArrayOutputStream got, ByteBuffer room)
                throws IOException {
            int read = stream.read(room.clear());
            if (read < 0) {
                throw new IOException(GONE); // as frames say
            }
            var bytes = new byte[read];
            room.flip().get(bytes);
            got.writeBytes(bytes);
            if (read == 0) {
                Thread.yield();
            }
        }
    }

    /// A connection with somebody in its middle.
    private static final class Harmed implements AutoCloseable {
        final TestLower[] left = TestLower.pair();
        final TestLower[] right = TestLower.pair();
        final Middle middle;
        private final Identity client = Identity.create();
        private final Identity server = Identity.create();
        private final byte[][] said = {bytes(1), bytes(2)};
        private final Tls options;

        Harmed(Harm harm, Tls options) throws IOException {
            this.options = options;
            middle = new Middle(left[1].socket(), right[0].socket(), harm);
            middle.start();
        }

        private static byte[] bytes(int seed) {
            var bytes = new byte[BYTES];
            new Random(seed).nextBytes(bytes);
            return bytes;
        }

        /// @param key of the link, at the server
        Outcome[] play(String key) {
            var there = end(right[1], server.towards(client.id()), key, 1);
            var here = end(left[0], client.towards(server.id()), left[0].key(), 0);
            return new Outcome[] {here.join(), there.join()};
        }

        private CompletableFuture<Outcome> end(
                TestLower lower, Credentials credentials, String key, int index) {
            var keyed = new Keyed(lower, credentials, key, new byte[Lower.SAID]);
            return Background.call(
                    () -> new End(lower.stream(), keyed, options, said[index], BYTES).play());
        }

        void requireUnaltered(Outcome[] outcomes) {
            for (int i = 0; i < 2; i++) {
                var got = outcomes[i].got();
                int length = Math.min(got.length, BYTES);
                assertThat(Arrays.copyOf(got, length))
                        .as("what end %d was given", i)
                        .isEqualTo(Arrays.copyOf(said[1 - i], length));
            }
        }

        @Override
        public void close() throws IOException {
            for (var each : new TestLower[] {left[0], left[1], right[0], right[1]}) {
                each.stream().close();
            }
        }
    }

    private static void requireFailed(Harm harm, Outcome[] outcomes) {
        for (int i = 0; i < 2; i++) {
            assertThat(outcomes[i].failed())
                    .as("what the %s says of %s", i == 0 ? "client" : "server", harm)
                    .matches(
                            cause(
                                    harm.fault(),
                                    outcomes[i].opened(),
                                    harm.fromClient() == (i == 1)))
                    .doesNotContain("null")
                    .doesNotContain("reset");
        }
    }

    /// What one end says; with its session it is one thing for each of them.
    ///
    /// @param receives whether the harm was done to what came there
    private static Pattern cause(Fault fault, boolean opened, boolean receives) {
        if (fault == Fault.CUT) {
            return cutOff(opened, receives);
        }
        if (opened) {
            return one(Pattern.quote(receives ? HERE : THERE) + ".+");
        }
        boolean waits = fault == Fault.DROP || fault == Fault.SWAP;
        var says = Pattern.quote(FAILED) + (waits ? ".+" : "(?!the other end|the connection).+");
        var refuses = receives ? REFUSES : REFUSED; // a hello that was altered may name another
        return one(says + "|" + Pattern.quote(refuses) + ".+");
    }

    /// In the handshake of TLS itself nobody looks for a part of a record.
    private static Pattern cutOff(boolean opened, boolean receives) {
        if (opened) {
            return one(Pattern.quote(receives ? CUT : GONE));
        }
        var ended = Pattern.quote(FAILED + ENDED);
        return receives ? one(ended + "|" + Pattern.quote(FAILED + CUT)) : one(ended);
    }

    private static Pattern one(String text) {
        return Pattern.compile(text);
    }

    private static void harm(Harm harm) throws IOException {
        boolean waits = harm.fault() == Fault.DROP || harm.fault() == Fault.SWAP;
        var within = waits ? BRIEF : new Tls().within();
        while (!harmed(harm, within)) { // a machine that is too slow for a time so short
            within = within.multipliedBy(4);
        }
    }

    /// @return false: the time for the handshake was over before
    private static boolean harmed(Harm harm, Duration within) throws IOException {
        try (var harmed = new Harmed(harm, new Tls(within))) {
            var outcomes = harmed.play(harmed.left[0].key());
            if (!harmed.middle.hasHarmed() && within.compareTo(LONGEST) < 0) {
                return false;
            }
            assertThat(harmed.middle.hasHarmed()).as("%s was done", harm).isTrue();
            harmed.requireUnaltered(outcomes);
            if (harm.type() != CHANGE) {
                requireFailed(harm, outcomes);
            } else if (!outcomes[0].failed().isEmpty() || !outcomes[1].failed().isEmpty()) {
                requireFailed(harm, outcomes); // else it is one that means nothing in TLS 1.3
            }
            return true;
        }
    }

    private static Harm random(RandomGenerator random, Fault fault) {
        int type = random.nextInt(4) == 0 ? HANDSHAKE : DATA;
        return new Harm(
                random.nextBoolean(),
                type,
                type == DATA ? random.nextInt(20) : 0,
                fault,
                random.nextInt(Integer.MAX_VALUE));
    }

    @Test
    void without_harm_everything_is_said() throws IOException {
        try (var harmed = new Harmed(new Harm(true, 0, 0, Fault.DROP, 0), new Tls())) {
            var outcomes = harmed.play(harmed.left[0].key());
            harmed.requireUnaltered(outcomes);
            for (var outcome : outcomes) {
                assertThat(outcome.failed()).isEmpty();
                assertThat(outcome.got()).hasSize(BYTES + LAST.length);
            }
        }
    }

    @Test
    void a_flipped_bit_in_any_record_ends_both_with_the_cause() {
        Seeded.times(24, random -> harm(random(random, Fault.FLIP)));
    }

    @Test
    void a_record_that_comes_twice_or_is_invented_ends_both_with_the_cause() {
        Seeded.times(
                16,
                random -> {
                    harm(random(random, Fault.REPLAY));
                    harm(random(random, Fault.INVENT));
                });
    }

    @Test
    void a_record_that_is_cut_ends_both_with_the_cause() {
        Seeded.times(12, random -> harm(random(random, Fault.CUT)));
    }

    /// Around the end of its header, and before its last byte.
    @Test
    void a_cut_record_is_known_by_one_byte_of_it_and_by_all_but_one() throws IOException {
        for (int where : new int[] {0, 3, 4, 5, -1}) {
            harm(new Harm(true, DATA, 9, Fault.CUT, where));
            harm(new Harm(false, DATA, 9, Fault.CUT, where));
        }
    }

    /// Who misses something in the handshake waits for it.
    @Test
    @Tag("slow")
    void a_record_that_is_lost_or_late_ends_both_with_the_cause() {
        Seeded.times(
                8,
                random -> {
                    harm(random(random, Fault.DROP));
                    harm(random(random, Fault.SWAP));
                });
    }

    @Test
    void a_change_of_ciphers_means_nothing_and_hides_nothing() {
        Seeded.times(
                6,
                random ->
                        harm(
                                new Harm(
                                        random.nextBoolean(),
                                        CHANGE,
                                        0,
                                        random.nextBoolean() ? Fault.FLIP : Fault.REPLAY,
                                        random.nextInt(8))));
    }

    @Test
    void an_alert_that_was_altered_still_ends_both() {
        Seeded.times(
                6,
                random -> {
                    var harm = new Harm(false, ALERT, 0, Fault.FLIP, random.nextInt(16));
                    try (var harmed = new Harmed(harm, new Tls())) {
                        var outcomes = harmed.play("0".repeat(harmed.left[0].key().length()));
                        assertThat(harmed.middle.hasHarmed()).isTrue();
                        assertThat(outcomes[0].failed())
                                .matches("(" + FAILED + "|" + REFUSED + "(: |" + JOINED + ")).+");
                        assertThat(outcomes[1].failed()).startsWith(REFUSES);
                        assertThat(outcomes[0].got()).isEmpty();
                        assertThat(outcomes[1].got()).isEmpty();
                    }
                });
    }
}
