package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.channel.Intruder;
import org.ibidem.link.Terms;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A machine of the other byte order: what it sends over `conversion > tcp`, written here by hand
/// as the pages of the wire formats say, is read as if it came from a machine like this one.
@Timeout(60)
class ForeignPeerTest {
    private static final ByteOrder FOREIGN =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                    ? ByteOrder.LITTLE_ENDIAN
                    : ByteOrder.BIG_ENDIAN;

    private static final PortType TYPE = PortType.oneToOne().stack("conversion > tcp");
    private static final PortType OBJECTS = TYPE.objects("object");
    private static final int FRAME = 2000;
    private static final int LONGEST = 200;

    /// The first byte of an object stream: which byte comes first in its numbers.
    private static final int FORM = FOREIGN == ByteOrder.BIG_ENDIAN ? 0x11 : 0x10;

    private final Pair pair = new Pair();
    private final NodeRuntime foreign = pair.runtime();
    private final Intruder machine =
            new Intruder(foreign, new Random(1)).on(new Terms(FOREIGN, FRAME));

    @AfterEach
    void close() {
        pair.close();
        foreign.close();
    }

    /// Sent as a value.
    record Spot(double height, int row, String name) implements Serializable {}

    private SocketChannel connected(PortType type) throws IOException {
        var key = machine.key();
        var request = new PortRequest("in", "foreign", 1, type).encode();
        assertThat(machine.ask(pair.there.id(), key, type.stack(), request)).isEmpty();
        var socket = machine.dial(pair.there.id(), key, type.stack());
        socket.configureBlocking(true);
        return socket;
    }

    /// A frame that is being filled: what is no value is little-endian on every machine.
    private static final class Payload {
        private final ByteBuffer bytes = ByteBuffer.allocate(FRAME).order(FOREIGN);

        /// The head of a run.
        ByteBuffer run(int kind, int flags, int count) {
            return little().putInt(flags | kind << 24 | count).order(FOREIGN);
        }

        /// The head of the first run of an array or a string.
        ByteBuffer run(int kind, int flags, int count, long length) {
            run(kind, flags, count);
            return little().putLong(length).order(FOREIGN);
        }

        private ByteBuffer little() {
            return bytes.order(ByteOrder.LITTLE_ENDIAN);
        }

        void send(SocketChannel socket, int flags) throws IOException {
            bytes.flip();
            var header = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(flags << 24 | bytes.remaining()).flip();
            socket.write(header);
            socket.write(bytes);
        }
    }

    private static void put(ByteBuffer to, Object array, int from, int end) {
        for (int i = from; i < end; i++) {
            switch (Array.get(array, i)) {
                case Boolean value -> to.put((byte) (value ? 1 : 0));
                case Byte value -> to.put(value);
                case Character value -> to.putChar(value);
                case Short value -> to.putShort(value);
                case Integer value -> to.putInt(value);
                case Float value -> to.putFloat(value);
                case Long value -> to.putLong(value);
                case Double value -> to.putDouble(value);
                default -> throw new AssertionError(array);
            }
        }
    }

    private static Object read(ReadMessage message, Class<?> element, int length) {
        var got = Array.newInstance(element, length);
        switch (got) {
            case boolean[] array -> message.readArray(array);
            case byte[] array -> message.readArray(array);
            case char[] array -> message.readArray(array);
            case short[] array -> message.readArray(array);
            case int[] array -> message.readArray(array);
            case float[] array -> message.readArray(array);
            case long[] array -> message.readArray(array);
            case double[] array -> message.readArray(array);
            default -> throw new AssertionError(element);
        }
        return got;
    }

    /// In the order of the kinds of runs.
    private static Object[] arrays() {
        return new Object[] {
            new boolean[] {true, false, true},
            new byte[] {1, -2, 127},
            new char[] {'a', '€', '\u1234'},
            new short[] {1, -2, 0x1234},
            new int[] {1, -2, 0x12345678},
            new float[] {1.5f, -0.1f, Float.MIN_VALUE},
            new long[] {1, -2, 0x1234567890ABCDEFL},
            new double[] {1.5, -0.1, Double.MIN_VALUE}
        };
    }

