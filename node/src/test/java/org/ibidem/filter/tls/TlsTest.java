package org.ibidem.filter.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.ibidem.Background;
import org.ibidem.identity.Identity;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Credentials;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamOver;
import org.ibidem.link.TestLower;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS between two ends, and what becomes of it when somebody in between, or the other end, is not
/// what it should be.
@Timeout(60)
class TlsTest {
    private static final Identity CLIENT = Identity.create();
    private static final Identity SERVER = Identity.create();
    private static final Identity STRANGER = Identity.create();
    private static final int MANY = 3_000_000;

    private TestLower[] lowers = {};
    private String otherKey = "";

    @BeforeEach
    void open() throws IOException {
        lowers = TestLower.pair();
        otherKey = lowers[1].key();
    }

    @AfterEach
    void close() throws IOException {
        for (var lower : lowers) {
            lower.stream().close();
        }
    }

    private static Keyed keyed(Lower below, Credentials credentials, String key) {
        return new Keyed(below, credentials, key, below.said());
    }

    /// Alters a byte of what comes, once told to.
    private static final class Flipping extends StreamOver {
        volatile boolean now;

        Flipping(ByteStream below) {
            super(below);
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int from = into.position();
            int got = super.read(into);
            if (now && got > 0) {
                into.put(from + got / 2, (byte) (into.get(from + got / 2) ^ 1));
            }
            return got;
        }
    }

    /// Keeps a copy of what goes out.
    private static final class Tapped extends StreamOver {
        final ByteArrayOutputStream seen = new ByteArrayOutputStream();

        Tapped(ByteStream below) {
            super(below);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            var before = from.duplicate();
            int taken = super.write(from);
            var copy = new byte[taken];
            before.get(copy);
            seen.writeBytes(copy);
            return taken;
        }
    }

    private CompletableFuture<ByteStream> client(
            Credentials credentials, UnaryOperator<ByteStream> between) {
        return end(0, keyed(lowers[0], credentials, lowers[0].key()), between, new Tls());
    }

    private CompletableFuture<ByteStream> server(Credentials credentials) {
        return end(1, keyed(lowers[1], credentials, otherKey), same -> same, new Tls());
    }

