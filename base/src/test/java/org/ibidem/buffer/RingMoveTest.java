package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.DATA;
import static org.ibidem.buffer.RingLayout.MOVED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.ibidem.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// A ring moves to a larger place while it is in use, and nobody above notices.
@Isolated("looks again and again, which others make slow")
class RingMoveTest {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final int FRAMES = 20_000;
    private static final RingPlan PLAN =
            new RingPlan(
                    0,
                    List.of(
                            new RingPlace(DATA, 4 << 10),
                            new RingPlace(DATA + (4 << 10), 8 << 10),
                            new RingPlace(DATA + (12 << 10), 64 << 10)));

    private final MemorySegment memory = Arena.ofAuto().allocate(DATA + (76 << 10), DATA);
    private final RingWriter writer = Ring.writer(memory, PLAN);
    private final RingReader reader = Ring.reader(memory, PLAN);
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    private void fill(int value) {
        while (writer.claim(room, 100)) {
            write(value);
        }
    }

    private void write(int value) {
        room.memory.set(BYTE, room.position, (byte) value);
        room.position += 100;
        writer.commit(room, 0);
    }

    private int read() {
        return reader.poll(lent) ? lent.memory.get(BYTE, lent.position) : -1;
    }

    @Test
    void a_full_ring_has_room_again_at_once_and_the_order_stays() {
        for (int place = 0; place < 3; place++) {
            fill(place);
            assertThat(writer.claim(room, 100)).isFalse();
            if (place < 2) {
                writer.move();
            }
        }
        assertThat(writer.larger()).isNull();
        int before = 0;
        int count = 0;
        for (int value = read(); value >= 0; value = read()) {
            assertThat(value).isGreaterThanOrEqualTo(before);
            before = value;
            count++;
        }
        // 128 bytes a record; 64 bytes of each place are for the word that says it has moved
        assertThat(count)
                .isEqualTo((4 << 10) / 128 - 1 + (8 << 10) / 128 - 1 + (64 << 10) / 128 - 1);
        fill(3);
        assertThat(read()).isEqualTo(3);
    }

    @Test
    void frames_of_all_sizes_arrive_in_order_across_threads_while_the_ring_moves() {
        Seeded.times(
                8,
                random -> {
                    memory.fill((byte) 0);
                    var out = Ring.writer(memory, PLAN);
                    long seed = random.nextLong();
                    var thread = Thread.ofPlatform().daemon().start(() -> write(out, seed));
                    read(Ring.reader(memory, PLAN), seed);
                    thread.join();
                });
    }

    private static void write(RingWriter ring, long seed) {
        var random = new SplittableRandom(seed);
        var room = new Frame();
        int refused = 0;
        for (int i = 0; i < FRAMES; i++) {
            int length = random.nextInt(248);
            while (room.room() < length || !ring.claim(room, length)) {
                if (ring.claim(room, length)) {
                    break;
                }
                if (++refused % 50 == 0 && ring.larger() != null) {
                    ring.move();
                }
                Thread.yield();
            }
            for (int j = 0; j < length; j++) {
                room.memory.set(BYTE, room.position++, (byte) (i + j));
            }
            ring.commit(room, 0);
        }
    }

    private void read(RingReader ring, long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < FRAMES; i++) {
            while (!ring.poll(lent)) {
                Thread.yield();
            }
            int length = random.nextInt(248);
            assertThat(lent.room()).isEqualTo(length);
            for (int j = 0; j < length; j++) {
                if (lent.memory.get(BYTE, lent.position + j) != (byte) (i + j)) {
                    throw new AssertionError("byte " + j + " of frame " + i + " is wrong");
                }
            }
        }
        assertThat(ring.poll(lent)).isFalse();
    }

    @Test
    void a_reader_that_sleeps_is_woken_by_what_follows_the_move() {
        assertThat(reader.sleep()).isTrue();
        writer.move();
        assertThat(writer.claim(room, 100)).isTrue();
        write(7);
        assertThat(writer.mustWakeReader()).isTrue();
        assertThat(read()).isEqualTo(7);
    }

    @Test
    void a_reader_does_not_fall_asleep_over_a_move() {
        writer.move();
        assertThat(reader.sleep()).isFalse();
        assertThat(read()).isEqualTo(-1);
        assertThat(reader.sleep()).isTrue();
    }

    @Test
    void larger_records_are_granted_once_there_is_room_for_them() {
        assertThat(writer.largest()).isEqualTo(4088);
        assertThat(writer.largestHere()).isEqualTo(248);
        assertThat(writer.claim(room, 4088)).isFalse();
        writer.move();
        writer.move();
        assertThat(writer.claim(room, 4088)).isTrue();
        assertThat(room.room()).isEqualTo(4088);
    }

    @Test
    void a_move_where_there_is_no_place_is_refused() {
        writer.move();
        writer.move();
        assertThat(read()).isEqualTo(-1);
        memory.set(
                ValueLayout.JAVA_LONG,
                DATA + (12 << 10) + 2 * ALIGNMENT,
                RingLayout.tag(2L * ALIGNMENT) | ((long) MOVED << 24));
        assertThatThrownBy(() -> reader.poll(lent))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("with flags 64");
    }

    @Test
    void places_that_do_not_grow_or_overrun_the_memory_are_refused() {
        var same = List.of(new RingPlace(DATA, 4096), new RingPlace(2 * DATA, 4096));
        assertThatThrownBy(() -> Ring.writer(memory, new RingPlan(0, same)))
                .hasMessageContaining("from 8192 to 4294967296, not 4096");
        var outside = List.of(new RingPlace(DATA, 128 << 10));
        assertThatThrownBy(() -> Ring.reader(memory, new RingPlan(0, outside)))
                .hasMessageContaining("does not fit at 4096");
        assertThatThrownBy(() -> Ring.reader(memory, new RingPlan(0, List.of())))
                .hasMessageContaining("has a place");
    }
}
