package org.ibidem.link.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.Background;
import org.ibidem.Vectors;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.Frame;
import org.ibidem.link.DatagramPath;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.wait.Armed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class UdpTest {
    private static final long MINE = 0x0102030405060708L;
    private static final long YOURS = 0x1112131415161718L;

    private final Threads threads = new Threads("test");
    private final BlockingQueue<UdpPath> visitors = new LinkedBlockingQueue<>();
    private final UdpSocket here;
    private final UdpSocket there;

    UdpTest() throws IOException {
        here = UdpSocket.open(false, threads, UdpPath::close);
        there = UdpSocket.open(false, threads, visitors::add);
        there.attend();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        threads.close();
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static String read(ByteChannel words, int bytes) throws IOException {
        var into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining() && words.read(into) >= 0) {
            // until it is there
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    private static void say(DatagramPath path, String text) throws IOException {
        path.words().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Carries packets to a port and back, and loses the first of each three.
    private int losing(int port) throws IOException {
        var near = DatagramChannel.open().bind(at(0));
        var far = DatagramChannel.open().bind(at(0)).connect(at(port));
        var client = new CompletableFuture<SocketAddress>();
        threads.start("there", () -> carry(near, far, client));
        threads.start("back", () -> carryBack(near, far, client));
        return ((InetSocketAddress) near.getLocalAddress()).getPort();
    }

    private static void carry(
            DatagramChannel near, DatagramChannel far, CompletableFuture<SocketAddress> client) {
        var packet = ByteBuffer.allocate(2_000);
        try (near;
                far) {
            for (int n = 0; ; n++) {
                client.complete(near.receive(packet.clear()));
                if (n % 3 != 0) {
                    far.write(packet.flip());
                }
            }
        } catch (IOException _) {
            // the test is over
        }
    }

    private static void carryBack(
            DatagramChannel near, DatagramChannel far, CompletableFuture<SocketAddress> client) {
        var packet = ByteBuffer.allocate(2_000);
        try {
            var to = client.join();
            for (int n = 0; ; n++) {
                far.read(packet.clear());
                if (n % 3 != 0) {
                    near.send(packet.flip(), to);
                }
            }
        } catch (IOException _) {
            // the test is over
        }
    }

    @Test
    @Tag("slow")
    void words_arrive_whole_and_in_order_where_a_third_of_the_packets_is_lost() throws Exception {
        var path = here.begin(at(losing(there.port())));
        var much = "x".repeat(2 * UdpWords.LONGEST + 7);
        var answer =
                Background.call(() -> {
                    var visitor = visitors.take();
                    var heard = read(visitor.words(), 5 + much.length());
                    say(visitor, "welcome");
                    return heard;
                });
        say(path, "HELLO");
        say(path, much);
        assertThat(read(path.words(), 7)).isEqualTo("welcome");
        assertThat(answer.get()).isEqualTo("HELLO" + much);
        assertThat(visitors).as("what was repeated begins no other path").isEmpty();
    }

    private DatagramPath[] both() throws Exception {
        var path = here.begin(at(there.port()));
        say(path, "?");
        return new DatagramPath[] {path, visitors.take()};
    }

    private static ByteBuffer datagram(DatagramPath path, int payload) {
        return ByteBuffer.allocateDirect(path.header() + 1).put(path.header(), (byte) payload);
    }

    @Test
    void a_datagram_is_read_by_its_path_and_by_no_other() throws Exception {
        var one = both();
        var other = both();
        assertThat(one[0].write(datagram(one[0], 1))).isTrue();
        assertThat(other[0].write(datagram(other[0], 2))).isTrue();
        var into = ByteBuffer.allocateDirect(one[1].largest());
        eventually("it is here", () -> has(one[1], into));
        assertThat(into.get(0)).isEqualTo((byte) 1);
        eventually("it is here", () -> has(other[1], into));
        assertThat(into.get(0)).isEqualTo((byte) 2);
        assertThat(one[1].read(into.clear())).isEqualTo(-1);
    }

    private static boolean has(DatagramPath path, ByteBuffer into) {
        try {
            return path.read(into.clear()) == 1;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isOver(DatagramPath path) {
        try {
            return path.read(ByteBuffer.allocateDirect(path.largest())) > 0;
        } catch (IOException e) {
            return "the other end has closed it".equals(e.getMessage());
        }
    }

    @Test
    void who_closes_says_so_after_what_it_has_sent() throws Exception {
        var ends = both();
        ends[0].write(datagram(ends[0], 7));
        ends[0].close();
        var into = ByteBuffer.allocateDirect(ends[1].largest());
        eventually("the last one", () -> has(ends[1], into));
        eventually("it is over", () -> isOver(ends[1]));
        assertThatThrownBy(() -> ends[1].write(datagram(ends[1], 1)))
                .isInstanceOf(IOException.class);
        assertThat(ends[1].readable().arm()).as("nobody sleeps over that").isEqualTo(Armed.READY);
    }

    /// Whoever tried the other, too, would wait for an answer that nobody gives.
    @Test
    void of_the_loopback_addresses_of_a_node_one_takes_datagrams() throws Exception {
        var everywhere =
                List.of(
                        new InetSocketAddress(InetAddress.ofLiteral("::1"), 80),
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 80),
                        new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 80));
        var places = Map.of("udp", Integer.toString(there.port()));
        var peer = new Contact(NodeId.parse("0".repeat(31) + "1"), everywhere, places);
        try (var domain = new UdpDomain(threads, false)) {
            assertThat(domain.addresses(peer))
                    .containsExactly(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), there.port()),
                            new InetSocketAddress(
                                    InetAddress.ofLiteral("192.0.2.1"), there.port()));
        }
    }

    @Test
    void a_node_of_a_host_with_ipv6_alone_takes_datagrams_there() {
        var six = new InetSocketAddress(InetAddress.ofLiteral("::1"), there.port());
        var places = Map.of("udp", Integer.toString(there.port()));
        var peer = new Contact(NodeId.parse("0".repeat(31) + "1"), List.of(six), places);
        try (var domain = new UdpDomain(threads, false)) {
            assertThat(domain.addresses(peer)).containsExactly(six);
        }
    }

    /// Numbers nobody has, words from nowhere, another sender's address, garbage.
    @Test
    void what_belongs_to_no_path_is_dropped_and_not_answered() throws Exception {
        var ends = both();
        long number = ((UdpPath) ends[1]).number();
        try (var stranger = DatagramChannel.open().bind(at(0))) {
            stranger.connect(at(there.port()));
            for (var packet :
                    new Packet[] {
                        new Packet(Packet.DATA, 0, 1234, 0),
                        new Packet(Packet.DATA, 0, number, 0),
                        new Packet(Packet.OVER, 0, number, 0),
                        new Packet(Packet.WORD, 1, 0, 99),
                        new Packet(Packet.HEARD, 0, 0, 99),
                        new Packet(Packet.WORD, 0, 0, 0)
                    }) {
                var bytes = ByteBuffer.allocate(100);
                packet.write(bytes);
                stranger.write(bytes.flip());
            }
            stranger.write(ByteBuffer.wrap(new byte[] {'I', 'B', 9, 9, 9, 9, 9}));
            assertThat(ends[0].write(datagram(ends[0], 5))).isTrue();
            var into = ByteBuffer.allocateDirect(ends[1].largest());
            eventually("behind all that", () -> has(ends[1], into));
            assertThat(into.get(0)).isEqualTo((byte) 5);
            stranger.configureBlocking(false);
            assertThat(stranger.read(ByteBuffer.allocate(1))).isZero();
        }
        assertThat(visitors).isEmpty();
    }

    private static ByteBuffer packet(Packet header, int payload) {
        var out = ByteBuffer.allocate(2_000);
        header.write(out);
        return out.put(new byte[payload]).flip();
    }

    private static int bytesWaiting(DatagramChannel stranger) throws IOException {
        stranger.configureBlocking(false);
        int bytes = 0;
        var into = ByteBuffer.allocate(2_000);
        while (stranger.receive(into.clear()) != null) {
            bytes += into.position();
        }
        return bytes;
    }

    /// Otherwise it is sent to whose address is forged (RFC 9000, section 8.1).
    @Test
    void an_address_without_proof_gets_three_times_what_it_has_sent() throws Exception {
        try (var stranger = DatagramChannel.open().bind(at(0))) {
            var first = packet(new Packet(Packet.WORD, 0, 0, 99), 100);
            int sent = first.remaining();
            stranger.send(first, at(there.port()));
            var path = visitors.take();
            var read = ByteBuffer.allocate(100);
            while (read.hasRemaining()) {
                assertThat(path.words().read(read)).isPositive();
            }
            var answer = new byte[200];
            assertThat(path.say(Packet.WORD, 0, answer)).isTrue();
            for (int i = 0; i < 5; i++) {
                path.say(Packet.WORD, 0, answer);
                path.write(ByteBuffer.allocateDirect(300));
            }
            path.close();
            assertThat(bytesWaiting(stranger)).isBetween(answer.length, 3 * sent);
        }
    }

    @Test
    void what_is_withheld_is_said_once_the_address_is_proved() throws Exception {
        try (var stranger = DatagramChannel.open().bind(at(0))) {
            stranger.send(packet(new Packet(Packet.WORD, 0, 0, 99), 1), at(there.port()));
            var path = visitors.take();
            var answer = Background.call(() -> path.words().write(ByteBuffer.allocate(1_000)));
            var into = ByteBuffer.allocate(2_000);
            stranger.receive(into);
            assertThat(Packet.read(into.flip()))
                    .isEqualTo(new Packet(Packet.HEARD, 0, 99, path.number()));
            stranger.send(
                    packet(new Packet(Packet.WORD, 0, path.number(), 99), 0), at(there.port()));
            var kinds = new HashSet<Integer>();
            while (!kinds.contains(Packet.WORD)) {
                stranger.receive(into.clear());
                kinds.add(Packet.read(into.flip()).kind());
            }
            assertThat(into.remaining()).isEqualTo(1_000);
            stranger.send(
                    packet(new Packet(Packet.HEARD, 0, path.number(), 99), 0), at(there.port()));
            assertThat(answer.get()).isEqualTo(1_000);
        }
    }

    /// What the other end may not send before that would be lost for good.
    @Test
    void an_end_that_waits_for_an_answer_repeats_the_number_of_its_last_word() throws Exception {
        try (var other = DatagramChannel.open().bind(at(0))) {
            var path = here.begin((InetSocketAddress) other.getLocalAddress());
            var answer =
                    Background.call(() -> {
                        say(path, "?");
                        return read(path.words(), 1);
                    });
            var into = ByteBuffer.allocate(2_000);
            var from = other.receive(into);
            long number = Packet.read(into.flip()).from();
            other.send(packet(new Packet(Packet.HEARD, 0, number, 77), 0), from);
            var again = new Packet(Packet.WORD, 0, 0, number);
            while (again.to() == 0) { // repeated before it was heard
                other.receive(into.clear());
                again = Packet.read(into.flip());
            }
            assertThat(again).isEqualTo(new Packet(Packet.WORD, 0, 77, number));
            assertThat(into.remaining()).isZero();
            other.send(packet(new Packet(Packet.WORD, 0, number, 77), 1), from);
            assertThat(answer.get()).isEqualTo("\0");
        }
    }

    @Test
    void what_nobody_reads_is_kept_to_a_bound() throws Exception {
        var ends = both();
        var path = (UdpPath) ends[1];
        var payload = ByteBuffer.allocate(1_000);
        for (int i = 0; i < 10_000; i++) {
            path.arrived(new Packet(Packet.DATA, 0, path.number(), 0), payload.clear());
        }
        var into = ByteBuffer.allocateDirect(path.largest());
        int kept = 0;
        while (path.read(into.clear()) >= 0) {
            kept++;
        }
        assertThat(kept).isBetween(400, 600);
    }

    @Test
    void packets_are_those_of_the_page() throws IOException {
        var vectors = Vectors.read("udp");
        assertThat(written(new Packet(Packet.WORD, 0, 0, MINE), "48454c4c4f"))
                .isEqualTo(vectors.get("word.first"));
        assertThat(written(new Packet(Packet.HEARD, 0, MINE, YOURS), ""))
                .isEqualTo(vectors.get("heard"));
        assertThat(written(new Packet(Packet.WORD, 1, YOURS, MINE), "21"))
                .isEqualTo(vectors.get("word.second"));
        assertThat(written(new Packet(Packet.WORD, 1, YOURS, MINE), ""))
                .isEqualTo(vectors.get("word.again"));
        assertThat(written(new Packet(Packet.OVER, 0, YOURS, 0), ""))
                .isEqualTo(vectors.get("over"));
        var read = Packet.read(ByteBuffer.wrap(vectors.get("word.second")));
        assertThat(read).isEqualTo(new Packet(Packet.WORD, 1, YOURS, MINE));
    }

    private static byte[] written(Packet packet, String payload) {
        var out = ByteBuffer.allocate(100);
        packet.write(out);
        out.put(HexFormat.of().parseHex(payload)).flip();
        var bytes = new byte[out.remaining()];
        out.get(bytes);
        return bytes;
    }

    @Test
    void a_frame_is_one_datagram_with_its_flags() throws Exception {
        var ends = both();
        var out = new UdpLink(ends[0], new Udp());
        var in = new UdpLink(ends[1], new Udp());
        var frame = new Frame();
        assertThat(out.sink().claim(frame, out.sink().largest())).isTrue();
        assertThat(frame.room()).isEqualTo(Udp.USUAL - Packet.SHORT_HEADER - UdpLink.HEADER);
        frame.memory.set(ValueLayout.JAVA_BYTE, frame.position++, (byte) 9);
        assertThat(out.sink().commit(frame, Frame.MORE)).isTrue();
        eventually("it has come", () -> in.source().poll(frame));
        assertThat(frame.room()).isEqualTo(1);
        assertThat(frame.flags).isEqualTo(Frame.MORE);
        var vector = Vectors.read("udp").get("data");
        assertThat(frame.memory.get(ValueLayout.JAVA_BYTE, frame.position))
                .isEqualTo(vector[vector.length - 1]);
    }
}
