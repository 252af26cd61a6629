package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.List;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReadMismatch;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a message may carry: values, arrays and parts of them, strings, objects of the program.
@Timeout(60)
class DataTest {
    /// Of the program: it may come in because the receiver allows it.
    record Body(String name, double mass, List<Body> moons) implements Serializable {}

    private static final Body MOON = new Body("Luna", 0.012, List.of());

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"ibidem", "jdk"})
    void a_message_is_read_as_it_was_written(String serializer) {
        var plain = PortType.oneToOne();
        var type = serializer.equals("jdk") ? plain.objects("jdk") : plain.data(Data.OBJECT);
        var allowed = ObjectPolicy.NOTHING_BUT_VALUES.allow(Body.class);
        try (var pool = new Pool();
                var node = Node.join(pool.join());
                var in = ReceivePort.open(node, type, "in", ReceiveSetup.USUAL.allow(allowed));
                var out = SendPort.open(node, type, "out")) {
            out.connect(node.id(), "in");
            try (var message = out.newMessage()) {
                write(message);
                assertThat(message.finish()).isEqualTo(out.bytes()).isPositive();
            }
            try (var message = in.receive()) {
                read(message);
            }
        }
    }

    private static void write(WriteMessage message) {
        var earth = new Body("Terra", 1, List.of(MOON));
        var numbers = new double[] {0, 1, 2, 3, 4, 5};
        message.writeInt(3).writeArray(numbers, 2, 3).writeString("Γαῖα");
        message.sync(message.send()); // from here on the numbers may be changed
        numbers[2] = -1;
        message.writeObject(earth).writeObject(earth);
        message.reset();
        message.writeObject(earth);
    }

    private static void read(ReadMessage message) {
        var numbers = new double[10];
        assertThatThrownBy(message::readLong).isInstanceOf(ReadMismatch.class);
        message.readArray(numbers, 4, message.readInt());
        assertThat(numbers).containsExactly(0, 0, 0, 0, 2, 3, 4, 0, 0, 0);
        assertThat(message.readString()).isEqualTo("Γαῖα");
        var first = message.readObject();
        assertThat(first).isEqualTo(new Body("Terra", 1, List.of(MOON)));
        assertThat(message.readObject()).as("the same object").isSameAs(first);
        assertThat(message.readObject()).as("after a reset").isEqualTo(first).isNotSameAs(first);
    }
}
