package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.CONTROL;
import static org.ibidem.buffer.RingLayout.DATA;
import static org.ibidem.buffer.RingLayout.INVITES;
import static org.ibidem.buffer.RingLayout.JOINS;
import static org.ibidem.buffer.RingLayout.PARTS;
import static org.ibidem.buffer.RingLayout.READER_POSITION;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ibidem.Seeded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// One ring for several readers, each of which comes from a ring of its own and goes back there.
class BroadcastRingTest {
    private static final int READERS = 3;
    private static final int SIZE = Ring.SMALLEST;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int FRAMES = 5_000;

    private final MemorySegment memory = Arena.ofAuto().allocate(DATA + 5 * SIZE, DATA);
    private final RingPlan plan =
            new RingPlan(
                    0, List.of(new RingPlace(DATA, SIZE), new RingPlace(DATA + SIZE, 4 * SIZE)));
    private final List<String> wrong = new ArrayList<>();
    private final RingReaders readers =
            Ring.readers(memory, plan, READERS, (i, e) -> wrong.add(i + ": " + e.getMessage()));
    private final RingWriter writer = Ring.writer(memory, plan, readers);
    private final List<Own> own = new ArrayList<>();
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    BroadcastRingTest() {
        for (int i = 0; i < READERS; i++) {
            own.add(new Own(i));
        }
    }

    /// A reader's own ring.
    private final class Own {
        final MemorySegment itsMemory = Arena.ofAuto().allocate(Ring.bytes(SIZE), DATA);
        final RingWriter out = Ring.writer(itsMemory, 0, SIZE);
        final RingReader in = Ring.reader(itsMemory, 0, SIZE);

        /// Whether it can see the broadcast's memory.
        boolean sees = true;

        Own(int number) {
            in.guide((_, _, length) -> sees && length == 8 ? site(number) : null);
        }

        private RingSite site(int number) {
            return new RingSite(memory, new RingPlan((long) number * CONTROL, plan.places()));
        }

        int invite() {
            assertThat(out.claim(room, 8)).isTrue();
            room.position += 8;
            return out.invite(room);
        }

        void join() {
            assertThat(out.claim(room, 0)).isTrue();
            out.join(room);
        }

        long read() {
            return in.poll(lent) ? lent.memory.get(LONG, lent.position) : -1;
        }
    }

    private void joinAll() {
        for (var one : own) {
            one.invite();
            assertThat(one.read()).isEqualTo(-1);
            one.join();
        }
    }

    private static boolean send(RingWriter to, Frame room, long value, int length) {
        if (!to.claim(room, length)) {
            return false;
        }
        room.memory.set(LONG, room.position, value);
        room.position += length;
        to.commit(room, 0);
        return true;
    }

    private boolean send(RingWriter to, long value) {
        return send(to, room, value, 8);
    }

    @Test
    void one_write_is_read_by_all() {
        joinAll();
        assertThat(send(writer, 7)).isTrue();
        for (var one : own) {
            assertThat(one.read()).isEqualTo(7);
            assertThat(lent.memory).isSameAs(memory);
        }
    }

    @Test
    void the_order_stays_through_coming_and_going() {
        var one = own.getFirst();
        for (long round = 0; round < 20; round += 4) {
            long value = round;
            send(one.out, value);
            one.invite();
            send(one.out, value + 1); // written before it has come
            assertThat(one.read()).isEqualTo(value);
            memory.fill((byte) 0);
            var there = Ring.writer(memory, plan, readers());
            one.join();
            send(there, value + 2);
            there.part();
            send(one.out, value + 3);
            for (long next = value + 1; next < value + 4; next++) {
                assertThat(one.read()).isEqualTo(next);
            }
            assertThat(one.read()).isEqualTo(-1);
        }
    }

    private RingReaders readers() {
        return Ring.readers(memory, plan, READERS, (i, _) -> wrong.add("" + i));
    }