    private CompletableFuture<ByteStream> end(
            int index, Lower lower, UnaryOperator<ByteStream> between, Tls options) {
        return CompletableFuture.supplyAsync(
                () -> {
                    var below = between.apply(lowers[index].stream());
                    try {
                        return new TlsFilter().over(below, options, lower);
                    } catch (IOException e) {
                        below.close();
                        throw new CompletionException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    /// Both ends, with this in between.
    private ByteStream[] pair(UnaryOperator<ByteStream> between) {
        var client = client(CLIENT.towards(SERVER.id()), between);
        var server = server(SERVER.towards(CLIENT.id()));
        return new ByteStream[] {client.join(), server.join()};
    }

    private static void write(ByteStream to, byte[] what) throws IOException {
        var bytes = ByteBuffer.allocateDirect(what.length).put(what).flip();
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
        while (!to.flush()) {
            Thread.onSpinWait();
        }
    }

    private static byte[] read(ByteStream from, int count, Random sizes) throws IOException {
        var all = new byte[count];
        int have = 0;
        var room = ByteBuffer.allocateDirect(100_000);
        while (have < count) {
            room.clear().limit(1 + sizes.nextInt(Math.min(count - have, room.capacity())));
            int got = from.read(room);
            assertThat(got).isNotNegative();
            room.flip().get(all, have, got);
            have += got;
        }
        return all;
    }

    private static byte[] random(int seed) {
        var bytes = new byte[MANY];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static String reason(CompletableFuture<?> failed) {
        try {
            failed.join();
            throw new AssertionError("it is open");
        } catch (CompletionException e) {
            return e.getCause().getMessage();
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {1, 2})
    void what_is_written_is_read_in_both_directions_at_once(int seed) throws Exception {
        var ends = pair(same -> same);
        var there = Background.run(() -> written(ends[0], random(seed)));
        var back = Background.run(() -> written(ends[1], random(-seed)));
        var read = CompletableFuture.supplyAsync(() -> wasRead(ends[0], seed));
        assertThat(wasRead(ends[1], seed)).isEqualTo(random(seed));
        assertThat(read.join()).isEqualTo(random(-seed));
        there.join();
        back.join();
    }

    private static void written(ByteStream to, byte[] what) {
        try {
            write(to, what);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] wasRead(ByteStream from, int seed) {
        try {
            return read(from, MANY, new Random(seed));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void nobody_on_the_way_can_read_it() throws Exception {
        var taps = new Tapped[1];
        var ends = pair(below -> taps[0] = new Tapped(below));
        var secret = "the meeting is at noon, below the bridge";
        write(ends[0], secret.getBytes(StandardCharsets.UTF_8));
        assertThat(read(ends[1], secret.length(), new Random(1)))
                .isEqualTo(secret.getBytes(StandardCharsets.UTF_8));
        var seen = taps[0].seen.toString(StandardCharsets.ISO_8859_1);
        assertThat(seen).hasSizeGreaterThan(secret.length()).doesNotContain("noon");
    }

    @Test
    void what_was_altered_on_the_way_is_not_taken() throws Exception {
        var taps = new Flipping[1];
        var ends = pair(below -> taps[0] = new Flipping(below));
        taps[0].now = true;
        write(ends[1], new byte[1_000]);
        assertThatThrownBy(() -> read(ends[0], 1_000, new Random(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not what the peer encrypted");
    }

    /// Counts how often the peer's certificate is looked at.
    private record Counting(Credentials of, AtomicInteger looks) implements Credentials {
        Counting(Credentials of) {
            this(of, new AtomicInteger());
        }

        @Override
        public X509Certificate certificate() {
            return of.certificate();
        }

        @Override
        public PrivateKey secret() {
            return of.secret();
        }

        @Override
        public void check(X509Certificate its) throws CertificateException {
            looks.incrementAndGet();
            of.check(its);
        }
    }

    @Test
    void the_next_link_of_the_same_two_takes_up_their_session_and_of_others_does_not()
            throws Exception {
        var mine = new Counting(CLIENT.towards(SERVER.id()));
        var its = new Counting(SERVER.towards(CLIENT.id()));
        for (int link = 0; link < 3; link++) {
            var client = client(mine, same -> same);
            var server = server(its);
            var ends = new ByteStream[] {client.join(), server.join()};
            write(ends[1], new byte[] {7});
            assertThat(read(ends[0], 1, new Random(1))).containsExactly(7);
            renew();
        }
        assertThat(mine.looks).as("by the client").hasValue(1);
        assertThat(its.looks).as("by the server").hasValue(1);
        var client = client(mine, same -> same);
        var stranger = server(STRANGER.towards(CLIENT.id()));
        assertThat(reason(client)).contains("not the peer it should be");
        assertThat(reason(stranger)).contains("the other end refused this one");
        assertThat(mine.looks).hasValue(2);
    }

    private void renew() throws IOException {
        close();
        open();
    }

    @Test
    void a_server_that_is_another_node_is_refused_and_told() {
        var client = client(CLIENT.towards(SERVER.id()), same -> same);
        var server = server(STRANGER.towards(CLIENT.id()));
        assertThat(reason(client))
                .contains("not the peer it should be")
                .contains(STRANGER.id().toString())
                .contains(SERVER.id().toString());
        assertThat(reason(server)).contains("the other end refused this one");
    }

    @Test
    void a_client_that_is_another_node_is_refused_and_told() {
        var client = client(STRANGER.towards(SERVER.id()), same -> same);
        var server = server(SERVER.towards(CLIENT.id()));
        assertThat(reason(server))
                .contains("not the peer it should be")
                .contains("and the link is");
        assertThat(reason(client)).contains("the other end refused this one");
    }

    @Test
    void the_connection_of_another_link_is_refused() {
        otherKey = "0".repeat(otherKey.length());
        var client = client(CLIENT.towards(SERVER.id()), same -> same);
        var server = server(SERVER.towards(CLIENT.id()));
        assertThat(reason(server))
                .contains("this end refuses the other, which is of another link than it is")
                .contains("somebody between joins two connections");
        assertThat(reason(client))
                .contains("the other end refused this one, which is of another link than it is");
    }

    @Test
    void garbage_is_no_handshake() throws Exception {
        write(lowers[0].stream(), new byte[1_000]);
        assertThat(reason(server(SERVER.towards(CLIENT.id()))))
                .contains("the TLS handshake failed");
    }

    @Test
    void an_end_that_goes_away_is_told() throws Exception {
        lowers[0].stream().close();
        assertThat(reason(server(SERVER.towards(CLIENT.id()))))
                .contains("the other end ended the connection");
    }

    @Test
    void an_end_that_says_nothing_is_not_waited_for_for_ever() {
        var lower = keyed(lowers[1], SERVER.towards(CLIENT.id()), otherKey);
        var server = end(1, lower, same -> same, new Tls(Duration.ofMillis(20)));
        assertThat(reason(server)).contains("in time");
    }

    @Test
    void a_stream_that_loses_bytes_is_refused() {
        var lossy =
                new StreamOver(lowers[0].stream()) {
                    @Override
                    public DeliveryFaults delivery() {
                        return new DeliveryFaults(true, false, false);
                    }
                };
        var client = client(CLIENT.towards(SERVER.id()), _ -> lossy);
        assertThat(reason(client)).contains("write tls > reliable > udp");
    }

    @Test
    void ends_without_keys_are_refused() {
        assertThat(reason(end(0, lowers[0], same -> same, new Tls())))
                .contains("no end of this link has a key");
    }

    @Test
    void who_has_read_nothing_yet_does_not_sleep_over_what_is_here() throws Exception {
        var ends = pair(same -> same);
        write(ends[0], new byte[40_000]);
        read(ends[1], 20_001, new Random(1));
        var sleepy = Waitable.of(ends[1].readable());
        assertThat(sleepy.arm()).isEqualTo(Armed.READY);
        sleepy.disarm();
    }

    /// Of a record of data.
    private static byte[] header(int length) {
        return new byte[] {23, 3, 3, (byte) (length >> 8), (byte) length};
    }

    /// Without waiting for as many bytes as it says.
    @Test
    void a_header_that_says_more_than_a_record_has_breaks_the_session() throws Exception {
        var ends = pair(same -> same);
        write(lowers[0].stream(), header(65535));
        assertThatThrownBy(() -> read(ends[1], 1, new Random(1)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("what came is not what the peer encrypted: ");
    }

    @Test
    void the_header_of_the_largest_record_is_followed_by_it_or_was_cut() throws Exception {
        var ends = pair(same -> same);
        write(lowers[0].stream(), header(16384 + 256));
        lowers[0].stream().close();
        var room = ByteBuffer.allocateDirect(10);
        assertThatThrownBy(
                        () -> {
                            while (ends[1].read(room) == 0) {
                                Thread.onSpinWait();
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the connection ended in the middle of a record of TLS: ");
    }

    @Test
    void bytes_that_end_are_said_to_end() throws Exception {
        var ends = pair(same -> same);
        write(ends[0], new byte[10]);
        ends[0].close();
        read(ends[1], 10, new Random(1));
        var room = ByteBuffer.allocateDirect(10);
        int got = 0;
        while (got == 0) {
            got = ends[1].read(room);
        }
        assertThat(got).isEqualTo(-1);
    }

    @Test
    void options_out_of_bounds_are_refused() {
        assertThatThrownBy(() -> new Tls(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Tls(Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
