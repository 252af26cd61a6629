package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Run;
import org.ibidem.channel.Intruder;
import org.ibidem.connect.Unreachable;
import org.ibidem.control.ServiceFailed;
import org.ibidem.link.shm.HostileSegment;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Members that proved who they are and then send what no node sends: their connection ends with
/// the reason, and the port that had it goes on with others.
@Timeout(60)
class HostilePeerTest {
    private static final long SEED = 20_261_120;
    private static final PortType LOSSY =
            over("checksum(then=lose) > tcp").without(Capability.RELIABLE);

    private final Pair pair = new Pair();
    private final NodeRuntime evil = pair.runtime();
    private final Intruder intruder = new Intruder(evil, new Random(SEED));

    @AfterEach
    void close() {
        pair.close();
        evil.close();
    }

    private static PortType over(String stack) {
        return PortType.oneToOne().stack(stack);
    }

    private SocketChannel connected(String stack) throws IOException {
        var key = intruder.key();
        assertThat(intruder.ask(pair.there.id(), key, stack, "in")).isEmpty();
        var socket = intruder.dial(pair.there.id(), key, stack);
        socket.configureBlocking(true);
        return socket;
    }

    private void requireTheNextOneIsServed(ReceivePort in, String stack) {
        assertThat(in.connections()).isEmpty();
        try (var out = pair.send(pair.here, over(stack), "out")) {
            out.connect(pair.there.id(), "in");
            converse(out, in);
        }
    }

    private static void converse(SendPort out, ReceivePort in) {
        for (int i = 0; i < 10; i++) {
            try (var message = out.newMessage()) {
                message.writeInt(i).finish();
            }
            try (var message = in.receive()) {
                assertThat(message.readInt()).isEqualTo(i);
            }
        }
    }

    /// Connections of one send port are read one after the other.
    @Test
    void what_waits_behind_a_connection_that_is_not_made_after_all_is_read() {
        var type = PortType.manyToOne().stack("tcp");
        intruder.manyToOne().capabilities(type.capabilityBits());
        try (var in = pair.receive(pair.there, type, "in");
                var out = pair.send(evil, type, "evil")) {
            var key = intruder.key();
            assertThat(intruder.ask(pair.there.id(), key, "tcp", "in")).isEmpty();
            out.connect(pair.there.id(), "in");
            try (var message = out.newMessage()) {
                message.writeInt(7).finish();
            }
            eventually("it is connected", () -> in.connections().size() == 1);
            assertThat(in.poll()).isNull();
            intruder.cancel(pair.there.id(), key);
            var got = new AtomicReference<ReadMessage>();
            eventually("it is read", () -> got.updateAndGet(_ -> in.poll()) != null);
            try (var message = got.get()) {
                assertThat(message.readInt()).isEqualTo(7);
            }
        }
    }

    @Test
    @Tag("slow")
    void the_end_of_a_channel_may_be_known_before_its_link_is_made() throws IOException {
        var type =
                over("checksum(then=lose) > tcp")
                        .without(Capability.RELIABLE)
                        .with(Capability.CONNECTION_DOWNCALLS);
        intruder.above("whole > ").capabilities(type.capabilityBits());
        var lost = new ArrayList<Lost<Origin>>();
        try (var in = pair.receive(pair.there, type, "in")) {
            var key = intruder.key();
            assertThat(intruder.ask(pair.there.id(), key, type.stack(), "in")).isEmpty();
            intruder.done(pair.there.id(), 1);
            try (var _ = intruder.dial(pair.there.id(), key, "whole > " + type.stack())) {
                eventually(
                        "it has ended",
                        () -> {
                            assertThat(in.poll()).isNull();
                            lost.addAll(in.lostConnections());
                            return !lost.isEmpty();
                        });
            }
        }
        assertThat(lost).extracting(Lost::broken).containsExactly(false);
    }

    @Test
    @Tag("slow")
    void what_comes_after_the_word_that_a_channel_has_ended_is_no_message() throws IOException {
        int oneInt = Run.INT << 24 | 1;
        int more = 1;
        try (var in = pair.receive(pair.there, LOSSY, "in");
                var socket = dialLossy()) {
            socket.write(summed(more, 0, 0, oneInt, 7));
            try (var message = in.receive()) {
                assertThat(message.readInt()).isEqualTo(7);
                intruder.done(pair.there.id(), 1);
                assertThatThrownBy(message::readInt).isInstanceOf(MessageAbandoned.class);
            }
            socket.write(summed(0, 0, 1, oneInt, 8));
            endsWithoutMore(in);
        }
    }

