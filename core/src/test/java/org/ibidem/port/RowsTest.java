package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.Stacks;
import org.ibidem.buffer.Run;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// Primitives behind each other, in rows and in runs, wherever those end.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "fragment(size=128) > tcp"})
@Timeout(60)
class RowsTest {
    private static final long SEED = 20_260_427;
    private static final int IN_ROW = 6;

    /// About the length of a row, and of two.
    private static final int[] COUNTS = {1, 5, 6, 7, 12, 13};

    private final PortType type;
    @AutoClose private final Pair pair = new Pair();

    RowsTest(String stack) {
        this.type = PortType.oneToOne().stack(stack).data(Data.OBJECT);
    }

    /// Sent as a value of a class that is described once.
    record Spot(int row, String name) implements Serializable {}

    /// Two connected ports of one type.
    private final class Ends implements AutoCloseable {
        final ReceivePort in;
        final SendPort out;

        Ends(PortType type) {
            in = pair.receive(pair.there, type, "in");
            out = pair.send(pair.here, type, "out");
            out.connect(pair.there.id(), "in");
        }

        /// Sends a message of these steps and reads it; what was read is as long as what was sent.
        void exchange(List<Step> steps) {
            long size;
            try (var message = out.newMessage()) {
                steps.forEach(step -> step.write(message));
                long written = message.bytesWritten();
                size = message.finish();
                assertThat(message.bytesWritten()).isEqualTo(size).isEqualTo(written);
            }
            try (var message = in.receive()) {
                assertThat(message.bytesRead()).isEqualTo(message.sequenceNumber() < 0 ? 0 : 12);
                steps.forEach(step -> step.read(message));
                assertThat(message.bytesRead()).as("%s", steps).isEqualTo(size);
                assertThat(message.size()).isIn(size, -1L); // its end may be in a frame of its own
                assertThat(message.remaining()).isIn(0L, -1L);
            }
        }

        @Override
        public void close() {
            out.close();
            in.close();
        }
    }

    private static List<Step> values(List<Primitive> kinds) {
        var steps = new ArrayList<Step>();
        for (int i = 0; i < kinds.size(); i++) {
            steps.add(new Step.Value(kinds.get(i), 0x1234567_89ABCDEFL * (i + 1)));
        }
        return steps;
    }

    private static List<Primitive> alike(Primitive kind, int count) {
        return Collections.nCopies(count, kind);
    }

    private static List<Primitive> mixed(int first, int count) {
        var all = List.of(Primitive.values());
        var kinds = new ArrayList<Primitive>();
        for (int i = 0; i < count; i++) {
            kinds.add(all.get((first + i) % all.size()));
        }
        return kinds;
    }

    @Test
    void values_of_one_kind_arrive_however_many_they_are() {
        try (var ends = new Ends(type)) {
            for (var kind : Primitive.values()) {
                for (int count : COUNTS) {
                    ends.exchange(values(alike(kind, count)));
                }
            }
        }
    }

    @Test
    void values_of_several_kinds_arrive_however_many_they_are() {
        try (var ends = new Ends(type)) {
            for (int first = 0; first < Primitive.values().length; first++) {
                for (int count : COUNTS) {
                    ends.exchange(values(mixed(first, count)));
                }
            }
        }
    }

    @Test
    void one_tag_is_written_for_six_values_or_for_all_of_a_kind_behind_six() {
        try (var ends = new Ends(type)) {
            for (int count : COUNTS) {
                assertThat(size(ends, alike(Primitive.SHORT, count)))
                        .isEqualTo(2 * count + Run.TAG * (count > IN_ROW ? 2 : 1));
                var kinds = mixed(0, count);
                long values = kinds.stream().mapToLong(Primitive::size).sum();
                assertThat(size(ends, kinds))
                        .isEqualTo(values + (long) Run.TAG * ((count + IN_ROW - 1) / IN_ROW));
            }
        }
    }

    private static long size(Ends ends, List<Primitive> kinds) {
        try (var message = ends.out.newMessage()) {
            values(kinds).forEach(step -> step.write(message));
            long size = message.finish();
            ends.in.receive().close();
            return size;
        }
    }

    @Test
    void a_row_ends_wherever_anything_else_is_written_or_its_frame_ends() {
        try (var ends = new Ends(type)) {
            var random = new Random(SEED);
            for (int i = 0; i < 500; i++) {
                ends.exchange(Step.some(random, 1 + random.nextInt(40), true));
            }
        }
    }

    @Test
    void numbered_and_unchecked_messages_hold_the_same() {
        var random = new Random(SEED);
        for (var capability : new Capability[] {Capability.NUMBERED, Capability.UNCHECKED}) {
            try (var ends = new Ends(type.with(capability).data(Data.DATA))) {
                for (int i = 0; i < 100; i++) {
                    ends.exchange(Step.some(random, 1 + random.nextInt(40), false));
                }
            }
        }
    }

