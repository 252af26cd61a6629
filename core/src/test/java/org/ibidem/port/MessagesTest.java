package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// What is asked of messages beyond writing and reading.
@ParameterizedClass
@Stacks({"shm", "tcp", "fragment(size=128) > tcp"})
@Timeout(60)
class MessagesTest {
    private final PortType type;
    @AutoClose private final Pair pair = new Pair();

    MessagesTest(String stack) {
        this.type = PortType.oneToOne().stack(stack).data(Data.OBJECT);
    }

    /// Two connected ports of one type.
    private final class Ends implements AutoCloseable {
        final ReceivePort in;
        final SendPort out;

        Ends(PortType type) {
            in = pair.receive(pair.there, type, "in");
            out = pair.send(pair.here, type, "out");
            out.connect(pair.there.id(), "in");
        }

        @Override
        public void close() {
            out.close();
            in.close();
        }
    }

    @Test
    void reads_that_do_not_match_name_both_kinds_and_the_place() {
        try (var ends = new Ends(type)) {
            try (var message = ends.out.newMessage()) {
                message.writeInt(1).writeInt(2).writeLong(3).writeArray(new int[] {4, 5, 6});
                message.writeString("seven").writeObject(8).finish();
            }
            try (var message = ends.in.receive()) {
                mismatch(
                        message::readLong,
                        "long was to be read at byte 0",
                        "where int was written");
                mismatch(message::readObject, "object was to be read", "where int was written");
                assertThat(message.readInt()).isEqualTo(1);
                mismatch(
                        message::readLong,
                        "long was to be read at byte 8",
                        "where int was written");
                assertThat(message.readInt()).isEqualTo(2);
                mismatch(
                        message::readInt,
                        "int was to be read at byte 12",
                        "where long was written");
                assertThat(message.readLong()).isEqualTo(3);
                mismatch(message::readInt, "int was to be read at byte 20", "where int[] was");
                mismatch(message::readInt, "int was to be read", "where int[] was written");
                mismatch(
                        () -> message.readArray(new long[1]),
                        "long[] was to be read",
                        "where int[] was written");
                mismatch(
                        () -> message.readArray(new int[4]),
                        "4 elements of int[] were to be read",
                        "where 3 are left");
                var ints = new int[2];
                message.readArray(ints);
                assertThat(ints).containsExactly(4, 5);
                mismatch(
                        message::readString,
                        "string was to be read",
                        "int[] was written, of which 1");
                message.readArray(ints, 1, 1);
                assertThat(ints).containsExactly(4, 6);
                assertThat(message.readString()).isEqualTo("seven");
                mismatch(message::readInt, "int was to be read", "object was written");
            }
        }
    }

    @Test
    void reads_that_do_not_match_a_run_say_how_much_of_it_is_left() {
        try (var ends = new Ends(type)) {
            try (var message = ends.out.newMessage()) {
                for (int i = 0; i < 8; i++) {
                    message.writeInt(i);
                }
                message.finish();
            }
            try (var message = ends.in.receive()) {
                for (int i = 0; i < 6; i++) {
                    assertThat(message.readInt()).isEqualTo(i);
                }
                mismatch(
                        message::readLong,
                        "long was to be read at byte 28",
                        "where int was written");
                assertThat(message.readInt()).isEqualTo(6);
                mismatch(
                        message::readLong,
                        "long was to be read at byte 36",
                        "int was written, of which 1 are not read yet");
                assertThat(message.readInt()).isEqualTo(7);
            }
        }
    }

    @Test
    void a_connection_is_usable_after_a_read_that_does_not_match() {
        try (var ends = new Ends(type)) {
            try (var message = ends.out.newMessage()) {
                message.writeInt(1).finish();
            }
            try (var message = ends.in.receive()) {
                mismatch(message::readLong, "long was to be read", "where int was written");
            }
            try (var message = ends.out.newMessage()) {
                message.writeInt(9).finish();
            }
            try (var message = ends.in.receive()) {
                assertThat(message.readInt()).isEqualTo(9);
                mismatch(
                        message::readInt,
                        "the message ends after 8 bytes",
                        "where int was to be read");
            }
        }
    }

    private static void mismatch(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable read, String one, String other) {
        var thrown =
                assertThatThrownBy(read).isInstanceOf(ReadMismatch.class).hasMessageContaining(one);
        if (other != null) {
            thrown.hasMessageContaining(other);
        }
    }

    @Test
    void an_array_or_string_may_be_read_as_an_object() {
        try (var ends = new Ends(type)) {
            var large = new double[100_000];
            large[99_999] = 1.5;
            var writer =
                    Background.run(() -> {
                        try (var message = ends.out.newMessage()) {
                            message.writeArray(new int[] {1, 2}).writeArray(large);
                            message.writeArray(new boolean[] {true, false}).writeString("four");
                            message.write(ByteBuffer.wrap(new byte[] {5, 6})).finish();
                        }
                    });
            try (var message = ends.in.receive()) {
                assertThat((int[]) message.readObject()).containsExactly(1, 2);
                assertThat((double[]) message.readObject()).isEqualTo(large);
                assertThat((boolean[]) message.readObject()).containsExactly(true, false);
                assertThat(message.readObject()).isEqualTo("four");
                assertThat((byte[]) message.readObject()).containsExactly(5, 6);
            }
            writer.join();
        }
    }