    @Test
    void who_has_come_has_said_so_in_the_memory_itself() {
        var one = own.get(1);
        assertThat(readers.hasCome(1)).isFalse();
        one.invite();
        assertThat(one.read()).isEqualTo(-1);
        assertThat(readers.hasCome(1)).isTrue();
        assertThat(readers.hasCome(0)).isFalse();
        assertThat(one.out.declined()).isZero();
    }

    @Test
    void who_cannot_see_it_says_which_invitation_that_was_and_reads_on() {
        var one = own.getFirst();
        one.sees = false;
        assertThat(one.invite()).isEqualTo(1);
        assertThat(one.invite()).isEqualTo(2);
        send(one.out, 5);
        assertThat(one.read()).isEqualTo(5);
        assertThat(one.out.declined()).isEqualTo(2);
        assertThat(readers.hasCome(0)).isFalse();
        one.join();
        assertThatThrownBy(one::read).as("where to?").isInstanceOf(IllegalStateException.class);
    }

    private int fill() {
        int count = 0;
        while (send(writer, count)) {
            count++;
        }
        return count;
    }

    @Test
    void the_slowest_bounds_the_writer() {
        joinAll();
        int count = fill();
        assertThat(count).isEqualTo(SIZE / ALIGNMENT - 1);
        for (int i = 0; i < READERS; i++) {
            assertThat(send(writer, 0)).as("%s have read", i).isFalse();
            for (int frame = 0; frame < count; frame++) {
                assertThat(own.get(i).read()).isEqualTo(frame);
            }
            own.get(i).in.release();
        }
        assertThat(send(writer, 0)).isTrue();
    }

    @Test
    void one_that_is_dropped_bounds_it_no_more() {
        joinAll();
        fill();
        own.get(0).in.poll(lent);
        while (own.get(0).read() >= 0 || own.get(2).read() >= 0) {
            // all
        }
        own.get(0).in.release();
        own.get(2).in.release();
        assertThat(send(writer, 0)).isFalse();
        assertThat(readers.follows(1, writer)).isFalse();
        assertThat(readers.follows(0, writer)).isTrue();
        readers.drop(1);
        assertThat(readers.follows(1, writer)).isTrue();
        assertThat(send(writer, 0)).isTrue();
    }

    @Test
    void a_full_one_moves_and_ends_and_all_of_it_is_read() {
        joinAll();
        int count = fill();
        writer.move();
        int more = fill();
        assertThat(more).isEqualTo(4 * SIZE / ALIGNMENT - 1);
        writer.part(); // although nothing was read
        for (var one : own) {
            send(one.out, 99);
            for (int i = 0; i < count; i++) {
                assertThat(one.read()).isEqualTo(i);
            }
            for (int i = 0; i < more; i++) {
                assertThat(one.read()).isEqualTo(i);
            }
            assertThat(one.read()).isEqualTo(99);
        }
    }

    @Test
    void a_position_that_cannot_be_ends_that_reader_only() {
        for (long position : new long[] {8, 1L << 40, -64, Long.MIN_VALUE, Long.MAX_VALUE}) {
            memory.fill((byte) 0);
            wrong.clear();
            var those = Ring.readers(memory, plan, 2, (i, e) -> wrong.add(i + e.getMessage()));
            var one = Ring.writer(memory, plan, those);
            while (send(one, 0)) {
                // until it is full
            }
            memory.set(LONG, READER_POSITION, 64);
            memory.set(LONG, CONTROL + READER_POSITION, position);
            assertThat(send(one, 0)).as("at %s", position).isTrue();
            assertThat(send(one, 0)).as("the other counts").isFalse();
            assertThat(wrong).singleElement().asString().startsWith("1the reader says it is at");
        }
    }

