package org.ibidem.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.model.Machine.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Sleeping and waking where a reader goes from its own ring to a broadcast ring and back, and
/// where a writer waits for several readers, as `RingReader`, `RingReaders`, `Participant` and
/// `Joint` do it, in every order that processors with store buffers allow: nobody sleeps for ever.
class BroadcastModelTest {
    private static final int ROOM = 2;

    private boolean wakesForWords = true;
    private boolean looksWhenSettled = true;
    private boolean fenceOfWhoGivesRoom = true;
    private boolean armsAllThatAreBehind = true;

    private static void wake(Program program, String flag, String bytes, String label) {
        program.load("f", flag)
                .jump(label, r -> r.get("f") == 0)
                .swap("f", flag, 0)
                .jump(label, r -> r.get("f") == 0)
                .kernel(bytes)
                .label(label);
    }

    /// A frame in the reader's own ring, `join`, a frame in the broadcast, `part`, a frame in its
    /// own ring. After each the writer looks at the flag of the ring it wrote into, and no other.
    private Program writer() {
        var program = new Program("writer");
        publish(program, "own", 1, true);
        publish(program, "own", 2, wakesForWords);
        publish(program, "broadcast", 1, true);
        publish(program, "broadcast", 2, wakesForWords);
        publish(program, "own", 3, true);
        return program;
    }

    private static void publish(Program program, String ring, int record, boolean wakes) {
        program.store(ring, record);
        if (wakes) {
            wake(program, "sleeps at " + ring, "to reader", "woken " + ring + record);
        }
    }

    /// Sleeps at the ring in which it expects the next record.
    private Program reader() {
        var program = new Program("reader");
        read(program, "own", 1);
        read(program, "own", 2);
        read(program, "broadcast", 1);
        read(program, "broadcast", 2);
        read(program, "own", 3);
        return program;
    }

    private void read(Program program, String ring, int record) {
        var here = ring + record;
        program.label("poll " + here)
                .load("there", ring)
                .jump("found " + here, r -> r.get("there") >= record)
                .store("sleeps at " + ring, 1) // RingReader.sleep
                .fence(true)
                .load("there", ring)
                .jump("awake " + here, r -> r.get("there") >= record);
        if (looksWhenSettled) {
            program.settle("to reader")
                    .load("f", "sleeps at " + ring)
                    .jump("awake " + here, r -> r.get("f") == 0)
                    .load("there", ring)
                    .jump("awake " + here, r -> r.get("there") >= record);
        }
        program.select("to reader")
                .label("awake " + here)
                .store("sleeps at " + ring, 0) // RingReader.awake
                .take("rings", "to reader")
                .jump("poll " + here)
                .label("found " + here);
    }

    private Result comingAndGoing() {
        return Machine.explore(writer(), reader());
    }

    @Test
    void who_goes_to_a_broadcast_and_back_is_woken_for_every_frame() {
        var result = comingAndGoing();
        assertThat(result.stuck()).isEmpty();
        assertThat(result.states()).isGreaterThan(1_000);
        assertThat(result.most().get("to reader")).as("rings on their way").isLessThan(4);
    }

    @Test
    void who_is_not_woken_for_the_words_that_send_it_there_and_back_sleeps_at_the_wrong_ring() {
        wakesForWords = false;
        assertThat(comingAndGoing().stuck()).isNotEmpty();
    }

    @Test
    void without_a_look_when_all_stores_have_settled_a_wake_up_is_lost() {
        looksWhenSettled = false;
        assertThat(comingAndGoing().stuck()).isNotEmpty();
    }

    /// Wants to write two frames more into a ring that is full of two, which both readers have
    /// still to give back. It sleeps on those that were behind when it was refused.
    private Program sender() {
        return new Program("sender")
                .set("n", _ -> ROOM + 1)
                .label("claim") // Joint.claim
                .then(p -> look(p, "one"))
                .then(p -> look(p, "other"))
                .jump("write", r -> r.get("one") == 0 && r.get("other") == 0)
                .then(p -> arm(p, "one"))
                .then(p -> arm(p, "other"))
                .select("from one", "from other")
                .label("disarm")
                .store("waits for one", 0)
                .store("waits for other", 0)
                .take("rings", "from one")
                .take("rings", "from other")
                .jump("claim")
                .label("write")
                .set("n", r -> r.get("n") + 1)
                .jump("claim", r -> r.get("n") <= 2 * ROOM);
    }

    /// Joint.follows: whether this reader is behind.
    private static void look(Program program, String reader) {
        program.load("read", "position of " + reader)
                .set(reader, r -> r.get("n") - r.get("read") <= ROOM ? 0 : 1);
    }

    /// Output.arm, Participant.sleep, RingReaders.sleep.
    private void arm(Program program, String reader) {
        program.jump(
                        "no wait for " + reader,
                        r ->
                                r.get(reader) == 0
                                        || (reader.equals("other")
                                                && r.get("one") != 0
                                                && !armsAllThatAreBehind))
                .store("waits for " + reader, 1)
                .fence(true)
                .load("read", "position of " + reader)
                .jump("disarm", r -> r.get("n") - r.get("read") <= ROOM)
                .label("no wait for " + reader);
    }

    private Program receiver(String me) {
        var program = new Program(me);
        for (int n = 1; n <= ROOM; n++) {
            program.store("position of " + me, n) // RingReader.publish, mustWakeWriter
                    .fence(fenceOfWhoGivesRoom);
            wake(program, "waits for " + me, "from " + me, "given " + n);
        }
        return program;
    }

    private Result severalReaders() {
        return Machine.explore(sender(), receiver("one"), receiver("other"));
    }

    @Test
    @Tag("slow")
    void a_writer_is_woken_by_the_slowest_of_its_readers() {
        var result = severalReaders();
        assertThat(result.stuck()).isEmpty();
        assertThat(result.states()).isGreaterThan(1_000);
    }

    @Test
    void without_the_fence_of_who_gives_room_the_writer_sleeps_for_ever() {
        fenceOfWhoGivesRoom = false;
        assertThat(severalReaders().stuck()).isNotEmpty();
    }

    /// To be woken by the faster one is enough: it looks again, and then sleeps on the slower.
    @Test
    void a_writer_may_sleep_on_one_of_those_that_are_behind() {
        armsAllThatAreBehind = false;
        assertThat(severalReaders().stuck()).isEmpty();
    }
}
