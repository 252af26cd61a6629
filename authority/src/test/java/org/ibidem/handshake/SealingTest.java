package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.buffer.ControlReader;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.SocketPath;
import org.ibidem.control.ControlLink;
import org.ibidem.control.Ending;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.link.Catalog;
import org.ibidem.peer.Purpose;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS under what nodes and hubs say to each other, and somebody in the middle who passes bytes on.
class SealingTest {
    private static final Duration MONTH = Duration.ofDays(30);
    private static final byte[] WORD = "a word for nobody else".getBytes(StandardCharsets.US_ASCII);

    @TempDir Path folder;

    private final Threads threads = new Threads("test");
    private PoolAuthority demo;
    private Identity one;
    private Identity other;
    private Identity hub;

    @BeforeEach
    void make() throws Exception {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        one = member("one", Role.NODE);
        other = member("other", Role.NODE);
        hub = member("hub", Role.HUB);
    }

    @AfterEach
    void close() {
        threads.close();
    }

    private Identity member(String name, Role role) throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", role, ""), MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Identity.stored(file)
                .trusting(Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY));
    }

    private Handshake of(Identity who) {
        var vetting = new Vetting(who.trust(), Declarations.NONE, Catalog.found());
        return new Handshake(who, threads, Duration.ofMinutes(2), vetting);
    }

    /// Two ends, and the ends of him who is between them.
    private final class Between implements AutoCloseable {
        final SocketChannel near;
        final SocketChannel far;
        final CompletableFuture<Object> client;
        final CompletableFuture<Object> server;
        final ByteArrayOutputStream seen = new ByteArrayOutputStream();

        Between(Hello hello, Identity from, Identity to) throws IOException {
            try (var listening = ServerSocketChannel.open()) {
                listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var mine = new SocketPath(SocketChannel.open(listening.getLocalAddress()));
                near = listening.accept();
                far = SocketChannel.open(listening.getLocalAddress());
                var theirs = new SocketPath(listening.accept());
                client = Background.outcome(() -> of(from).initiate(mine, hello));
                server = Background.outcome(() -> of(to).respond(theirs, Admission.ALL));
            }
        }

        /// The handshake, as it is.
        void handshake() throws IOException {
            message(near, far);
            message(far, near);
            pass(near, far, NodeKey.SIGNATURE_BYTES);
        }

        private void message(SocketChannel from, SocketChannel to) throws IOException {
            int head = HandshakeMessages.PREFIX_BYTES + HandshakeMessages.LENGTH_BYTES;
            var begin = pass(from, to, head);
            var length = new byte[] {begin[head - 2], begin[head - 1]};
            pass(from, to, new ControlReader(length).u16("length"));
        }

        private byte[] pass(SocketChannel from, SocketChannel to, int bytes) throws IOException {
            var buffer = ByteBuffer.allocate(bytes);
            while (buffer.hasRemaining() && from.read(buffer) >= 0) {
                // the rest is on its way
            }
            to.write(buffer.flip());
            return buffer.array();
        }

        /// All that comes from one end goes to the other.
        void join(SocketChannel from, SocketChannel to) {
            threads.start("in the middle", () -> forward(from, to));
        }

        private void forward(SocketChannel from, SocketChannel to) {
            var buffer = ByteBuffer.allocate(4096);
            try {
                while (from.read(buffer.clear()) >= 0) {
                    synchronized (seen) {
                        seen.write(buffer.array(), 0, buffer.position());
                    }
                    buffer.flip();
                    while (buffer.hasRemaining()) { // of a virtual thread it takes what it can
                        to.write(buffer);
                    }
                }
                to.shutdownOutput();
            } catch (IOException _) {
                // one of the ends has gone
            }
        }

        boolean sees(byte[] word) {
            synchronized (seen) {
                return seen.toString(StandardCharsets.ISO_8859_1)
                        .contains(new String(word, StandardCharsets.ISO_8859_1));
            }
        }

        @Override
        public void close() throws IOException {
            near.close();
            far.close();
        }
    }

    private Hello hello(Purpose purpose, String pool) {
        return new Hello(purpose, pool, (purpose.toHub() ? hub : other).id(), "", "");
    }

    /// What he who is between sees of a word.
    private boolean heard(Hello hello) throws Exception {
        try (var between = new Between(hello, one, hello.purpose().toHub() ? hub : other)) {
            between.join(between.near, between.far);
            between.join(between.far, between.near);
            var limits = ControlLink.Limits.DEFAULT;
            var mine = ControlLink.over((Proved) between.client.join(), threads, limits);
            var theirs = ControlLink.over((Proved) between.server.join(), threads, limits);
            mine.send(WORD);
            assertThat(theirs.receive()).isEqualTo(WORD);
            var much = new byte[limits.message()];
            theirs.send(much);
            assertThat(mine.receive()).isEqualTo(much);
            theirs.close("enough");
            assertThat(mine.receive()).isNull();
            assertThat(mine.ending()).isEqualTo(new Ending.Left("enough"));
            return between.sees(WORD);
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @EnumSource(names = {"BOOTSTRAP", "ROUTED", "SERVICE"})
    void who_is_in_between_reads_nothing(Purpose purpose) throws Exception {
        assertThat(heard(hello(purpose, "demo"))).isFalse();
        assertThat(heard(hello(purpose, "free"))).as("a pool without an authority").isTrue();
    }

    /// More than the line and all buffers on it hold.
    @Test
    void a_late_reader_gets_all_of_an_encrypted_link() throws Exception {
        int many = 150;
        try (var between = new Between(hello(Purpose.ROUTED, "demo"), one, hub)) {
            between.join(between.near, between.far);
            between.join(between.far, between.near);
            var limits = ControlLink.Limits.DEFAULT;
            var mine = ControlLink.over((Proved) between.client.join(), threads, limits);
            var theirs = ControlLink.over((Proved) between.server.join(), threads, limits);
            var sent =
                    Background.outcome(() -> {
                        for (int i = 0; i < many; i++) {
                            while (theirs.waiting() > 40) {
                                Thread.onSpinWait();
                            }
                            theirs.send(numbered(i, limits.message()));
                        }
                        return "all";
                    });
            while (theirs.waiting() <= 40 && !sent.isDone()) { // or the line has taken all
                Thread.onSpinWait();
            }
            for (int i = 0; i < many; i++) {
                var message = mine.receive();
                assertThat(message).as("%s, %s", mine.ending(), theirs.ending()).isNotNull();
                assertThat(message).isEqualTo(numbered(i, limits.message()));
            }
            assertThat(sent.join()).isEqualTo("all");
            assertThat(mine.ending()).isNull();
        }
    }

    private static byte[] numbered(int number, int bytes) {
        var message = new byte[bytes];
        ByteBuffer.wrap(message).putInt(0, number).putInt(bytes - Integer.BYTES, number);
        return message;
    }

    @Test
    void who_joins_two_connections_is_refused_by_both_ends_of_both() throws Exception {
        var hello = hello(Purpose.SERVICE, "demo");
        try (var first = new Between(hello, one, other);
                var second = new Between(hello, one, other)) {
            first.handshake();
            second.handshake();
            first.join(first.near, second.far);
            first.join(second.far, first.near);
            first.join(second.near, first.far);
            first.join(first.far, second.near);
            for (var end : List.of(first.client, first.server, second.client, second.server)) {
                assertThat(end.join())
                        .isInstanceOf(BadProof.class)
                        .asString()
                        .contains("this end refuses node")
                        .contains("somebody between joins two connections");
            }
            assertThat(first.client.join()).asString().contains("and it refuses this end");
        }
    }

    @Test
    void somebody_else_who_goes_on_behind_the_handshake_is_refused_and_told() throws Exception {
        try (var between = new Between(hello(Purpose.SERVICE, "demo"), one, other)) {
            between.handshake();
            // The man in the middle speaks TLS himself, with a key of his own.
            var his = member("his", Role.NODE);
            var records = Sessions.records(his.towards(one.id()), false);
            var sealed = new SealedPath(new SocketPath(between.near), records);
            var told = Background.outcome(() -> Sessions.shake(sealed));
            assertThat(between.client.join())
                    .isInstanceOf(BadProof.class)
                    .asString()
                    .contains("this end refuses the other")
                    .contains("it has the key of node " + his.id());
            assertThat(told.join()).asString().contains("certificate_unknown");
        }
    }

    @Test
    void an_end_that_goes_on_in_clear_is_refused_and_told_so() throws Exception {
        try (var between = new Between(hello(Purpose.SERVICE, "demo"), one, other)) {
            between.handshake();
            between.near.write(
                    ByteBuffer.wrap(
                            "\u0001\u0000 in clear, please".getBytes(StandardCharsets.US_ASCII)));
            assertThat(between.client.join())
                    .isInstanceOf(HandshakeGarbled.class)
                    .asString()
                    .contains("speaks no TLS as it should");
        }
    }

    /// Both ends say that it was no reset, and which of them has noticed it.
    @ParameterizedTest
    @ValueSource(ints = {20, 17_000, 60_000})
    void what_was_altered_behind_the_handshake_is_not_taken_and_both_ends_say_so(int length)
            throws Exception {
        try (var between = new Between(hello(Purpose.ROUTED, "demo"), one, hub)) {
            between.join(between.near, between.far);
            between.join(between.far, between.near);
            var limits = ControlLink.Limits.DEFAULT;
            var mine = ControlLink.over((Proved) between.client.join(), threads, limits);
            var theirs = ControlLink.over((Proved) between.server.join(), threads, limits);
            var told = Background.outcome(() -> String.valueOf(theirs.receive() == null));
            var head = new byte[] {23, 3, 3, (byte) (length >> 8), (byte) length};
            between.near.write(ByteBuffer.wrap(head));
            between.near.write(ByteBuffer.wrap(new byte[20]));
            assertThat(mine.receive()).isNull();
            assertThat(mine.ending())
                    .isInstanceOf(Ending.Altered.class)
                    .asString()
                    .startsWith("what came is not what the peer encrypted: a record was altered")
                    .doesNotContain("reset");
            assertThat(told.join()).isEqualTo("true");
            assertThat(theirs.ending())
                    .isInstanceOf(Ending.Altered.class)
                    .asString()
                    .startsWith("the other end broke the session, as what came there is not what")
                    .contains(length == 20 ? "bad_record_mac" : "fatal alert");
        }
    }
}
