package org.ibidem.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntPredicate;
import org.ibidem.model.Machine.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Sleeping and waking as `RingReader`, `RingWriter`, `RingLink` and `Waiter` do it, in every order
/// that processors with store buffers allow: nobody sleeps for ever. With any part taken out, an
/// order is found in which somebody does.
class SleepModelTest {
    /// Parts of the protocol, to be left out.
    private enum Part {
        FENCE_OF_WHO_GIVES_ROOM,
        FENCE_OF_WHO_SLEEPS,
        SECOND_LOOK,
        LOOK_WHEN_SETTLED,
        FENCE_WHEN_ASKED,
        WAKING_BEFORE_SLEEPING,
        RINGING_THE_OTHER,
        FENCE_OF_WHO_RINGS,
        FENCE_OF_THE_SLEEPER,
    }

    private static final int FRAMES = Boolean.getBoolean("ibidem.full") ? 4 : 3;

    private final Set<Part> parts = EnumSet.allOf(Part.class);

    /// Whether the writer knows already that the reader sleeps now and then.
    private boolean asked;

    private boolean has(Part part) {
        return parts.contains(part);
    }

    /// `RingReader.mustWakeWriter` and `ProcessBell.wake`.
    private void wakeWriter(Program program, String label) {
        program.fence(has(Part.FENCE_OF_WHO_GIVES_ROOM));
        wake(program, "waits", "to writer", label);
    }

    /// The same, where the reader asks for fences and the writer has heard it.
    private void wakeReader(Program program, String label) {
        program.fence(asked && has(Part.FENCE_WHEN_ASKED));
        wake(program, "sleeps", "to reader", label);
    }

    /// `RingWriter.mustWakeReader`, without a fence, and `ProcessBell.wake`.
    private void wake(Program program, String flag, String bytes, String label) {
        program.load("f", flag)
                .jump(label, r -> r.get("f") == 0)
                .swap("f", flag, 0)
                .jump(label, r -> r.get("f") == 0)
                .kernel(bytes)
                .label(label);
    }

    /// One ring between two processes: a writer of `frames` frames into room for `room` of them,
    /// which the reader gives back by `batch`.
    private Result oneRing(int frames, int room, int batch) {
        return Machine.explore(writer(frames, room), reader(frames, batch));
    }

    private Program writer(int frames, int room) {
        return writer(frames, room, _ -> true);
    }

    /// One whose frames all but the last say that the message goes on.
    private Program writerOfOneMessage(int frames, int room) {
        return writer(frames, room, n -> n > frames);
    }

    private Program writer(int frames, int room, IntPredicate ends) {
        return new Program("writer")
                .set("n", _ -> 1)
                .label("claim") // RingWriter.claim
                .load("read", "position")
                .jump("write", r -> r.get("n") - r.get("read") <= room)
                .then(this::wakeBeforeSleeping)
                .store("waits", 1) // RingWriter.sleep
                .fence(has(Part.FENCE_OF_WHO_SLEEPS))
                .load("read", "position")
                .jump("disarm", r -> has(Part.SECOND_LOOK) && r.get("n") - r.get("read") <= room)
                .select("to writer")
                .label("disarm")
                .store("waits", 0) // RingWriter.awake
                .take("rings", "to writer") // RingLink.look
                .jump("claim")
                .label("write") // RingWriter.commit
                .store("published", "n")
                .set("n", r -> r.get("n") + 1)
                .jump("goes on", r -> !ends.test(r.get("n")))
                .then(p -> wakeReader(p, "woken"))
                .label("goes on")
                .jump("claim", r -> r.get("n") <= frames);
    }

    private void wakeBeforeSleeping(Program program) {
        if (has(Part.WAKING_BEFORE_SLEEPING)) {
            wakeReader(program, "woken before sleeping"); // RingSink.arm
        }
    }

