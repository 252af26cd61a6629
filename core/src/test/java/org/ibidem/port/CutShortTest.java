package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The memory of a connection is cut short, as only another process of the same user can do it,
/// while this one reads or writes a message.
// Compiled code throws what a fault of memory throws, but later than where that came about.
@Tag("cold")
@Isolated("it looks for what has come into being")
@Timeout(60)
class CutShortTest {
    /// The filter `whole` where there is nothing for it to do, not left out.
    private static final String WHOLE = "mend > whole > checksum(then=lose) > shm";

    private static final PortType TYPE = PortType.oneToOne().stack("shm");
    private static final PortType OBJECTS = TYPE.data(Data.OBJECT);
    private static final PortType UNTAGGED = OBJECTS.with(Capability.UNCHECKED);
    private static final String CUT = "the shared memory was cut short";
    private static final int MANY = 1000;

    private final Pair pair = new Pair();
    private Segments segments;

    @BeforeEach
    void look() {
        assumeTrue(Segments.canBeFound(), "there is no /proc/self/fd");
        segments = Segments.ofLinks();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /// Something with references.
    private record Tree(int number, Tree left, double[] values) implements Serializable {}

    private static Tree tree(int depth) {
        return new Tree(depth, depth == 0 ? null : tree(depth - 1), new double[50]);
    }

    /// A kind of value, how it is written and how it is read.
    record Value(String name, Consumer<WriteMessage> write, Consumer<ReadMessage> read) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Value array(
            String name, Consumer<WriteMessage> write, Consumer<ReadMessage> read) {
        return new Value(name + "[]", write, read);
    }

    private static Value object(String name, Object graph) {
        return new Value(name, m -> m.writeObject(graph), ReadMessage::readObject);
    }

    private static Stream<Value> values() {
        var text = "ü".repeat(MANY);
        return Stream.of(
                new Value("boolean", m -> m.writeBoolean(true), ReadMessage::readBoolean),
                new Value("byte", m -> m.writeByte((byte) 1), ReadMessage::readByte),
                new Value("short", m -> m.writeShort((short) 1), ReadMessage::readShort),
                new Value("char", m -> m.writeChar('c'), ReadMessage::readChar),
                new Value("int", m -> m.writeInt(1), ReadMessage::readInt),
                new Value("long", m -> m.writeLong(1), ReadMessage::readLong),
                new Value("float", m -> m.writeFloat(1), ReadMessage::readFloat),
                new Value("double", m -> m.writeDouble(1), ReadMessage::readDouble),
                array(
                        "boolean",
                        m -> m.writeArray(new boolean[MANY]),
                        m -> m.readArray(new boolean[MANY])),
                array("byte", m -> m.writeArray(new byte[MANY]), m -> m.readArray(new byte[MANY])),
                array(
                        "short",
                        m -> m.writeArray(new short[MANY]),
                        m -> m.readArray(new short[MANY])),
                array("char", m -> m.writeArray(new char[MANY]), m -> m.readArray(new char[MANY])),
                array("int", m -> m.writeArray(new int[MANY]), m -> m.readArray(new int[MANY])),
                array("long", m -> m.writeArray(new long[MANY]), m -> m.readArray(new long[MANY])),
                array(
                        "float",
                        m -> m.writeArray(new float[MANY]),
                        m -> m.readArray(new float[MANY])),
                array(
                        "double",
                        m -> m.writeArray(new double[MANY]),
                        m -> m.readArray(new double[MANY])),
                new Value(
                        "memory",
                        m -> m.write(MemorySegment.ofArray(new byte[MANY]), 0, MANY),
                        m -> m.read(MemorySegment.ofArray(new byte[MANY]), 0, MANY)),
                new Value(
                        "buffer",
                        m -> m.write(ByteBuffer.allocateDirect(MANY)),
                        m -> m.read(ByteBuffer.allocateDirect(MANY))),
                new Value("string", m -> m.writeString(text), ReadMessage::readString),
                object("object", tree(3)),
                object("object that is an array", new double[MANY]),
                object("object that is a text", text));
    }

    /// Each kind of value with tags and without, and a few over each filter and serializer.
    private static Stream<Arguments> cases() {
        var all = values().toList();
        var few = all.stream().filter(value -> value.name.matches("int|byte\\[]|object")).toList();
        var types =
                List.of(
                        OBJECTS.stack("checksum > shm"),
                        OBJECTS.stack(WHOLE),
                        OBJECTS.stack("fragment(size=128) > shm"),
                        OBJECTS.stack("fragment(size=512) > checksum > shm"),
                        OBJECTS.with(Capability.NUMBERED),
                        TYPE.objects("jdk"));
        return Stream.concat(
                Stream.of(OBJECTS, UNTAGGED)
                        .flatMap(type -> all.stream().map(value -> Arguments.of(type, value))),
                types.stream()
                        .flatMap(type -> few.stream().map(value -> Arguments.of(type, value))));
    }

    private SendPort connected(PortType type) {
        var out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), "in");
        return out;
    }

    private void cutShort() {
        segments.cutShort(1);
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("cases")
    void a_read_says_that_the_connection_is_lost_and_why(PortType type, Value value) {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected(type)) {
            try (var message = out.newMessage()) {
                value.write.accept(message);
                message.finish();
            }
            var message = in.receive();
            cutShort();
            var thrown = catchThrowable(() -> value.read.accept(message));
            var closing = catchThrowable(message::close);
            var first = closing instanceof ConnectionLost ? closing : thrown;
            assertThat(loss(first, in)).hasMessageContaining(CUT);
            assertThat(in.connections()).isEmpty();
            saysSoByTheNextUse(out);
        }
    }

    /// What an access to memory that is gone says, or the next use of the port.
    private static ConnectionLost loss(Throwable thrown, ReceivePort in) {
        var said = thrown;
        while (said == null || Segments.isLate(said)) {
            said = catchThrowable(in::poll); // one that finds it, and one that tells
        }
        assertThat(said).isInstanceOf(ConnectionLost.class);
        return (ConnectionLost) said;
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("cases")
    void a_write_says_so_too_and_the_port_goes_on(PortType type, Value value) {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected(type)) {
            var message = out.newMessage();
            message.writeArray(new byte[10]).writeInt(1); // a run, to be ended by the next
            cutShort();
            var thrown =
                    catchThrowable(() -> {
                        value.write.accept(message);
                        message.finish();
                    });
            closes(message);
            isTold(thrown, out);
            assertThat(in.isClosed()).isFalse();
        }
    }

    /// By what was thrown at once; or by the next message, where the JVM spoke late.
    private static void isTold(Throwable thrown, SendPort out) {
        if (!Segments.isLate(thrown)) {
            assertThat(thrown).isInstanceOf(ConnectionLost.class).hasMessageContaining(CUT);
            isOver(out);
        } else {
            saysSo(out, CUT);
        }
    }

    private static void send(SendPort out) {
        try (var message = out.newMessage()) {
            message.writeInt(1).finish();
        }
    }

    /// The peer finds out by the link's end, which may take a moment.
    private static void saysSoByTheNextUse(SendPort out) {
        saysSo(out, "");
    }

    private static void saysSo(SendPort out, String why) {
        var first = said(out);
        if (!isInNobodysHand(first)) {
            assertThat(first).isInstanceOf(ConnectionLost.class).hasMessageContaining(why);
            isOver(out);
        }
    }

    private static void isOver(SendPort out) {
        var next = said(out);
        if (!isInNobodysHand(next)) {
            assertThat(next).isInstanceOf(NotConnected.class);
        }
    }

    /// The JVM spoke as `newMessage` returned: nobody has that message, and only `close` helps.
    private static boolean isInNobodysHand(Throwable thrown) {
        return thrown.getClass().equals(IllegalStateException.class);
    }

    /// What the next use says that says anything. An error that comes too late for any method of a
    /// port to catch it says nothing yet.
    private static Throwable said(SendPort out) {
        Throwable thrown;
        do {
            thrown = catchThrowable(() -> send(out));
        } while (thrown == null || Segments.isLate(thrown));
        return thrown;
    }

    private static void closes(AutoCloseable message) {
        var thrown = catchThrowable(message::close);
        assertThat(thrown == null || Segments.isLate(thrown)).as("%s", thrown).isTrue();
    }

    /// Without tags nobody touches the memory before the filters do.
    private static Stream<Arguments> endings() {
        return Stream.of("shm", "checksum > shm", WHOLE)
                .flatMap(stack -> Stream.of(TYPE.stack(stack), UNTAGGED.stack(stack)))
                .flatMap(type ->
                        Stream.of("finish", "finishHeld", "flush", "send")
                                .map(how -> Arguments.of(type, how)));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void so_does_the_end_of_a_message_or_of_a_part_of_it(PortType type, String how) {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected(type)) {
            var message = out.newMessage();
            message.writeInt(1);
            cutShort();
            var thrown =
                    catchThrowable(() -> {
                        switch (how) {
                            case "finish" -> message.finish();
                            case "finishHeld" -> message.finishHeld();
                            case "flush" -> message.flush();
                            default -> message.send();
                        }
                    });
            closes(message);
            isTold(thrown, out);
            assertThat(in.isClosed()).isFalse();
        }
    }

    /// A message that nobody finishes cannot say so; the next one does.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "checksum > shm", WHOLE})
    void after_a_message_that_was_given_up_the_next_says_so(String stack) {
        var type = TYPE.stack(stack);
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected(type)) {
            var message = out.newMessage();
            message.writeInt(1).flush();
            cutShort();
            closes(message);
            saysSo(out, CUT);
            assertThat(in.isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "checksum > shm", WHOLE})
    void a_port_whose_memory_is_gone_can_be_closed(String stack) {
        var type = TYPE.stack(stack);
        try (var in = pair.receive(pair.there, type, "in")) {
            var out = connected(type);
            eventually("the other end is there too", () -> !in.connections().isEmpty());
            cutShort();
            closes(out);
            assertThat(loss(null, in)).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "checksum > shm", WHOLE})
    void so_does_the_next_receive_of_what_was_sent_before(String stack) {
        var type = TYPE.stack(stack).with(Capability.NUMBERED);
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected(type)) {
            send(out);
            eventually("the other end is there too", () -> !in.connections().isEmpty());
            cutShort();
            assertThat(loss(catchThrowable(in::receive), in)).hasMessageContaining(CUT);
            assertThat(in.connections()).isEmpty();
        }
    }

    /// The rest of a message is looked through for class descriptions.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "checksum > shm", WHOLE})
    void so_does_the_close_of_a_message_that_is_not_read(String stack) {
        var type = OBJECTS.stack(stack);
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected(type)) {
            try (var message = out.newMessage()) {
                message.writeInt(1).writeObject(tree(2)).finish();
            }
            var message = in.receive();
            cutShort();
            assertThat(loss(catchThrowable(message::close), in)).hasMessageContaining(CUT);
            assertThat(in.connections()).isEmpty();
        }
    }
}