    @Test
    void values_of_every_kind_and_the_number_of_the_message_are_right() throws IOException {
        var type = TYPE.with(Capability.NUMBERED);
        try (var in = pair.receive(pair.there, type, "in");
                var socket = connected(type)) {
            var first = new Payload();
            first.run(Run.NUMBER, 0, 1);
            first.little().putLong(0x123456);
            var arrays = arrays();
            for (int kind = 0; kind < arrays.length; kind++) {
                put(first.run(kind, 0, 3), arrays[kind], 0, 3);
            }
            first.send(socket, 0);
            try (var message = in.receive()) {
                assertThat(message.sequenceNumber()).isEqualTo(0x123456);
                assertThat(message.readBoolean()).isTrue();
                assertThat(message.readBoolean()).isFalse();
                assertThat(message.readBoolean()).isTrue();
                assertThat(message.readByte()).isEqualTo((byte) 1);
                assertThat(message.readByte()).isEqualTo((byte) -2);
                assertThat(message.readByte()).isEqualTo((byte) 127);
                assertThat(message.readChar()).isEqualTo('a');
                assertThat(message.readChar()).isEqualTo('€');
                assertThat(message.readChar()).isEqualTo('\u1234');
                assertThat(message.readShort()).isEqualTo((short) 1);
                assertThat(message.readShort()).isEqualTo((short) -2);
                assertThat(message.readShort()).isEqualTo((short) 0x1234);
                assertThat(message.readInt()).isEqualTo(1);
                assertThat(message.readInt()).isEqualTo(-2);
                assertThat(message.readInt()).isEqualTo(0x12345678);
                assertThat(message.readFloat()).isEqualTo(1.5f);
                assertThat(message.readFloat()).isEqualTo(-0.1f);
                assertThat(message.readFloat()).isEqualTo(Float.MIN_VALUE);
                assertThat(message.readLong()).isEqualTo(1);
                assertThat(message.readLong()).isEqualTo(-2);
                assertThat(message.readLong()).isEqualTo(0x1234567890ABCDEFL);
                assertThat(message.readDouble()).isEqualTo(1.5);
                assertThat(message.readDouble()).isEqualTo(-0.1);
                assertThat(message.readDouble()).isEqualTo(Double.MIN_VALUE);
            }
        }
    }

    @Test
    void values_in_rows_are_right() throws IOException {
        var type = TYPE.with(Capability.NUMBERED);
        try (var in = pair.receive(pair.there, type, "in");
                var socket = connected(type)) {
            var first = new Payload();
            first.run(Run.NUMBER, 0, 1);
            first.little().putLong(0x123456);
            first.run(Run.ROW, 0, 0x89_ABCD).put((byte) 1).put((byte) -2).putChar('€');
            first.bytes.putShort((short) 0x1234).putInt(0x12345678).putFloat(-0.1f);
            first.send(socket, Frame.MORE);
            var second = new Payload();
            second.run(Run.ROW, 0, 0xFE_0000).putDouble(-0.1).putLong(0x1234567890ABCDEFL);
            second.send(socket, 0);
            try (var message = in.receive()) {
                assertThat(message.sequenceNumber()).isEqualTo(0x123456);
                assertThat(message.readBoolean()).isTrue();
                assertThat(message.readByte()).isEqualTo((byte) -2);
                assertThat(message.readChar()).isEqualTo('€');
                assertThat(message.readShort()).isEqualTo((short) 0x1234);
                assertThat(message.readInt()).isEqualTo(0x12345678);
                assertThat(message.readFloat()).isEqualTo(-0.1f);
                assertThat(message.readDouble()).isEqualTo(-0.1);
                assertThat(message.readLong()).isEqualTo(0x1234567890ABCDEFL);
            }
        }
    }

    @Test
    void arrays_are_right_wherever_a_frame_ends_in_them() throws IOException {
        try (var in = pair.receive(pair.there, OBJECTS, "in");
                var socket = connected(OBJECTS)) {
            for (int kind = 0; kind < arrays().length; kind++) {
                for (int cut = 0; cut <= 3; cut++) {
                    cutArray(in, socket, kind, cut);
                }
            }
        }
    }

    private static void cutArray(ReceivePort in, SocketChannel socket, int kind, int cut)
            throws IOException {
        var array = arrays()[kind];
        for (boolean object : new boolean[] {false, true}) {
            var first = new Payload();
            first.run(Run.BYTE, 0, 1).put((byte) 7); // so that nothing is aligned
            put(first.run(Run.ARRAY | kind, 0, cut, 3), array, 0, cut);
            first.send(socket, Frame.MORE);
            var second = new Payload();
            if (cut < 3) {
                put(second.run(Run.ARRAY | kind, Run.CONTINUED, 3 - cut), array, cut, 3);
            }
            second.run(Run.INT, 0, 1).putInt(-8);
            second.send(socket, 0);
            try (var message = in.receive()) {
                assertThat(message.readByte()).isEqualTo((byte) 7);
                assertThat(
                                object
                                        ? message.readObject()
                                        : read(message, array.getClass().componentType(), 3))
                        .as("%s cut after %d", Run.name(Run.ARRAY | kind), cut)
                        .isEqualTo(array);
                assertThat(message.readInt()).isEqualTo(-8);
            }
        }
    }

    @Test
    void strings_are_right_wherever_a_frame_ends_in_them() throws IOException {
        var text = "aé€😀";
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        try (var in = pair.receive(pair.there, TYPE, "in");
                var socket = connected(TYPE)) {
            for (int cut = 0; cut <= bytes.length; cut++) {
                var first = new Payload();
                first.run(Run.STRING, 0, cut, bytes.length).put(bytes, 0, cut);
                first.send(socket, Frame.MORE);
                var second = new Payload();
                if (cut < bytes.length) {
                    second.run(Run.STRING, Run.CONTINUED, bytes.length - cut)
                            .put(bytes, cut, bytes.length - cut);
                }
                second.run(Run.DOUBLE, 0, 1).putDouble(-2.25);
                second.send(socket, 0);
                try (var message = in.receive()) {
                    assertThat(message.readString()).isEqualTo(text);
                    assertThat(message.readDouble()).isEqualTo(-2.25);
                }
            }
        }
    }