    /// Gives back what it read once it is `batch` frames, and before it sleeps.
    private Program reader(int frames, int batch) {
        return new Program("reader")
                .set("n", _ -> 0)
                .set("given", _ -> 0)
                .label("poll") // RingReader.poll gives back before it looks
                .jump("look", r -> r.get("n") - r.get("given") < batch)
                .store("position", "n")
                .set("given", r -> r.get("n"))
                .then(p -> wakeWriter(p, "look"))
                .load("there", "published")
                .jump("sleep", r -> r.get("there") <= r.get("n"))
                .set("n", r -> r.get("n") + 1)
                .jump("poll", r -> r.get("n") < frames)
                .jump("end")
                .label("sleep") // RingSource.arm, RingReader.sleep
                .set("selected", _ -> 0)
                .set("owed", _ -> 0)
                .jump("nothing owed", r -> r.get("given").equals(r.get("n")))
                .store("position", "n")
                .set("given", r -> r.get("n"))
                .set("owed", _ -> 1)
                .label("nothing owed")
                .store("sleeps", 1)
                .fence(has(Part.FENCE_OF_WHO_SLEEPS))
                .load("there", "published")
                .jump("writer woken", r -> r.get("owed") == 0)
                .then(p -> wakeWriter(p, "writer woken"))
                .jump("disarm", r -> has(Part.SECOND_LOOK) && r.get("there") > r.get("n"))
                .then(this::lookWhenSettled)
                .select("to reader")
                .set("selected", _ -> 1)
                .label("disarm")
                .swap("was", "sleeps", 0) // RingReader.awake
                .jump("poll", r -> r.get("was") != 0 && r.get("selected") == 0)
                .take("rings", "to reader") // RingLink.look
                .jump("poll")
                .label("end");
    }

    /// `Waiter.select`, `RingReader.sleepsOn`.
    private void lookWhenSettled(Program program) {
        if (has(Part.LOOK_WHEN_SETTLED) && !asked) {
            program.settle("to reader")
                    .load("f", "sleeps")
                    .jump("disarm", r -> r.get("f") == 0)
                    .load("there", "published")
                    .jump("disarm", r -> r.get("there") > r.get("n"));
        }
    }

    @Test
    @Tag("slow")
    void reader_and_writer_of_a_ring_never_both_sleep() {
        for (int room = 1; room <= 2; room++) {
            for (int batch = 1; batch <= room; batch++) {
                var result = oneRing(FRAMES, room, batch);
                assertThat(result.stuck()).as("%s of %s", batch, room).isEmpty();
                assertThat(result.states()).isGreaterThan(500);
                assertThat(result.most().get("to reader")).as("rings on their way").isLessThan(4);
                assertThat(result.most().get("to writer")).as("rings on their way").isLessThan(4);
            }
        }
    }

    /// A message that goes on wakes nobody; a writer that is out of room must, before it sleeps.
    @Test
    void a_writer_that_sleeps_without_waking_the_reader_waits_for_ever() {
        parts.remove(Part.WAKING_BEFORE_SLEEPING);
        var goesOn = Machine.explore(writerOfOneMessage(2, 1), reader(2, 1));
        assertThat(goesOn.stuck()).isNotEmpty();
        parts.add(Part.WAKING_BEFORE_SLEEPING);
        assertThat(Machine.explore(writerOfOneMessage(2, 1), reader(2, 1)).stuck()).isEmpty();
    }

    @Test
    void without_the_fence_of_who_gives_room_a_wake_up_is_lost() {
        parts.remove(Part.FENCE_OF_WHO_GIVES_ROOM);
        assertThat(oneRing(2, 1, 1).stuck()).isNotEmpty();
    }

    @Test
    void without_a_look_when_all_stores_have_settled_a_wake_up_is_lost() {
        parts.remove(Part.LOOK_WHEN_SETTLED);
        assertThat(oneRing(1, 1, 1).stuck()).isNotEmpty();
    }

    /// From then on nobody looks again a millisecond later.
    @Test
    void a_writer_that_was_asked_for_fences_and_the_reader_never_both_sleep() {
        asked = true;
        for (int room = 1; room <= 2; room++) {
            assertThat(oneRing(FRAMES, room, 1).stuck()).as("room for %s", room).isEmpty();
        }
    }

    @Test
    void without_the_fence_that_was_asked_for_a_wake_up_is_lost() {
        asked = true;
        parts.remove(Part.FENCE_WHEN_ASKED);
        assertThat(oneRing(1, 1, 1).stuck()).isNotEmpty();
    }

    @Test
    void without_the_fence_of_who_sleeps_a_wake_up_is_lost() {
        parts.remove(Part.FENCE_OF_WHO_SLEEPS);
        assertThat(oneRing(2, 1, 1).stuck()).isNotEmpty();
    }

    @Test
    void without_the_second_look_a_wake_up_is_lost() {
        parts.remove(Part.SECOND_LOOK);
        assertThat(oneRing(2, 1, 1).stuck()).isNotEmpty();
    }

    /// Two waiters of one process, a reader's and a writer's, sleep on one socket; the two threads
    /// of the peer that they wait for ring it.
    private Result oneBell(int times) {
        return Machine.explore(
                waiter("reader", "writer", times),
                waiter("writer", "reader", times),
                peer("reader", times),
                peer("writer", times));
    }