    @Test
    void one_that_goes_back_is_found_out_when_the_writer_sleeps_too() {
        joinAll();
        int count = fill();
        for (int frame = 0; frame < count; frame++) {
            own.get(1).read();
        }
        own.get(1).in.release();
        assertThat(readers.follows(1, writer)).isTrue();
        memory.set(LONG, CONTROL + READER_POSITION, 0);
        assertThat(readers.sleep(1, writer)).as("it is not waited for").isFalse();
        assertThat(wrong).singleElement().asString().startsWith("1: the reader says it is at 0");
    }

    /// Payload that looks like the headers that will be at its places.
    @Test
    void stale_bytes_are_no_headers() {
        joinAll();
        var mine = own.getFirst();
        for (int lap = 0; lap < 3; lap++) {
            for (int at = 0; at < SIZE; at += 4 * ALIGNMENT) {
                assertThat(writer.claim(room, 200)).isTrue();
                long position = writer.written();
                for (long byteAt = 56; byteAt < 200; byteAt += ALIGNMENT) {
                    long next = position + byteAt + 8 + SIZE;
                    room.memory.set(LONG, room.position + byteAt, RingLayout.tag(next) | 8);
                }
                room.position += 200;
                writer.commit(room, 0);
                for (var one : own) {
                    assertThat(one.read()).isNotEqualTo(-1);
                    assertThat(one.read()).as("after frame at %s", position).isEqualTo(-1);
                    one.in.release();
                }
            }
            for (int i = 0; i < 4; i++) { // so that headers lie where payload was
                send(writer, i);
                for (var one : own) {
                    assertThat(one.read()).isEqualTo(i);
                    assertThat(one.in.poll(lent)).isFalse();
                    one.in.release();
                }
            }
        }
        assertThat(mine.read()).isEqualTo(-1);
    }

    @Test
    void each_reader_is_woken_once_by_the_ring_it_sleeps_at() {
        var one = own.getFirst();
        one.invite();
        assertThat(one.read()).isEqualTo(-1);
        assertThat(one.in.sleep()).isTrue();
        one.join();
        assertThat(one.out.mustWakeReader()).as("for the word that it joins").isTrue();
        assertThat(one.in.sleepsOn()).isFalse();
        one.in.awake();
        assertThat(one.in.hasTurned()).isFalse();
        assertThat(one.read()).isEqualTo(-1);
        assertThat(one.in.hasTurned()).as("its writer may not know yet that it sleeps").isTrue();
        assertThat(one.in.hasTurned()).isFalse();
        assertThat(one.in.sleep()).isTrue();
        send(writer, 1);
        assertThat(readers.mustWake(0)).isTrue();
        assertThat(readers.mustWake(0)).isFalse();
        assertThat(readers.mustWake(1)).isFalse();
        one.in.awake();
        assertThat(one.read()).isEqualTo(1);
        assertThat(one.in.sleep()).isTrue();
        writer.part();
        assertThat(readers.mustWake(0)).as("for the word that it goes back").isTrue();
        one.in.awake();
        assertThat(one.read()).isEqualTo(-1);
        assertThat(one.in.sleep()).isTrue();
        send(one.out, 2);
        assertThat(one.out.mustWakeReader()).isTrue();
    }

    @Test
    void one_that_rests_has_its_bit_set_and_rests_on_in_the_other_ring() {
        var words = Arena.ofAuto().allocate(64, 64);
        var bit = new ReadyBit(words, 0, 3);
        readers.announce(0, bit);
        var one = own.getFirst();
        one.out.announce(bit);
        one.invite();
        one.read();
        assertThat(one.in.rest()).isTrue();
        one.join();
        assertThat(one.out.mustWakeReader()).isFalse();
        assertThat(bit.take(bit.mask())).isNotZero();
        assertThat(one.read()).as("looked at now and then").isEqualTo(-1);
        send(writer, 1);
        assertThat(readers.mustWake(0)).isFalse();
        assertThat(bit.take(bit.mask())).as("in the broadcast").isNotZero();
        one.in.rouse();
        assertThat(one.read()).isEqualTo(1);
    }