    @Test
    @Tag("slow")
    void what_is_on_its_way_when_a_channel_is_said_to_have_ended_is_not_lost() throws IOException {
        int oneInt = Run.INT << 24 | 1;
        try (var in = pair.receive(pair.there, LOSSY, "in");
                var socket = dialLossy()) {
            intruder.done(pair.there.id(), 1);
            assertThat(in.poll()).isNull();
            for (int i = 0; i < 3; i++) {
                socket.write(summed(0, i, 0, oneInt, 7 + i));
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isEqualTo(7 + i);
                }
                assertThat(in.poll()).isNull();
            }
            endsWithoutMore(in);
        }
    }

    private SocketChannel dialLossy() throws IOException {
        intruder.above("whole > ").capabilities(LOSSY.capabilityBits());
        var key = intruder.key();
        assertThat(intruder.ask(pair.there.id(), key, LOSSY.stack(), "in")).isEmpty();
        var socket = intruder.dial(pair.there.id(), key, "whole > " + LOSSY.stack());
        socket.configureBlocking(true);
        return socket;
    }

    private static void endsWithoutMore(ReceivePort in) {
        eventually(
                "it has ended",
                () -> {
                    assertThat(in.poll()).isNull();
                    return in.connections().isEmpty();
                });
    }

    private static ByteBuffer summed(int flags, int... words) {
        var body = ints(words);
        var crc = new CRC32C();
        crc.update(body.duplicate());
        crc.update(flags);
        return ByteBuffer.allocate(8 + body.remaining())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(flags << 24 | 4 + body.remaining())
                .putInt((int) crc.getValue())
                .put(body)
                .flip();
    }

    private static ByteBuffer ints(int... values) {
        var bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "-1, garbage",
        "0x00FFFFFF, a length over the limit",
        "0x0000FFFD, a length one over the limit",
        "0x40000004, a flag that does not exist",
        "0x10000004, a flag that never travels",
        "0x54544547, the beginning of an HTTP request"
    })
    void what_is_no_frame_ends_a_data_link(String header, String what) throws IOException {
        int word = Long.decode(header).intValue();
        try (var in = pair.receive(pair.there, over("tcp"), "in");
                var socket = connected("tcp")) {
            socket.write(ints(word, 0));
            assertThatThrownBy(in::receive)
                    .as(what)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("port 'evil'")
                    .hasMessageContaining("0x" + Integer.toHexString(word));
            assertThat(socket.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            requireTheNextOneIsServed(in, "tcp");
        }
    }

    @Test
    void half_a_frame_is_no_message() throws IOException {
        try (var in = pair.receive(pair.there, over("tcp"), "in")) {
            try (var socket = connected("tcp")) {
                socket.write(ints(100, 1, 2, 3));
            }
            assertThatThrownBy(in::receive)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("in the middle of a frame");
            requireTheNextOneIsServed(in, "tcp");
        }
    }

    /// The key of a link is no secret that lets anybody in: it is good for the node it was agreed
    /// on with, and for the stack.
    @Test
    void a_data_connection_of_a_third_node_that_knows_the_key_is_refused() throws IOException {
        try (var third = pair.runtime();
                var in = pair.receive(pair.there, over("tcp"), "in")) {
            var key = intruder.key();
            assertThat(intruder.ask(pair.there.id(), key, "tcp", "in")).isEmpty();
            var thief = new Intruder(third, new Random(SEED));
            var refusal = "no data link of this key and stack was agreed on with you";
            assertThatThrownBy(() -> thief.dial(pair.there.id(), key, "tcp"))
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining(refusal);
            assertThatThrownBy(() -> intruder.dial(pair.there.id(), key, "checksum > tcp"))
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining(refusal);
            assertThatThrownBy(() -> intruder.dial(pair.there.id(), intruder.key(), "tcp"))
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining(refusal);
            try (var socket = intruder.dial(pair.there.id(), key, "tcp")) {
                socket.configureBlocking(true);
                socket.write(ints(8, Run.INT << 24 | 1, 7));
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isEqualTo(7);
                }
            }
        }
    }

    /// Who sends half a frame and then nothing has a link of its own: it holds up nobody.
    @Test
    void half_a_frame_and_then_silence_holds_up_no_other_sender() throws IOException {
        var type = PortType.manyToOne().stack("tcp");
        intruder.manyToOne().capabilities(type.capabilityBits());
        try (var in = pair.receive(pair.there, type, "in");
                var socket = connected("tcp");
                var out = pair.send(pair.here, type, "out")) {
            out.connect(pair.there.id(), "in");
            socket.write(ints(100, 1, 2, 3));
            converse(out, in);
            socket.write(ByteBuffer.wrap(new byte[] {4}));
            converse(out, in);
            eventually("both are connected", () -> in.connections().size() == 2);
        }
    }

    @Test
    void garbage_in_the_middle_of_a_message_ends_it_untorn() throws IOException {
        int more = 0x01000008;
        int oneInt = Run.INT << 24 | 1;
        try (var in = pair.receive(pair.there, over("tcp"), "in");
                var socket = connected("tcp")) {
            socket.write(ints(more, oneInt, 7, -1));
            try (var message = in.receive()) {
                assertThat(message.readInt()).isEqualTo(7);
                assertThatThrownBy(message::readInt)
                        .isInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("in the middle of a message")
                        .hasMessageContaining("0xffffffff");
            }
            requireTheNextOneIsServed(in, "tcp");
        }
    }

    /// The peer's word is enough to end its own channel, not more.
    @Test
    void an_end_that_says_there_is_more_is_an_end() throws IOException {
        int endAndMore = 0x03000000;
        try (var in = pair.receive(pair.there, over("tcp"), "in");
                var socket = connected("tcp")) {
            eventually("it is connected", () -> !in.connections().isEmpty());
            socket.write(ints(endAndMore));
            endsWithoutMore(in);
            requireTheNextOneIsServed(in, "tcp");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x7FFFFF, a length over the limit",
        "0x40, 4, a flag that does not exist",
        "0x80, 0, filler where none can be"
    })
    void what_is_no_record_ends_a_shared_ring(String flags, String length, String what)
            throws IOException {
        var key = intruder.key();
        try (var in = pair.receive(pair.there, over("shm"), "in")) {
            assertThat(intruder.ask(pair.there.id(), key, "shm", "in")).isEmpty();
            var segment = HostileSegment.create(key);
            try (var socket = intruder.dial(pair.there.id(), key, "shm")) {
                socket.configureBlocking(true);
                socket.write(ByteBuffer.wrap(HostileSegment.offer()));
                assertThat(socket.read(ByteBuffer.allocate(1))).isEqualTo(1);
                segment.publish(Integer.decode(flags), Integer.decode(length));
                assertThatThrownBy(in::receive)
                        .as(what)
                        .isInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("port 'evil'")
                        .hasMessageContaining("broke the ring's rules");
                requireTheNextOneIsServed(in, "shm");
            } finally {
                HostileSegment.remove(key);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1 << 30, 12_345, 64 << 10})
    void a_ring_that_cannot_be_mapped_is_refused_and_the_port_is_free_again(int ring)
            throws IOException {
        try (var in = pair.receive(pair.there, over("shm"), "in")) {
            try (var socket = connected("shm")) {
                socket.write(ints(ring, ring));
                var length = ByteBuffer.allocate(1);
                assertThat(socket.read(length)).isEqualTo(1);
                assertThat(length.get(0)).as("length of the complaint").isNotZero();
            }
            try (var out = pair.send(pair.here, over("shm"), "out")) {
                out.connect(pair.there.id(), "in"); // waits until the other has failed there
                converse(out, in);
            }
        }
    }

    @Test
    void a_stack_that_cannot_be_read_is_refused_with_position_and_what_is_known() {
        try (var in = pair.receive(pair.there, PortType.oneToOne(), "in")) {
            assertThat(intruder.ask(pair.there.id(), intruder.key(), "fragment(siz=1) > tcp", "in"))
                    .contains("siz")
                    .contains("10")
                    .contains("size");
            assertThat(intruder.ask(pair.there.id(), intruder.key(), "tcpp", "in"))
                    .contains("tcpp")
                    .contains("loopback, ");
            requireTheNextOneIsServed(in, "auto");
        }
    }

    @Tag("slow")
    @Test
    void nonsense_on_service_links_harms_nobody() throws IOException {
        try (var in = pair.receive(pair.there, over("tcp"), "in");
                var out = pair.send(pair.here, over("tcp"), "out")) {
            out.connect(pair.there.id(), "in");
            for (int i = 0; i < 100; i++) {
                try (var control = intruder.control(pair.there)) {
                    for (int j = 0; j < 30 && control.send(intruder.nonsense()); j++) {
                        // as long as it is listened to
                    }
                }
                converse(out, in);
            }
            assertThat(pair.there.peers().connected(pair.here.id())).isTrue();
            assertThat(pair.there.channels().links()).isEqualTo(1);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"shm", "multi(shm, tcp)"})
    void a_connect_keeps_its_limit_when_the_promised_link_is_not_made(String stack) {
        try (var out = pair.send(pair.here, over(stack), "out")) {
            intruder.promise();
            long begun = System.nanoTime();
            assertThatThrownBy(() -> out.connect(evil.id(), "in", Duration.ofSeconds(5)))
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining("the link was not made in time");
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(Duration.ofSeconds(14)); // a link that is promised has 15
        }
    }

    @Test
    void a_node_that_answers_with_nonsense_is_not_connected_to() {
        try (var out = pair.send(pair.here, over("tcp"), "out");
                var in = pair.receive(pair.there, over("tcp"), "in")) {
            intruder.answer(_ -> new byte[] {1, 2, 3});
            assertThatThrownBy(() -> out.connect(evil.id(), "in"))
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining("(limit 20 s): node ")
                    .hasMessageContaining(evil.id().brief() + " answered with garbage")
                    .hasCauseInstanceOf(ServiceFailed.class);
            intruder.answer(_ -> Intruder.yes(intruder.key()));
            assertThatThrownBy(() -> out.connect(evil.id(), "in"))
                    .isInstanceOf(ConnectRefused.class)
                    .hasMessageContaining("chose is gone");
            out.connect(pair.there.id(), "in");
            converse(out, in);
        }
    }
}