    /// Waits for what the peer publishes for it: `Waiter.sleep` over `RingSource` or `RingSink`.
    private Program waiter(String me, String other, int times) {
        return new Program(me)
                .set("n", _ -> 1)
                .label("poll")
                .load("there", "for " + me)
                .jump("found", r -> r.get("there") >= r.get("n"))
                .set("selected", _ -> me.equals("writer") ? 1 : 0) // where arm found something
                .store("armed " + me, 1) // arm
                .store("flag of " + me, 1)
                .fence(has(Part.FENCE_OF_WHO_SLEEPS))
                .load("there", "for " + me)
                .store("asleep " + me, 1) // Waiter.sleep
                .fence(has(Part.FENCE_OF_THE_SLEEPER))
                .jump("wake", r -> r.get("there") >= r.get("n"))
                .load("rung", "rung " + me)
                .set("selected", r -> r.get("rung") != 0 ? 0 : 1)
                .jump("wake", r -> r.get("rung") != 0)
                .set("selected", _ -> 1)
                .then(p -> settleReader(p, me))
                .select("socket", "wakeup " + me)
                .take("w", "wakeup " + me)
                .label("wake")
                .store("asleep " + me, 0)
                .swap("rung", "rung " + me, 0)
                .store("armed " + me, 0) // disarm
                .swap("was", "flag of " + me, 0)
                .jump("poll", r -> r.get("selected") == 0 && looksOnlyWhenTold(me, r.get("was")))
                .take("rings", "socket") // RingLink.look
                .jump("poll", r -> r.get("rings") == 0)
                .then(p -> ringOther(p, other))
                .jump("poll")
                .label("found")
                .set("n", r -> r.get("n") + 1)
                .jump("poll", r -> r.get("n") <= times);
    }

    /// A reader takes its flag back and sees whether it was rung; a writer just clears it.
    private static boolean looksOnlyWhenTold(String me, int was) {
        return me.equals("writer") || was != 0;
    }

    /// Who waits for room need not: its peer has a fence before it looks whether to wake.
    private static void settleReader(Program program, String me) {
        if (me.equals("reader")) {
            program.settle("socket", "wakeup " + me)
                    .load("f", "flag of " + me)
                    .jump("wake", r -> r.get("f") == 0)
                    .load("there", "for " + me)
                    .jump("wake", r -> r.get("there") >= r.get("n"))
                    .load("rung", "rung " + me)
                    .jump("wake", r -> r.get("rung") != 0);
        }
    }

    /// Who has taken the rings looks again anyway. The other is rung where it sleeps.
    private void ringOther(Program program, String other) {
        if (has(Part.RINGING_THE_OTHER)) {
            program.load("a", "armed " + other).jump("rung " + other, r -> r.get("a") == 0);
            ring(program, other);
        }
    }

    /// `Waiter.ring`.
    private void ring(Program program, String whom) {
        program.store("rung " + whom, 1)
                .fence(has(Part.FENCE_OF_WHO_RINGS))
                .load("a", "asleep " + whom)
                .jump("rung " + whom, r -> r.get("a") == 0)
                .kernel("wakeup " + whom)
                .label("rung " + whom);
    }

    private Program peer(String whose, int times) {
        var program = new Program("peer of " + whose);
        for (int n = 1; n <= times; n++) {
            program.store("for " + whose, n).fence(whose.equals("writer"));
            wake(program, "flag of " + whose, "socket", "woken " + n);
        }
        return program;
    }

    @Test
    @Tag("slow")
    void two_waiters_on_one_socket_never_take_each_others_rings_for_good() {
        var result = oneBell(1);
        assertThat(result.stuck()).isEmpty();
        assertThat(result.states()).isGreaterThan(5_000);
        assertThat(result.most().get("socket")).as("rings on their way").isLessThan(4);
    }

    @Test
    void whoever_takes_a_ring_must_ring_the_other() {
        parts.remove(Part.RINGING_THE_OTHER);
        assertThat(oneBell(1).stuck()).isNotEmpty();
    }

    @Test
    void without_the_fence_of_who_rings_a_ring_is_lost() {
        parts.remove(Part.FENCE_OF_WHO_RINGS);
        assertThat(oneBell(1).stuck()).isNotEmpty();
    }

    @Test
    void without_the_fence_of_the_sleeper_a_ring_is_lost() {
        parts.remove(Part.FENCE_OF_THE_SLEEPER);
        assertThat(oneBell(1).stuck()).isNotEmpty();
    }
}