    @Test
    void a_reader_that_gives_room_wakes_the_writer_that_waits_for_it() {
        joinAll();
        int count = fill();
        assertThat(send(writer, 0)).isFalse();
        assertThat(readers.sleep(0, writer)).isTrue();
        assertThat(readers.sleep(1, writer)).isTrue();
        for (int frame = 0; frame < count; frame++) {
            own.get(0).read();
            own.get(2).read();
        }
        own.get(0).in.release();
        own.get(2).in.release();
        assertThat(own.get(0).in.mustWakeWriter()).isTrue();
        assertThat(own.get(0).in.mustWakeWriter()).isFalse();
        assertThat(own.get(2).in.mustWakeWriter()).as("nobody waits for it").isFalse();
        assertThat(readers.sleep(0, writer)).as("it has given room").isFalse();
    }

    private void header(MemorySegment where, long position, long flags, long length) {
        where.set(LONG, DATA + position, RingLayout.tag(position) | flags << 24 | length);
    }

    @Test
    void words_that_lead_nowhere_are_refused() {
        var one = own.getFirst();
        for (int flags : new int[] {JOINS, PARTS, 0x41, 0x51, 0x70 | 1, 0xF0}) {
            header(one.itsMemory, 0, flags, 0);
            assertThatThrownBy(one::read).as("%x", flags).isInstanceOf(IllegalStateException.class);
        }
        header(one.itsMemory, 0, INVITES, 249);
        assertThatThrownBy(one::read).hasMessage("an invitation of 249 bytes at 0 of 4096");
        var plain = Ring.reader(one.itsMemory, 0, SIZE);
        header(one.itsMemory, 0, INVITES, 8);
        assertThatThrownBy(() -> plain.poll(lent)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void invitations_without_end_are_refused() {
        var one = own.getFirst();
        for (int at = 0; at < SIZE; at += ALIGNMENT) {
            header(one.itsMemory, at, INVITES, 8);
        }
        assertThatThrownBy(one::read).hasMessage("records without end that carry nothing");
    }

    @Test
    void in_a_broadcast_nobody_is_invited_elsewhere() {
        joinAll();
        header(memory, 0, INVITES, 8);
        assertThatThrownBy(own.getFirst()::read).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Tag("slow")
    void frames_of_all_sizes_reach_every_thread_in_order() {
        Seeded.times(
                4,
                random -> {
                    memory.fill((byte) 0);
                    var out = Ring.writer(memory, plan, readers());
                    long seed = random.nextLong();
                    var threads = new ArrayList<Thread>();
                    var failed = new ArrayList<@Nullable Throwable>();
                    for (int i = 0; i < READERS; i++) {
                        var in =
                                Ring.reader(
                                        memory, new RingPlan((long) i * CONTROL, plan.places()));
                        var thread = new Thread(() -> read(in, seed));
                        thread.setUncaughtExceptionHandler((_, e) -> failed.add(e));
                        thread.start();
                        threads.add(thread);
                    }
                    write(out, seed);
                    for (var thread : threads) {
                        thread.join();
                    }
                    assertThat(failed).isEmpty();
                });
    }

    private static void write(RingWriter out, long seed) {
        var random = new SplittableRandom(seed);
        var room = new Frame();
        for (int i = 0; i < FRAMES; i++) {
            int length = 8 + random.nextInt(240);
            while (!send(out, room, i, length)) {
                Thread.yield(); // more threads than cores
            }
            if (i == FRAMES / 2) {
                out.move();
            }
        }
    }

    private static void read(RingReader in, long seed) {
        var random = new SplittableRandom(seed);
        var lent = new Frame();
        for (int i = 0; i < FRAMES; i++) {
            while (!in.poll(lent)) {
                Thread.yield(); // more threads than cores
            }
            long value = lent.memory.get(LONG, lent.position);
            if (lent.room() != 8 + random.nextInt(240) || value != i) {
                throw new AssertionError(value + " instead of frame " + i);
            }
        }
        in.release();
    }
}
