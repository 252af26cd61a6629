package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.ibidem.Vectors;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.Raw;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.rmi.frame.Hashes;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls and replies stay what the vectors say; the other end is plain ports.
@Timeout(120)
class RmiVectorsTest {
    private static final PortType CALLS =
            PortType.manyToOne()
                    .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                    .data(Data.OBJECT)
                    .named("rmi-calls");
    private static final PortType REPLIES =
            PortType.manyToOne()
                    .with(Capability.CONNECTION_UPCALLS)
                    .data(Data.OBJECT)
                    .named("rmi-replies");
    private static final long OBJECT = 0x188; // one that every node has is not held

    /// Where the time limit of a call lies.
    private static final int LIMIT = 4 + Byte.BYTES + 3 * Long.BYTES;

    private final Vectors vectors = Vectors.read("rmi");
    private final Nodes nodes = new Nodes();
    private final Rmi here = nodes.part();
    private final Node there = nodes.node();

    RmiVectorsTest() throws IOException {}

    @BeforeEach
    void little() {
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
                "the vectors are what a little-endian machine writes");
    }

    @AfterEach
    void leave() {
        nodes.close();
    }

    private void comes(String name, ReceivePort in, int from, int masked) {
        try (var message = in.receive()) {
            var bytes = Raw.bytes(message);
            Arrays.fill(bytes, from, from + masked, (byte) 0);
            assertThat(HexFormat.of().formatHex(bytes))
                    .as(name)
                    .isEqualTo(HexFormat.of().formatHex(vectors.get(name)));
        }
    }

    @Test
    void what_callers_write() throws Exception {
        var reference = Reference.of(there.id(), OBJECT, List.of(Counter.class.getName()));
        var known = here.export(new Total(), Counter.class);
        var counter = here.again(known, reference);
        try (var in = ReceivePort.open(there, CALLS, "rmi")) {
            var call = here.beside(here.within(counter, Duration.ofSeconds(60)), Beside.class);
            var future = call.add(7);
            comes("call", in, LIMIT, Long.BYTES);
            future.cancel(true);
            comes("cancellation", in, 0, 0);
            here.oneWay(counter).nothing();
            comes("one-way", in, 0, 0);
        }
    }

    /// Beside [Counter].
    public interface Beside {
        java.util.concurrent.CompletableFuture<Integer> add(int value);
    }

    @Test
    void what_servers_write() throws Exception {
        long object = Stub.of(here.export(new Total())).reference().object();
        var let = ObjectPolicy.NOTHING_BUT_VALUES.unsafelyAllowEverything();
        try (var in = ReceivePort.open(there, REPLIES, "back", ReceiveSetup.USUAL.allow(let));
                var out = SendPort.open(there, CALLS, "back")) {
            out.connect(nodes.node(0).id(), "rmi");
            call(out, object, "add(I)I", 7);
            comes("returned", in, 0, 0);
            call(out, object + 1, "add(I)I", 7);
            comes("no-object", in, 0, 0);
            call(out, object, "sub(I)I", 7);
            comes("no-method", in, 0, 0);
            call(out, object, "add(I)I", "seven");
            comes("bad-arguments", in, 0, 0);
            try (var message = out.newMessage()) {
                message.writeByte((byte) 9).writeLong(3).writeLong(object).finish();
            }
            comes("unknown", in, 0, 0);
            call(out, object, "odd(Ljava/lang/Object;)Ljava/lang/Object;", null);
            comes("null", in, 0, 0);
            try (var message = out.newMessage()) {
                message.writeByte((byte) 1).writeLong(4).writeLong(object);
                message.writeLong(
                        Hashes.of("give(Lorg/ibidem/rmi/Counter;)Lorg/ibidem/rmi/Counter;"));
                message.writeLong(Long.MAX_VALUE);
                message.writeObject(
                        Reference.of(there.id(), OBJECT, List.of(Counter.class.getName())));
                message.writeBoolean(true).finish();
            }
            comes("taken", in, 0, 0);
            call(out, object, "fail(Ljava/lang/String;)V", "mine");
            try (var message = in.receive()) {
                assertThat(message.readByte()).isEqualTo((byte) 1);
                assertThat(message.readLong()).isEqualTo(3);
                assertThat(message.readString())
                        .startsWith(
                                "java.lang.IllegalArgumentException: mine\n\tat org.ibidem.rmi.");
                assertThat(message.readBoolean()).isTrue();
                assertThat(message.readObject())
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasToString("java.lang.IllegalArgumentException: mine");
                assertThat(message.readBoolean()).isFalse();
            }
        }
    }

    private static void call(SendPort out, long object, String method, Object argument) {
        try (var message = out.newMessage()) {
            message.writeByte((byte) 0).writeLong(3).writeLong(object);
            message.writeLong(Hashes.of(method)).writeLong(Long.MAX_VALUE);
            if (argument instanceof Integer number) {
                message.writeInt(number);
            } else {
                message.writeObject(argument).writeBoolean(false);
            }
            message.finish();
        }
    }
}