    @Test
    void bytes_alone_come_in_rows_and_runs_too() {
        try (var ends = new Ends(type.data(Data.BYTES))) {
            for (int count : COUNTS) {
                ends.exchange(values(alike(Primitive.BYTE, count)));
            }
        }
    }

    @Test
    void a_value_that_does_not_match_is_refused_wherever_it_is_in_a_row() {
        var kinds = mixed(3, 13);
        try (var ends = new Ends(type)) {
            try (var message = ends.out.newMessage()) {
                values(kinds).forEach(step -> step.write(message));
                message.finish();
            }
            try (var message = ends.in.receive()) {
                for (var step : values(kinds)) {
                    var here = ((Step.Value) step).kind();
                    long at = message.bytesRead();
                    long left = message.remaining();
                    for (var other : Primitive.values()) {
                        if (other != here) {
                            refused(() -> other.read(message), other.title(), at, here);
                        }
                    }
                    refused(() -> message.readArray(new int[1]), "int[]", at, here);
                    refused(message::readString, "string", at, here);
                    refused(message::readObject, "object", at, here);
                    assertThat(message.bytesRead()).isEqualTo(at);
                    assertThat(message.remaining()).isEqualTo(left);
                    step.read(message);
                }
            }
        }
    }

    private static void refused(ThrowingCallable read, String wanted, long at, Primitive here) {
        assertThatThrownBy(read)
                .isInstanceOf(ReadMismatch.class)
                .hasMessage(
                        "%s was to be read at byte %d of the message, where %s was written",
                        wanted, at, here.title());
    }

    /// The class of an object is described once on the connection, and must not be missed.
    @Test
    void what_is_left_of_a_row_is_skipped_and_classes_described_behind_it_are_not() {
        for (int read = 0; read <= 8; read++) {
            try (var ends = new Ends(type)) {
                var kinds = mixed(read, 8);
                try (var message = ends.out.newMessage()) {
                    values(kinds).forEach(step -> step.write(message));
                    message.writeObject(new Spot(1, "skipped")).finish();
                }
                try (var message = ends.in.receive()) {
                    values(kinds).subList(0, read).forEach(step -> step.read(message));
                }
                try (var message = ends.out.newMessage()) {
                    message.writeByte((byte) 2).writeObject(new Spot(3, "read")).finish();
                }
                try (var message = ends.in.receive()) {
                    assertThat(message.readByte()).isEqualTo((byte) 2);
                    assertThat(message.readObject()).isEqualTo(new Spot(3, "read"));
                }
            }
        }
    }

    @Test
    void a_message_that_is_given_up_in_a_row_is_no_message() {
        try (var ends = new Ends(type)) {
            for (int count = 0; count <= 7; count++) {
                try (var message = ends.out.newMessage()) {
                    values(mixed(count, count)).forEach(step -> step.write(message));
                }
                ends.exchange(values(mixed(count, 2)));
                try (var message = ends.out.newMessage()) {
                    message.writeInt(1).flush();
                    values(mixed(count, count)).forEach(step -> step.write(message));
                }
                try (var message = ends.in.receive()) {
                    assertThat(message.readInt()).isEqualTo(1);
                    assertThatThrownBy(message::readInt).isInstanceOf(MessageAbandoned.class);
                }
                ends.exchange(values(mixed(count, 2)));
            }
        }
    }

    @Test
    void a_row_without_values_counts_for_nothing() {
        try (var ends = new Ends(type)) {
            try (var message = ends.out.newMessage()) {
                assertThat(message.bytesWritten()).isZero();
                message.flush().flush();
                assertThat(message.bytesWritten()).isZero();
                assertThat(message.finish()).isZero();
            }
            try (var message = ends.in.receive()) {
                assertThat(message.size()).isZero();
                assertThat(message.bytesRead()).isZero();
                assertThatThrownBy(message::readInt)
                        .isInstanceOf(ReadMismatch.class)
                        .hasMessageContaining("ends after 0 bytes");
            }
            ends.exchange(List.of(new Step.Array(3), new Step.Value(Primitive.INT, 4)));
        }
    }

    @Test
    void a_value_that_the_type_does_not_carry_ends_no_row() {
        try (var ends = new Ends(type.data(Data.BYTES))) {
            try (var message = ends.out.newMessage()) {
                assertThatThrownBy(() -> message.writeInt(1))
                        .isInstanceOf(IllegalStateException.class);
                message.writeByte((byte) 1);
                assertThatThrownBy(() -> message.writeLong(1))
                        .isInstanceOf(IllegalStateException.class);
                assertThat(message.writeByte((byte) 2).finish()).isEqualTo(Run.TAG + 2);
            }
            try (var message = ends.in.receive()) {
                assertThat(message.readByte()).isEqualTo((byte) 1);
                assertThat(message.readByte()).isEqualTo((byte) 2);
            }
        }
    }
}