    @Test
    void bytes_of_a_buffer_may_be_read_as_an_array_and_the_other_way_round() {
        try (var ends = new Ends(type.data(Data.BYTES))) {
            try (var message = ends.out.newMessage()) {
                message.write(ByteBuffer.wrap(new byte[] {1, 2, 3})).writeArray(new byte[] {4, 5});
                message.writeByte((byte) 6).finish();
            }
            try (var message = ends.in.receive()) {
                var bytes = new byte[3];
                message.readArray(bytes);
                assertThat(bytes).containsExactly(1, 2, 3);
                var buffer = ByteBuffer.allocate(2);
                message.read(buffer);
                assertThat(buffer.array()).containsExactly(4, 5);
                assertThat(message.readByte()).isEqualTo((byte) 6);
            }
        }
    }

    @Test
    void a_type_carries_what_it_says_and_no_more() {
        try (var bytes = new Ends(type.data(Data.BYTES))) {
            try (var message = bytes.out.newMessage()) {
                assertThatThrownBy(() -> message.writeInt(1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("carries bytes, no int");
                assertThatThrownBy(() -> message.writeString(""))
                        .hasMessageContaining("carries bytes, no string");
                assertThatThrownBy(() -> message.writeArray(new int[1]))
                        .hasMessageContaining("carries bytes, no int[]");
                message.writeByte((byte) 1).finish();
            }
        }
        for (var checked : new PortType[] {type, type.with(Capability.UNCHECKED)}) {
            try (var data = new Ends(checked.data(Data.DATA))) {
                try (var message = data.out.newMessage()) {
                    assertThatThrownBy(() -> message.writeObject("x"))
                            .isInstanceOf(ObjectRefused.class)
                            .hasMessageContaining("carries no objects");
                    message.writeInt(1).finish();
                }
            }
        }
    }

    @Test
    void objects_that_a_message_shares_are_the_same_after_it() {
        try (var ends = new Ends(type)) {
            var shared = new ArrayList<>(List.of(1, 2));
            try (var message = ends.out.newMessage()) {
                message.writeObject(shared)
                        .writeInt(1)
                        .writeObject(new ArrayList<>(List.of(shared)));
                message.reset().writeObject(shared).finish();
            }
            try (var message = ends.in.receive()) {
                var first = message.readObject();
                assertThat(first).isEqualTo(shared);
                assertThat(message.readInt()).isEqualTo(1);
                assertThat(((List<?>) message.readObject()).getFirst()).isSameAs(first);
                assertThat(message.readObject()).isEqualTo(shared).isNotSameAs(first);
            }
            try (var message = ends.out.newMessage()) {
                message.writeObject(shared).finish();
            }
            try (var message = ends.in.receive()) {
                assertThat(message.readObject()).isEqualTo(shared);
            }
        }
    }

    @Test
    void a_ticket_says_when_what_was_written_is_sent() {
        try (var ends = new Ends(type);
                var message = ends.out.newMessage()) {
            var array = new int[] {1, 2, 3};
            message.writeArray(array);
            int ticket = message.send();
            array[0] = 9; // the write has copied it
            message.sync(ticket);
            try (var got = ends.in.receive()) {
                var read = new int[3];
                got.readArray(read);
                assertThat(read).containsExactly(1, 2, 3);
                assertThat(got.size()).as("its end is not known").isEqualTo(-1);
                assertThat(got.remaining()).isEqualTo(-1);
                message.writeInt(4);
                assertThatThrownBy(() -> message.sync(ticket + 1))
                        .isInstanceOf(IllegalArgumentException.class);
                long size = message.finish();
                assertThat(got.readInt()).isEqualTo(4);
                assertThat(got.size()).isEqualTo(size).isEqualTo(got.bytesRead());
                assertThat(got.remaining()).isZero();
            }
            assertThat(message.bytesWritten()).isEqualTo(32);
        }
    }

    @Test
    void tickets_begin_again_after_the_largest() {
        try (var ends = new Ends(type);
                var message = ends.out.newMessage()) {
            message.tickets = Integer.MAX_VALUE - 1;
            int last = message.send();
            assertThat(last).isEqualTo(Integer.MAX_VALUE);
            int first = message.send();
            assertThat(first).isEqualTo(1);
            message.sync(last);
            message.sync(first);
            message.finish();
            ends.in.receive().close();
        }
    }

    @Test
    void a_read_that_was_interrupted_may_be_made_again() {
        for (var tags : new PortType[] {type, type.with(Capability.UNCHECKED)}) {
            for (int count : new int[] {1, 6, 8}) {
                try (var ends = new Ends(tags);
                        var message = ends.out.newMessage()) {
                    for (int i = 0; i < count; i++) {
                        message.writeLong(i);
                    }
                    message.flush();
                    try (var got = ends.in.receive()) {
                        for (int i = 0; i < count; i++) {
                            assertThat(got.readLong()).isEqualTo(i);
                        }
                        for (int i = 0; i < 2; i++) {
                            Thread.currentThread().interrupt();
                            assertThatThrownBy(got::readLong).isInstanceOf(WaitInterrupted.class);
                            assertThat(Thread.interrupted()).isTrue();
                        }
                        message.writeLong(count).finish();
                        assertThat(got.readLong()).isEqualTo(count);
                    }
                }
            }
        }
    }

    @Test
    void sizes_are_known_when_the_end_is_there() {
        try (var ends = new Ends(type)) {
            try (var message = ends.out.newMessage()) {
                assertThat(message.bytesWritten()).isZero();
                message.writeInt(1).writeInt(2);
                assertThat(message.bytesWritten()).isEqualTo(12);
                assertThat(message.finish()).isEqualTo(12);
            }
            try (var message = ends.in.receive()) {
                assertThat(message.size()).isEqualTo(12);
                assertThat(message.remaining()).isEqualTo(12);
                assertThat(message.bytesRead()).isZero();
                message.readInt();
                assertThat(message.remaining()).isEqualTo(4);
                assertThat(message.bytesRead()).isEqualTo(8);
                message.readInt();
                assertThat(message.remaining()).isZero();
                assertThat(message.bytesRead()).isEqualTo(12);
            }
        }
    }

    @Test
    void numbers_count_the_messages_of_a_send_port() {
        try (var ends = new Ends(type.with(Capability.NUMBERED))) {
            for (int i = 0; i < 5; i++) {
                try (var message = ends.out.newMessage()) {
                    assertThat(message.sequenceNumber()).isEqualTo(i);
                    message.writeInt(i).finish();
                }
                try (var message = ends.in.receive()) {
                    assertThat(message.sequenceNumber()).isEqualTo(i);
                    assertThat(message.readInt()).isEqualTo(i);
                }
            }
        }
        try (var ends = new Ends(type)) {
            try (var message = ends.out.newMessage()) {
                assertThat(message.sequenceNumber()).isEqualTo(-1);
                message.finish();
            }
            try (var message = ends.in.receive()) {
                assertThat(message.sequenceNumber()).isEqualTo(-1);
            }
        }
    }

    @Test
    void unchecked_messages_have_no_tags() {
        try (var ends = new Ends(type.with(Capability.UNCHECKED))) {
            try (var message = ends.out.newMessage()) {
                message.writeInt(1).writeLong(2).writeArray(new short[] {3, 4}).writeString("ab");
                message.writeObject(new ArrayList<>(List.of(5))).writeByte((byte) 6);
                message.finish();
            }
            try (var message = ends.in.receive()) {
                assertThat(message.readInt()).isEqualTo(1);
                assertThat(message.readLong()).isEqualTo(2);
                message.readArray(new short[2]);
                assertThat(message.bytesRead()).isEqualTo(4 + 8 + 4);
                assertThat(message.readString()).isEqualTo("ab");
                assertThat(message.readObject()).isEqualTo(List.of(5));
                assertThat(message.readByte()).isEqualTo((byte) 6);
            }
        }
    }

    @Test
    void a_second_message_is_received_when_the_first_is_closed() throws Exception {
        try (var ends = new Ends(type)) {
            for (int i = 1; i <= 2; i++) {
                try (var message = ends.out.newMessage()) {
                    message.writeInt(i).finish();
                }
            }
            try (var _ = ends.in.receive()) {
                assertThatThrownBy(ends.in::receive)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("close it first");
                var elsewhere = Background.call(() -> ends.in.receive(Duration.ofMillis(50)));
                assertThat(elsewhere.get()).isNull();
            }
            try (var message = ends.in.receive()) {
                assertThat(message.readInt()).isEqualTo(2);
            }
        }
    }

    @Test
    void a_second_message_waits_for_the_first() throws Exception {
        try (var ends = new Ends(type)) {
            var first = ends.out.newMessage();
            assertThatThrownBy(ends.out::newMessage)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("finish or close it first");
            var second =
                    Background.run(() -> {
                        try (var message = ends.out.newMessage()) {
                            message.writeInt(2).finish();
                        }
                    });
            assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS))
                    .as("it waits")
                    .isInstanceOf(TimeoutException.class);
            first.writeInt(1).finish();
            second.get();
            for (int i = 1; i <= 2; i++) {
                try (var message = ends.in.receive()) {
                    assertThat(message.readInt()).isEqualTo(i);
                }
            }
        }
    }
}
