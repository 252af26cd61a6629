package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ibidem.Vectors;
import org.junit.jupiter.api.Test;

/// The format of the ring stays what the vectors say.
class RingVectorsTest {
    private final Vectors vectors = Vectors.read("ring");
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    RingVectorsTest() throws IOException {
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
                "the vectors are those of little-endian machines");
    }

    private static MemorySegment memory(long size) {
        return Arena.ofAuto().allocate(Ring.bytes(size), 4096);
    }

    private void same(MemorySegment memory, long at, String name) {
        var expected = vectors.get(name);
        var there = memory.asSlice(at, expected.length).toArray(ValueLayout.JAVA_BYTE);
        assertThat(there).as(name).isEqualTo(expected);
    }

    private void send(RingWriter writer, int length, int flags) {
        assertThat(writer.claim(room, length)).isTrue();
        for (int i = 0; i < length; i++) {
            room.memory.set(ValueLayout.JAVA_BYTE, room.position++, (byte) (10 + i));
        }
        writer.commit(room, flags);
    }

    @Test
    void records_and_filler_are_written_so() {
        var memory = memory(4096);
        var writer = Ring.writer(memory, 0, 4096);
        var reader = Ring.reader(memory, 0, 4096);
        send(writer, 3, Frame.MORE);
        send(writer, 0, Frame.END);
        same(memory, 4096, "record.0");
        same(memory, 4096 + 64, "record.64");
        for (int position = 128; position < 3968; position += 256) {
            send(writer, 248, 0);
        }
        while (reader.poll(lent)) {
            // all of it
        }
        reader.release();
        send(writer, 248, 0);
        same(memory, 4096 + 3968, "filler.3968");
        same(memory, 4096, "record.4096");
        assertThat(reader.poll(lent)).isTrue();
        reader.release();
        same(memory, 0, "position.4352");
    }

    @Test
    void tags_begin_anew_so() {
        long size = 16L << 20;
        var memory = memory(size);
        var writer = Ring.writer(memory, 0, size);
        var reader = Ring.reader(memory, 0, size);
        long last = (1L << 38) - 64;
        long place = 4096 + size - 64;
        for (long left = last; left > 0; ) {
            int length = (int) Math.min(writer.largest(), left - 8);
            assertThat(writer.claim(room, length)).isTrue();
            room.position += length;
            writer.commit(room, 0);
            left -= (length + 8 + 63) & -64;
            assertThat(reader.poll(lent)).isTrue();
        }
        same(memory, place, "cleared.last");
        send(writer, 8, 0);
        same(memory, place, "record.last");
        send(writer, 8, 0);
        same(memory, 4096, "record.first");
    }

    @Test
    void words_of_a_broadcast_are_written_so_and_read() {
        var memory = memory(4096);
        var writer = Ring.writer(memory, 0, 4096);
        var shared = memory(4096);
        var plan = RingPlan.fixed(0, 4096);
        var broadcast = Ring.writer(shared, plan, Ring.readers(shared, plan, 1, (_, _) -> {}));
        var reader = Ring.reader(memory, 0, 4096);
        reader.guide((_, _, _) -> new RingSite(shared, plan));
        assertThat(writer.claim(room, 8)).isTrue();
        room.position += 8;
        writer.invite(room);
        assertThat(writer.claim(room, 0)).isTrue();
        writer.join(room);
        send(writer, 3, Frame.MORE);
        broadcast.part();
        same(memory, 4096, "invites.0");
        same(memory, 4096 + 64, "joins.64");
        same(shared, 4096, "parts.0");
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.room()).isEqualTo(3);
    }

    @Test
    void what_the_vectors_say_is_read() {
        var memory = memory(4096);
        var reader = Ring.reader(memory, 0, 4096);
        var first = vectors.get("record.0");
        MemorySegment.copy(first, 0, memory, ValueLayout.JAVA_BYTE, 4096, first.length);
        var second = vectors.get("record.64");
        MemorySegment.copy(second, 0, memory, ValueLayout.JAVA_BYTE, 4160, second.length);
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.flags).isEqualTo(Frame.MORE);
        assertThat(memory.asSlice(lent.position, lent.room()).toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(10, 11, 12);
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.flags).isEqualTo(Frame.END);
        assertThat(lent.room()).isZero();
        assertThat(reader.poll(lent)).isFalse();
    }
}
