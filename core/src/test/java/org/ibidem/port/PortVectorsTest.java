package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The formats of port requests and messages stay what the vectors say.
@Timeout(20)
class PortVectorsTest {
    private static final PortType TYPE = PortType.oneToOne().stack("loopback").objects("jdk");

    private final Vectors vectors = Vectors.read("ports");
    @AutoClose private final Pair nodes = new Pair();
    private final Ends checked = new Ends(TYPE);
    private final Ends unchecked = new Ends(TYPE.with(Capability.UNCHECKED));

    PortVectorsTest() throws IOException {}

    @BeforeEach
    void little() {
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
                "the vectors are what a little-endian machine writes");
    }

    /// Two ports of one type, connected.
    private final class Ends {
        final ReceivePort in;
        final SendPort out;

        Ends(PortType type) {
            var name = "in " + type;
            in = nodes.receive(nodes.there, type, name);
            out = nodes.send(nodes.here, type, "out");
            out.connect(nodes.there.id(), name);
        }

        void written(String name, Consumer<WriteMessage> writes) {
            var wanted = vectors.get(name);
            try (var message = out.newMessage()) {
                writes.accept(message);
                assertThat(message.finish()).as(name).isEqualTo(wanted.length);
            }
            try (var message = in.receive()) {
                assertThat(bytes(message)).as(name).isEqualTo(wanted);
            }
        }

        private static byte[] bytes(ReadMessage message) {
            var frame = message.frame;
            var bytes = new byte[(int) (frame.limit - frame.start)];
            MemorySegment.copy(
                    frame.memory, frame.start, MemorySegment.ofArray(bytes), 0, bytes.length);
            return bytes;
        }

        /// Has the reader find these bytes and nothing else in a message.
        void sent(byte[] bytes) {
            try (var message = out.newMessage()) {
                message.endArray(); // nothing is in hand, not even the tag of a row
                var frame = message.frame;
                frame.position = message.from;
                MemorySegment.copy(
                        MemorySegment.ofArray(bytes),
                        0,
                        frame.memory,
                        frame.position,
                        bytes.length);
                frame.position += bytes.length;
                message.finish();
            }
        }

        void read(String name, Consumer<ReadMessage> reads) {
            sent(vectors.get(name));
            try (var message = in.receive()) {
                reads.accept(message);
                assertThat(message.bytesRead()).as(name).isEqualTo(vectors.get(name).length);
            }
        }

        void both(String name, Consumer<WriteMessage> writes, Consumer<ReadMessage> reads) {
            written(name, writes);
            read(name, reads);
        }
    }

    private void everyType(
            String name, Consumer<WriteMessage> writes, Consumer<ReadMessage> reads) {
        checked.both(name, writes, reads);
        unchecked.both("unchecked." + name, writes, reads);
    }

    @Test
    void connections_are_asked_for_so() {
        var wanted = new PortRequest("rows", "out é", 7, PortType.manyToOne().objects("jdk"));
        assertThat(wanted.encode()).isEqualTo(vectors.get("request"));
        assertThat(PortRequest.decode(vectors.get("request"))).isEqualTo(wanted);
        var data =
                new PortRequest(
                        "rows",
                        "out é",
                        -2,
                        PortType.oneToOne().named("halo").with(Capability.UNCHECKED));
        assertThat(data.encode()).isEqualTo(vectors.get("request.data"));
        assertThat(PortRequest.decode(vectors.get("request.data"))).isEqualTo(data);
    }

    @Test
    void requests_that_must_be_refused_are() {
        assertThat(vectors.starting("bad."))
                .hasSize(6)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> PortRequest.decode(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }

    @Test
    void primitives_lie_so() {
        everyType(
                "primitives",
                message ->
                        message.writeBoolean(true)
                                .writeBoolean(false)
                                .writeByte((byte) -2)
                                .writeShort((short) -3)
                                .writeChar('€')
                                .writeInt(-4)
                                .writeLong(-5)
                                .writeFloat(1.5f)
                                .writeDouble(-2.25),
                PortVectorsTest::readPrimitives);
        checked.read("primitives.runs", PortVectorsTest::readPrimitives);
    }

    private static void readPrimitives(ReadMessage message) {
        assertThat(message.readBoolean()).isTrue();
        assertThat(message.readBoolean()).isFalse();
        assertThat(message.readByte()).isEqualTo((byte) -2);
        assertThat(message.readShort()).isEqualTo((short) -3);
        assertThat(message.readChar()).isEqualTo('€');
        assertThat(message.readInt()).isEqualTo(-4);
        assertThat(message.readLong()).isEqualTo(-5);
        assertThat(message.readFloat()).isEqualTo(1.5f);
        assertThat(message.readDouble()).isEqualTo(-2.25);
    }

    @Test
    void up_to_six_values_of_any_kinds_share_a_tag() {
        checked.both(
                "row",
                message -> message.writeInt(1).writeInt(2).writeInt(3).writeLong(4),
                PortVectorsTest::readFour);
        checked.both(
                "mixed",
                message -> writeInts(message, 6).writeLong(7).writeInt(8),
                message -> {
                    readInts(message, 6);
                    assertThat(message.readLong()).isEqualTo(7);
                    assertThat(message.readInt()).isEqualTo(8);
                });
    }

    @Test
    void more_values_of_one_kind_share_another_tag() {
        checked.both("alike", message -> writeInts(message, 8), message -> readInts(message, 8));
    }

    @Test
    void readers_take_rows_and_runs_alike() {
        checked.read("runs", PortVectorsTest::readFour);
        checked.read("parted", PortVectorsTest::readFour);
    }

    private static WriteMessage writeInts(WriteMessage message, int count) {
        for (int i = 1; i <= count; i++) {
            message.writeInt(i);
        }
        return message;
    }

    private static void readInts(ReadMessage message, int count) {
        for (int i = 1; i <= count; i++) {
            assertThat(message.readInt()).isEqualTo(i);
        }
    }

    private static void readFour(ReadMessage message) {
        readInts(message, 3);
        assertThat(message.readLong()).isEqualTo(4);
    }

    @Test
    void numbers_come_first() {
        for (var prefix : new String[] {"", "unchecked."}) {
            var type = prefix.isEmpty() ? TYPE : TYPE.with(Capability.UNCHECKED);
            var numbered = new Ends(type.with(Capability.NUMBERED));
            for (int i = 0; i < 5; i++) {
                try (var message = numbered.out.newMessage()) {
                    message.finish();
                }
                numbered.in.receive().close();
            }
            numbered.both(
                    prefix + "numbered",
                    message -> message.writeInt(1),
                    PortVectorsTest::readNumbered);
            if (prefix.isEmpty()) {
                numbered.read("numbered.runs", PortVectorsTest::readNumbered);
            }
        }
    }

    private static void readNumbered(ReadMessage message) {
        assertThat(message.sequenceNumber()).isEqualTo(5);
        assertThat(message.readInt()).isEqualTo(1);
    }

    @Test
    void arrays_lie_so() {
        var ints = new int[2];
        var doubles = new double[2];
        var booleans = new boolean[2];
        everyType(
                "arrays",
                message ->
                        message.writeArray(new byte[] {1, 2})
                                .writeArray(new short[] {1, -1})
                                .writeArray(new char[] {'a', 'b'})
                                .writeArray(new int[] {1, -1})
                                .writeArray(new long[] {1, -1})
                                .writeArray(new float[] {1, -1})
                                .writeArray(new double[] {1, -1})
                                .writeArray(new boolean[] {true, false}),
                message -> {
                    message.readArray(new byte[2])
                            .readArray(new short[2])
                            .readArray(new char[2])
                            .readArray(ints)
                            .readArray(new long[2])
                            .readArray(new float[2])
                            .readArray(doubles)
                            .readArray(booleans);
                    assertThat(ints).containsExactly(1, -1);
                    assertThat(doubles).containsExactly(1, -1);
                    assertThat(booleans).containsExactly(true, false);
                });
    }

    @Test
    void the_parts_of_an_array_may_end_anywhere() {
        checked.read(
                "parts",
                message -> {
                    var ints = new int[3];
                    message.readArray(ints);
                    assertThat(ints).containsExactly(1, 2, 3);
                });
    }

    @Test
    void no_string_lies_so() {
        everyType(
                "none",
                message -> message.writeString(null).writeInt(1),
                message -> {
                    assertThat(message.readString()).isNull();
                    assertThat(message.readInt()).isEqualTo(1);
                });
    }

    @Test
    void strings_lie_so() {
        everyType(
                "strings",
                message -> message.writeString("aé€😀").writeString(""),
                message -> {
                    assertThat(message.readString()).isEqualTo("aé€😀");
                    assertThat(message.readString()).isEmpty();
                });
    }

    @Test
    void objects_lie_so() {
        for (var ends : new Ends[] {checked, unchecked}) {
            ends.both(
                    "objects",
                    message -> message.writeObject("abc").writeObject(null),
                    message -> {
                        assertThat(message.readObject()).isEqualTo("abc");
                        assertThat(message.readObject()).isNull();
                    });
        }
    }

    /// What a message can say of all its objects, it says in the first byte, written before.
    @Test
    void objects_that_nothing_names_say_so() {
        var seven = new int[] {7};
        for (var type : new PortType[] {TYPE, TYPE.with(Capability.UNCHECKED)}) {
            var ends = new Ends(type.data(Data.OBJECT));
            ends.both(
                    "graphs",
                    message -> message.writeObject("abc").writeObject(null),
                    message -> {
                        assertThat(message.readObject()).isEqualTo("abc");
                        assertThat(message.readObject()).isNull();
                    });
            ends.both(
                    "graphs.named",
                    message -> message.writeObject(seven).writeObject(seven),
                    message -> {
                        var first = message.readObject();
                        assertThat(first).isEqualTo(seven);
                        assertThat(message.readObject()).isSameAs(first);
                    });
        }
    }

    @Test
    void the_pieces_of_an_object_may_end_anywhere() {
        checked.read("pieces", message -> assertThat(message.readObject()).isEqualTo("abc"));
    }

    @Test
    void what_is_no_tag_is_refused_and_the_next_message_is_read() {
        assertThat(vectors.starting("wrong."))
                .hasSize(6 + 7)
                .allSatisfy((name, bytes) -> {
                    checked.sent(bytes);
                    try (var message = checked.in.receive()) {
                        assertThatThrownBy(() -> message.readArray(new int[2]))
                                .as(name)
                                .isInstanceOf(ReadMismatch.class)
                                .hasMessageContaining("at byte 0 of the message");
                    }
                    checked.read("parts", message -> message.readArray(new int[3]));
                });
    }

    @Test
    void rows_that_none_of_ours_writes_are_refused_and_the_next_message_is_read() {
        assertThat(vectors.starting("wrong.row."))
                .hasSize(7)
                .allSatisfy((name, bytes) -> {
                    for (var next : new String[] {"row", "runs"}) {
                        checked.sent(bytes);
                        try (var message = checked.in.receive()) {
                            assertThatThrownBy(
                                            () -> {
                                                assertThat(message.readInt()).isEqualTo(1);
                                                message.readInt();
                                            })
                                    .as(name)
                                    .isInstanceOf(ReadMismatch.class)
                                    .hasMessageContaining("the sender is not one of ours");
                        }
                        checked.read(next, PortVectorsTest::readFour);
                    }
                });
    }

    /// Nobody reads what is wrong with it.
    @Test
    void a_row_that_is_cut_off_harms_no_later_message() {
        checked.sent(vectors.get("wrong.row.long"));
        try (var message = checked.in.receive()) {
            assertThat(message.readInt()).isEqualTo(1);
        }
        checked.read("parts", message -> message.readArray(new int[3]));
    }
}