    /// A described class, with values of its own in the machine's order. See docs/wire/objects.md.
    private static byte[] description() {
        var name = Spot.class.getName();
        return new ControlWriter(LONGEST)
                .u16(0) // the class's number
                .u8(1) // a record
                .u8(2) // which is a value
                .text(name, LONGEST)
                .u16(0)
                .u16(1)
                .text(name, LONGEST)
                .i64(0)
                .u8(0)
                .u16(3)
                .u8('D')
                .text("height", LONGEST)
                .u8('I')
                .text("row", LONGEST)
                .u8('L')
                .text("name", LONGEST)
                .toBytes();
    }

    /// One object, behind the first byte of the stream.
    private static byte[] graph() {
        var bytes = ByteBuffer.allocate(100).order(FOREIGN);
        bytes.put((byte) 64).putDouble(1.25).putInt(0x123456).put((byte) (128 + 2));
        bytes.put("ab".getBytes(StandardCharsets.ISO_8859_1));
        var written = new byte[bytes.flip().remaining()];
        bytes.get(written);
        return written;
    }

    @Test
    void objects_are_right_wherever_a_frame_ends_in_them() throws IOException {
        var graph = graph();
        try (var in = pair.receive(pair.there, OBJECTS, "in");
                var socket = connected(OBJECTS)) {
            for (int cut = 0; cut <= graph.length; cut++) {
                var first = new Payload();
                first.run(Run.OBJECT, Run.UNFINISHED, 1).put((byte) FORM);
                if (cut == 0) { // classes are described once on a connection
                    first.run(Run.DESCRIPTION, 0, description().length).put(description());
                }
                int middle = Run.CONTINUED | Run.UNFINISHED;
                first.run(Run.OBJECT, middle, cut).put(graph, 0, cut);
                first.send(socket, Frame.MORE);
                var second = new Payload();
                second.run(Run.OBJECT, Run.CONTINUED, graph.length - cut)
                        .put(graph, cut, graph.length - cut);
                second.run(Run.LONG, 0, 1).putLong(-9);
                second.send(socket, 0);
                try (var message = in.receive()) {
                    assertThat(message.readObject())
                            .as("cut after %d", cut)
                            .isEqualTo(new Spot(1.25, 0x123456, "ab"));
                    assertThat(message.readLong()).isEqualTo(-9);
                }
            }
        }
    }

    /// The class is described once: whoever waits for the rest of that may be interrupted, skip it,
    /// and be interrupted then.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_interrupt_amid_a_class_description_costs_one_message(boolean again) throws IOException {
        var description = description();
        int cut = description.length / 2;
        var object = new Spot(1.25, 0x123456, "ab");
        try (var in = pair.receive(pair.there, OBJECTS, "in");
                var socket = connected(OBJECTS)) {
            var first = new Payload();
            first.run(Run.OBJECT, Run.UNFINISHED, 1).put((byte) FORM);
            first.run(Run.DESCRIPTION, Run.UNFINISHED, cut).put(description, 0, cut);
            first.send(socket, Frame.MORE);
            var message = in.receive();
            interrupted(message::readObject);
            if (again) {
                interrupted(message::close);
                assertThat(in.poll()).isNull();
            }
            var second = new Payload();
            int rest = description.length - cut;
            second.run(Run.DESCRIPTION, Run.CONTINUED, rest).put(description, cut, rest);
            goOn(second, socket);
            message.close();
            var third = new Payload();
            third.run(Run.OBJECT, Run.UNFINISHED, 1).put((byte) FORM);
            goOn(third, socket);
            try (var next = in.receive()) {
                assertThat(next.readObject()).isEqualTo(object);
            }
        }
    }

    private static void goOn(Payload into, SocketChannel socket) throws IOException {
        into.run(Run.OBJECT, Run.CONTINUED, graph().length).put(graph());
        into.send(socket, 0);
    }

    private static void interrupted(ThrowingCallable what) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(what).isInstanceOf(WaitInterrupted.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_port_of_this_machine_connects_to_the_same_receive_port_afterwards() throws IOException {
        try (var in = pair.receive(pair.there, TYPE, "in")) {
            try (var socket = connected(TYPE)) {
                eventually("it is connected", () -> in.connections().size() == 1);
                var end = new Payload();
                end.send(socket, Frame.END);
                eventually(
                        "its end is read", () -> in.poll() == null && in.connections().isEmpty());
            }
            try (var out = pair.send(pair.here, TYPE, "out")) {
                out.connect(pair.there.id(), "in");
                try (var message = out.newMessage()) {
                    message.writeArray(new int[] {0x12345678}).finish();
                }
                var got = new int[1];
                try (var message = in.receive()) {
                    message.readArray(got);
                }
                assertThat(got).containsExactly(0x12345678);
            }
        }
    }
}
