package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.ibidem.Stacks;
import org.ibidem.serial.ObjectWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// Objects whose bytes are wrong, over a connection that is as it should be: they are refused, with
/// the place, and what follows is read as if nothing had happened.
@Tag("slow")
@ParameterizedClass
@Stacks({"shm", "tcp", "loopback"})
@Timeout(60)
class CorruptObjectsTest {
    private static final int TIMES = Boolean.getBoolean("ibidem.full") ? 100_000 : 2_000;
    private static final byte UNNAMED = 2;
    private static final int DESCRIBED = 4;
    private static final int BEHIND = -7;

    private final PortType type;
    private final Pair pair = new Pair();
    private ReceivePort in;
    private SendPort out;
    private byte[] whole;

    CorruptObjectsTest(String stack) {
        this.type = PortType.oneToOne().stack(stack).data(Data.OBJECT);
    }

    /// Something that can be named.
    @SuppressWarnings("unused") // its fields are there to be sent
    static final class Thing implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number;
        final String name = "thing";
        final double[] values = {1, 2};
        Thing next;

        Thing(int number) {
            this.number = number;
        }
    }

    @BeforeEach
    void connect() throws Exception {
        in = pair.receive(pair.there, type, "in");
        out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), "in");
        requireTheNextIsRead(); // and the class is known
        whole = undescribed(bytes(graph()));
    }

    private static byte[] bytes(Object graph) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var to = ObjectWriter.to(bytes)) {
            to.write(graph);
        }
        return bytes.toByteArray();
    }

    @AfterEach
    void close() {
        out.close();
        in.close();
        pair.close();
    }

    /// One thing twice.
    private static List<Thing> graph() {
        var one = new Thing(1);
        one.next = new Thing(2);
        return new ArrayList<>(List.of(one, one.next, one));
    }

    /// The first byte, the list, its count; then the class, which this connection knows already.
    private static byte[] undescribed(byte[] bytes) {
        int at = 3;
        assertThat(bytes[at]).isEqualTo((byte) DESCRIBED);
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(at + 1);
        int rest = at + 1 + Integer.BYTES + length;
        return joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, rest, bytes.length));
    }

    private static byte[] joined(byte[]... pieces) {
        var all = ByteBuffer.allocate(Arrays.stream(pieces).mapToInt(piece -> piece.length).sum());
        for (var piece : pieces) {
            all.put(piece);
        }
        return all.array();
    }

    private byte[] piece(int from, int to) {
        return Arrays.copyOfRange(whole, from, to);
    }

    private void requireTheNextIsRead() {
        try (var message = out.newMessage()) {
            message.writeObject(graph()).writeObject("text").finish();
        }
        try (var message = in.receive()) {
            var got = (List<?>) message.readObject();
            var one = (Thing) got.getFirst();
            assertThat(one.number).isEqualTo(1);
            assertThat(one.values).containsExactly(1, 2);
            assertThat(got.get(1)).isSameAs(one.next);
            assertThat(got.get(2)).isSameAs(one);
            assertThat(message.readObject()).isEqualTo("text");
        }
        assertThat(in.connections()).hasSize(1);
    }

    /// Sends these as the bytes of an object, and answers what came of them, or why none did.
    private Object through(byte[] bytes) {
        try (var message = out.newMessage()) {
            message.beginObject();
            message.bytes(MemorySegment.ofArray(bytes), 0, bytes.length);
            message.endArray();
            message.writeInt(BEHIND).finish();
        }
        try (var message = in.receive()) {
            Object outcome;
            try {
                outcome = message.readObject();
            } catch (ObjectRefused e) {
                outcome = e;
            }
            assertThat(message.readInt()).isEqualTo(BEHIND);
            return outcome;
        }
    }

    private void refused(byte[] bytes, int at, String why) {
        assertThat(through(bytes))
                .isInstanceOfSatisfying(
                        ObjectRefused.class,
                        e -> {
                            assertThat(e).hasMessageContaining(why);
                            assertThat(said(e)).contains("at byte " + at + " of the message's");
                        });
        requireTheNextIsRead();
    }

    /// What a refusal and all that belongs to it say.
    private static String said(Throwable e) {
        var all = new StringBuilder();
        for (Throwable each = e; each != null; each = each.getCause()) {
            all.append(each).append('\n');
            for (var beside : each.getSuppressed()) {
                all.append(beside).append('\n');
            }
        }
        return all.toString();
    }

    @Test
    void bytes_that_are_right_are_read() {
        assertThat(((List<?>) through(whole))).hasSize(3);
        requireTheNextIsRead();
    }

    @Test
    void what_is_no_object_is_refused() {
        var form = whole.clone();
        form[0] = 0x20;
        refused(form, 1, "do not begin with 32");
        var tag = whole.clone();
        tag[1] = 60;
        refused(tag, 2, "60");
        refused(joined(whole, new byte[] {0, 0}), whole.length, "");
    }

    @Test
    void a_handle_where_none_was_to_be_is_refused() {
        assertThat(piece(whole.length - 4, whole.length)).containsExactly(1, 3, 1, 1); // handles
        var unnamed = whole.clone();
        unnamed[0] = (byte) (unnamed[0] | UNNAMED);
        refused(unnamed, whole.length - 2, "a handle in a message"); // the first of two
        var unknown = whole.clone();
        unknown[whole.length - 1] = 99;
        refused(unknown, whole.length, "handle");
    }

    @Test
    void one_that_ends_in_the_middle_is_refused_wherever_that_is() {
        for (int end = 0; end < whole.length; end++) {
            assertThat(through(piece(0, end))).as("cut after %d", end).satisfies(this::isRefused);
            requireTheNextIsRead();
        }
    }

    /// Whatever comes of it.
    @Test
    void pieces_that_are_exchanged_harm_nobody() {
        Seeded.times(
                TIMES / 10,
                random -> {
                    int middle = random.nextInt(2, whole.length);
                    int end = random.nextInt(middle, whole.length) + 1;
                    int from = random.nextInt(1, middle);
                    harmless(
                            joined(
                                    piece(0, from),
                                    piece(middle, end),
                                    piece(from, middle),
                                    piece(end, whole.length)));
                });
    }

    @Test
    void bytes_that_are_changed_harm_nobody() {
        Seeded.times(TIMES / 2, random -> harmless(changed(random)));
    }

    private byte[] changed(RandomGenerator random) {
        var bytes = whole.clone();
        int changes = random.nextInt(1, 4);
        for (int i = 0; i < changes; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private void harmless(byte[] bytes) {
        var outcome = through(bytes);
        if (outcome instanceof Throwable) {
            assertThat(outcome).satisfies(this::isRefused);
        }
        requireTheNextIsRead();
    }

    private void isRefused(Object outcome) {
        assertThat(outcome).isInstanceOf(ObjectRefused.class);
        assertThat(said((ObjectRefused) outcome))
                .contains("the object at byte 0 of the message cannot be read")
                .containsPattern("at byte \\d+ of the message's objects");
    }
}
