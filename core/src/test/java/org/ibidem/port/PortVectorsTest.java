package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The formats of port requests and messages stay what the vectors say.
@Timeout(20)
class PortVectorsTest {
    private final Vectors vectors = Vectors.read("ports");
    private final PortType type = PortType.oneToOne().stack("loopback").objects("jdk");
    @AutoClose private final Pair nodes = new Pair();
    private final ReceivePort in = nodes.receive(nodes.there, type, "in");
    private final SendPort out = nodes.send(nodes.here, type, "out");

    PortVectorsTest() throws IOException {
        out.connect(nodes.there.id(), "in");
    }

    private void written(String name, Consumer<WriteMessage> writes) {
        try (var message = out.newMessage()) {
            writes.accept(message);
            assertThat(message.finish()).as(name).isEqualTo(vectors.get(name).length);
        }
        var bytes = new byte[vectors.get(name).length];
        try (var message = in.receive()) {
            message.readArray(bytes);
        }
        assertThat(bytes).as(name).isEqualTo(vectors.get(name));
    }

    private void read(String name, Consumer<ReadMessage> reads) {
        try (var message = out.newMessage()) {
            message.write(ByteBuffer.wrap(vectors.get(name)));
            message.finish();
        }
        try (var message = in.receive()) {
            reads.accept(message);
            assertThat(message.bytesRead()).as(name).isEqualTo(vectors.get(name).length);
        }
    }

    @Test
    void connections_are_asked_for_so() {
        var wanted = new PortRequest("rows", "out é", PortType.manyToOne().objects("jdk"));
        assertThat(wanted.encode()).isEqualTo(vectors.get("request"));
        assertThat(PortRequest.decode(vectors.get("request"))).isEqualTo(wanted);
    }

    @Test
    void requests_that_must_be_refused_are() {
        assertThat(vectors.starting("bad."))
                .hasSize(3)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> PortRequest.decode(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }

    @Test
    void primitives_lie_so() {
        written(
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
                                .writeDouble(-2.25));
        read(
                "primitives",
                message -> {
                    assertThat(message.readBoolean()).isTrue();
                    assertThat(message.readBoolean()).isFalse();
                    assertThat(message.readByte()).isEqualTo((byte) -2);
                    assertThat(message.readShort()).isEqualTo((short) -3);
                    assertThat(message.readChar()).isEqualTo('€');
                    assertThat(message.readInt()).isEqualTo(-4);
                    assertThat(message.readLong()).isEqualTo(-5);
                    assertThat(message.readFloat()).isEqualTo(1.5f);
                    assertThat(message.readDouble()).isEqualTo(-2.25);
                });
    }

    @Test
    void arrays_lie_so() {
        written(
                "arrays",
                message ->
                        message.writeArray(new byte[] {1, 2})
                                .writeArray(new short[] {1, -1})
                                .writeArray(new char[] {'a', 'b'})
                                .writeArray(new int[] {1, -1})
                                .writeArray(new long[] {1, -1})
                                .writeArray(new float[] {1, -1})
                                .writeArray(new double[] {1, -1})
                                .writeArray(new boolean[] {true, false}));
    }

    @Test
    void strings_lie_so() {
        written("strings", message -> message.writeString("aé€😀").writeString(""));
        read(
                "strings",
                message -> {
                    assertThat(message.readString()).isEqualTo("aé€😀");
                    assertThat(message.readString()).isEmpty();
                });
    }

    @Test
    void objects_lie_so() {
        written("objects", message -> message.writeObject("abc").writeObject(null));
        read(
                "objects",
                message -> {
                    assertThat(message.readObject()).isEqualTo("abc");
                    assertThat(message.readObject()).isNull();
                });
    }

    @Test
    void the_pieces_of_an_object_may_end_anywhere() {
        read("pieces", message -> assertThat(message.readObject()).isEqualTo("abc"));
    }
}
