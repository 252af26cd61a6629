package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.buffer.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;

/// What ports promise, over every network driver.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "fragment(size=128) > tcp", "multiplex > tcp", "auto"})
@Timeout(30)
@Execution(ExecutionMode.CONCURRENT)
class PortsTest {
    /// Of 100 kB each: more than rings and the kernel's buffers hold.
    private static final int MOST_UNDER_WAY = 200;

    private final PortType type;

    private final Pair pair = new Pair();

    PortsTest(String stack) {
        this.type = PortType.oneToOne().stack(stack).data(Data.OBJECT);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private SendPort connected(String port) {
        var out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), port);
        return out;
    }

    @Test
    void carries_every_kind_of_primitive() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            try (var m = out.newMessage()) {
                m.writeBoolean(true).writeByte((byte) -1).writeShort((short) -2).writeChar('ß');
                m.writeInt(-3).writeLong(Long.MIN_VALUE).writeFloat(1.5f).writeDouble(Math.PI);
                m.finish();
            }
            try (var m = in.receive()) {
                assertThat(m.origin()).isEqualTo(new Origin(pair.here.id(), "out"));
                assertThat(m.readBoolean()).isTrue();
                assertThat(m.readByte()).isEqualTo((byte) -1);
                assertThat(m.readShort()).isEqualTo((short) -2);
                assertThat(m.readChar()).isEqualTo('ß');
                assertThat(m.readInt()).isEqualTo(-3);
                assertThat(m.readLong()).isEqualTo(Long.MIN_VALUE);
                assertThat(m.readFloat()).isEqualTo(1.5f);
                assertThat(m.readDouble()).isEqualTo(Math.PI);
                assertThat(m.bytesRead()).isEqualTo(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 2 * Run.TAG);
            }
        }
    }

    @Test
    void carries_every_kind_of_array() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            try (var m = out.newMessage()) {
                m.writeArray(new boolean[] {true, false}).writeArray(new byte[] {1, 2, 3}, 1, 2);
                m.writeArray(new short[] {4})
                        .writeArray(new char[] {'x'})
                        .writeArray(new int[] {5, 6});
                m.writeArray(new long[] {7}).writeArray(new float[] {8});
                m.writeArray(new double[] {9, 10}, 1, 1).finish();
            }
            var booleans = new boolean[2];
            var bytes = new byte[4];
            var shorts = new short[1];
            var chars = new char[1];
            var ints = new int[2];
            var longs = new long[1];
            var floats = new float[1];
            var doubles = new double[1];
            try (var m = in.receive()) {
                m.readArray(booleans).readArray(bytes, 1, 2).readArray(shorts).readArray(chars);
                m.readArray(ints).readArray(longs).readArray(floats).readArray(doubles);
            }
            assertThat(booleans).containsExactly(true, false);
            assertThat(bytes).containsExactly(0, 2, 3, 0);
            assertThat(shorts).containsExactly((short) 4);
            assertThat(chars).containsExactly('x');
            assertThat(ints).containsExactly(5, 6);
            assertThat(longs).containsExactly(7);
            assertThat(floats).containsExactly(8);
            assertThat(doubles).containsExactly(10);
        }
    }

    @Test
    void carries_strings_buffers_segments_and_objects() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in");
                var arena = Arena.ofConfined()) {
            var segment = arena.allocate(100).fill((byte) 7);
            try (var m = out.newMessage()) {
                m.writeString("naïve 😀").writeString("").writeString("long ".repeat(50_000));
                m.write(ByteBuffer.wrap(new byte[] {11, 12})).write(segment, 10, 20);
                m.writeObject(new ArrayList<>(List.of("a", 1))).writeObject(null).finish();
            }
            try (var m = in.receive()) {
                assertThat(m.readString()).isEqualTo("naïve 😀");
                assertThat(m.readString()).isEmpty();
                assertThat(m.readString()).isEqualTo("long ".repeat(50_000));
                var buffer = ByteBuffer.allocateDirect(2);
                m.read(buffer);
                assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {11, 12}));
                var got = MemorySegment.ofArray(new byte[30]);
                m.read(got, 5, 20);
                assertThat(got.asSlice(5, 20).mismatch(segment.asSlice(10, 20))).isEqualTo(-1);
                assertThat(m.readObject()).isEqualTo(List.of("a", 1));
                assertThat(m.readObject()).isNull();
            }
        }
    }

    @Test
    void an_object_that_is_not_allowed_is_refused_and_what_is_no_object_is_read() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            try (var m = out.newMessage()) {
                m.writeObject(new java.io.File("/")).writeObject("next").writeInt(7).finish();
            }
            try (var m = in.receive()) {
                assertThatThrownBy(m::readObject)
                        .isInstanceOf(ObjectRefused.class)
                        .hasMessageContaining("java.io.File")
                        .hasMessageContaining("ObjectPolicy");
                assertThatThrownBy(m::readObject)
                        .isInstanceOf(ObjectRefused.class)
                        .hasMessageContaining("an object before it");
                assertThat(m.readInt()).isEqualTo(7);
            }
            try (var m = out.newMessage()) {
                m.writeObject("after").finish();
            }
            try (var m = in.receive()) {
                assertThat(m.readObject()).isEqualTo("after");
            }
        }
    }

    @Test
    void carries_messages_larger_than_any_buffer() throws InterruptedException {
        var data = new double[1 << 18];
        Arrays.setAll(data, i -> i * 0.5);
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            var writer =
                    Thread.startVirtualThread(() -> {
                        for (int i = 0; i < 3; i++) {
                            try (var m = out.newMessage()) {
                                m.writeInt(i).writeArray(data).finish();
                            }
                        }
                    });
            for (int i = 0; i < 3; i++) {
                try (var m = in.receive()) {
                    assertThat(m.readInt()).isEqualTo(i);
                    var got = new double[data.length];
                    m.readArray(got);
                    assertThat(got).isEqualTo(data);
                }
            }
            writer.join();
        }
    }

    @Test
    void keeps_order_and_skips_what_is_not_read() throws InterruptedException {
        int count = 5_000;
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            var random = new Random(42);
            var writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < count; i++) {
                                    try (var m = out.newMessage()) {
                                        m.writeInt(i).writeArray(new byte[random.nextInt(3000)]);
                                        m.finish();
                                    }
                                }
                            });
            for (int i = 0; i < count; i++) {
                try (var m = in.receive()) {
                    assertThat(m.readInt()).isEqualTo(i);
                }
            }
            writer.join();
            assertThat(in.poll()).isNull();
            assertThat(in.messages()).isEqualTo(count);
        }
    }

    @Test
    void a_reverse_connection_uses_the_free_direction_of_the_link() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in");
                var back = pair.receive(pair.here, type, "back");
                var reply = pair.send(pair.there, type, "reply")) {
            reply.connect(pair.here.id(), "back");
            assertThat(pair.here.channels().links()).isEqualTo(1);
            assertThat(pair.there.channels().links()).isEqualTo(1);
            for (int i = 0; i < 100; i++) {
                send(out, i);
                assertThat(receive(in)).isEqualTo(i);
                send(reply, -i);
                assertThat(receive(back)).isEqualTo(-i);
            }
        }
    }

    @Test
    void a_port_can_be_reconnected_after_it_was_disconnected() {
        try (var in = pair.receive(pair.there, type, "in");
                var other = pair.receive(pair.there, type, "other");
                var out = connected("in")) {
            send(out, 1);
            out.disconnect();
            assertThatThrownBy(out::newMessage).isInstanceOf(NotConnected.class);
            assertThat(receive(in)).isEqualTo(1);
            eventually("its end is read", () -> in.poll() == null && in.connections().isEmpty());
            out.connect(pair.there.id(), "other");
            send(out, 2);
            assertThat(receive(other)).isEqualTo(2);
            assertThat(pair.here.channels().links()).isEqualTo(1);
        }
    }

    @Test
    @Tag("slow")
    void a_message_that_is_not_finished_is_never_received_as_one() throws InterruptedException {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            try (var m = out.newMessage()) {
                m.writeInt(1);
            }
            var writer =
                    Thread.startVirtualThread(() -> {
                        try (var m = out.newMessage()) {
                            m.writeArray(new byte[1 << 20]);
                        }
                    });
            try (var m = in.receive()) {
                assertThatThrownBy(() -> m.readArray(new byte[1 << 20]))
                        .isInstanceOf(MessageAbandoned.class);
            }
            send(out, 3);
            assertThat(receive(in)).isEqualTo(3);
            writer.join();
        }
    }

    @Test
    void a_flush_lets_the_reader_begin_before_the_end() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in");
                var m = out.newMessage()) {
            m.writeInt(1).flush();
            try (var got = in.receive()) {
                assertThat(got.readInt()).isEqualTo(1);
                m.writeInt(2).finish();
                assertThat(got.readInt()).isEqualTo(2);
                assertThatThrownBy(got::readInt)
                        .isInstanceOf(ReadMismatch.class)
                        .hasMessageContaining("ends after 16 bytes");
            }
        }
    }

    @Test
    void held_messages_arrive_with_the_next_flush() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            for (int i = 0; i < 10; i++) {
                try (var m = out.newMessage()) {
                    m.writeInt(i).finishHeld();
                }
            }
            out.flush();
            for (int i = 0; i < 10; i++) {
                assertThat(receive(in)).isEqualTo(i);
            }
        }
    }

    @Test
    void a_receive_with_a_limit_ends_without_a_message() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            assertThat(in.receive(Duration.ofMillis(5))).isNull();
            send(out, 1);
            try (var m = in.receive(Duration.ofSeconds(20))) {
                assertThat(m).isNotNull();
                assertThat(m.readInt()).isEqualTo(1);
            }
        }
    }

    @Test
    @Tag("slow")
    void a_reader_that_does_not_read_blocks_its_writer() throws InterruptedException {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            int count = 400;
            var writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < count; i++) {
                                    try (var m = out.newMessage()) {
                                        m.writeInt(i).writeArray(new byte[100_000]).finish();
                                    }
                                }
                            });
            for (int i = 0; i < count; i++) {
                assertThat(out.messages()).as("messages under way").isLessThan(i + MOST_UNDER_WAY);
                assertThat(receive(in)).isEqualTo(i);
            }
            writer.join();
        }
    }

    @Test
    void the_sender_is_told_when_the_receiver_closes() {
        var in = pair.receive(pair.there, type, "in");
        try (var out = connected("in")) {
            send(out, 1);
            in.close();
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    send(out, 2);
                                }
                            })
                    .isInstanceOfAny(ConnectionLost.class, NotConnected.class);
            try (var again = pair.receive(pair.there, type, "in")) {
                out.connect(pair.there.id(), "in");
                send(out, 3);
                assertThat(receive(again)).isEqualTo(3);
            }
        }
    }

    @Test
    @Tag("slow")
    void the_receiver_is_told_when_the_senders_link_breaks() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            send(out, 1);
            pair.here.channels().close();
            assertThat(receive(in)).isEqualTo(1);
            assertThatThrownBy(in::receive)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("port 'out' of node " + pair.here.id().brief());
            assertThat(in.connections()).isEmpty();
        }
    }

    @Test
    void waits_for_a_receive_port_that_is_opened_later() throws InterruptedException {
        try (var out = pair.send(pair.here, type, "out")) {
            var connecting = Thread.ofVirtual().start(() -> out.connect(pair.there.id(), "late"));
            eventually("it waits at the other node", () -> pair.there.channels().waiting() == 1);
            assertThat(connecting.isAlive()).isTrue();
            try (var in = pair.receive(pair.there, type, "late")) {
                connecting.join();
                send(out, 5);
                assertThat(receive(in)).isEqualTo(5);
            }
        }
    }

    @Test
    void a_receive_keeps_its_limit_while_another_thread_waits_for_a_message() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            var waits = new CountDownLatch(1);
            var got =
                    Background.run(() -> {
                        waits.countDown();
                        assertThat(receive(in)).isEqualTo(5);
                    });
            waits.await();
            // Without its limit it would wait for what is sent after it.
            for (int i = 0; i < 10; i++) {
                assertThat(in.receive(Duration.ofMillis(10))).isNull();
                assertThat(in.poll()).isNull();
            }
            send(out, 5);
            got.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("slow")
    void refusals_say_what_is_wrong() {
        var many = PortType.manyToOne().stack(type.stack());
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in");
                var second = pair.send(pair.here, type, "second");
                var other = pair.send(pair.here, many, "other")) {
            assertThatThrownBy(() -> second.connect(pair.there.id(), "in"))
                    .isInstanceOfSatisfying(
                            ConnectRefused.class,
                            e -> assertThat(e.why()).isEqualTo(ConnectRefused.Why.OCCUPIED))
                    .hasMessageContaining("connected to port 'out'")
                    .hasMessageContaining("disconnect that one first");
            var limit = Duration.ofMillis(700);
            assertThat(Pair.refused(() -> second.connect(pair.there.id(), "inn", limit)))
                    .hasMessageContaining("no receive port 'inn'; did you mean 'in'?");
            assertThatThrownBy(() -> other.connect(pair.there.id(), "in"))
                    .isInstanceOf(ConnectRefused.class)
                    .hasMessageContaining("many-to-one")
                    .hasMessageContaining("data: object here, data there");
            assertThatThrownBy(() -> pair.receive(pair.there, type, "in"))
                    .isInstanceOf(PortNameTaken.class);
            send(out, 5);
            assertThat(receive(in)).isEqualTo(5);
        }
    }

    @Test
    void reads_that_do_not_match_say_so_and_harm_only_their_message() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            send(out, 1);
            try (var m = in.receive()) {
                assertThatThrownBy(m::readLong)
                        .isInstanceOf(ReadMismatch.class)
                        .hasMessageContaining("at byte 0");
            }
            send(out, 2);
            assertThat(receive(in)).isEqualTo(2);
        }
    }

    private static void send(SendPort out, int value) {
        try (var m = out.newMessage()) {
            m.writeInt(value).finish();
        }
    }

    private static int receive(ReceivePort in) {
        try (var m = in.receive()) {
            return m.readInt();
        }
    }
}
