package org.ibidem.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.ibidem.model.Machine.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One direction of a VLink over a ring, which has one sleeper: the thread that reads it, by
/// itself, or the node's loop, for who watches. In every order that processors with store buffers
/// allow, both are told of what comes, whoever of them came first. With any part taken out, an
/// order is found in which somebody sleeps for ever.
class OwnSleepModelTest {
    /// Parts of the protocol, to be left out.
    enum Part {
        /// Who begins to watch takes it from the thread that sleeps on it by itself.
        REVOKED_BY_WHO_WATCHES,

        /// And wakes that thread.
        WOKEN_WHEN_REVOKED,

        /// And the loop, as he may not be there any more when it looks.
        RUNG_WHEN_REVOKED,

        /// Who sleeps by himself takes it from the loop, which would disarm it for him.
        TAKEN_FROM_THE_LOOP,

        /// Who has said that he sleeps looks once more.
        SECOND_LOOK,

        /// He waits as one who watches, where there is another.
        NO_OWN_SLEEP_WHILE_WATCHED,
    }

    /// What the lock of a direction guards: frames taken in, whether one is kept for who reads, who
    /// watches, whether a thread sleeps by itself, and whether the loop has it armed.
    private static final List<String> FLOW = List.of("taken", "lent", "watched", "own", "armed");

    private static final int WATCHER = 1;
    private static final int READER = 2;

    private final Set<Part> parts = EnumSet.allOf(Part.class);

    private boolean has(Part part) {
        return parts.contains(part);
    }

    private static Program peer(int frames) {
        var peer = new Program("peer");
        for (int n = 1; n <= frames; n++) {
            var next = "woken " + n;
            peer.store("there", n)
                    .fence(true) // which was asked for: SleepModelTest has the one that was not
                    .load("f", "flag")
                    .jump(next, r -> r.get("f") == 0)
                    .swap("f", "flag", 0)
                    .jump(next, r -> r.get("f") == 0)
                    .kernel("pipe")
                    .label(next)
                    .set("f", _ -> 0);
        }
        return peer;
    }

    /// `VLink.read`: whether there was one is in `t` then. Who takes the last lets the loop go.
    private static void read(Program program, int of) {
        program.lock("lock", FLOW)
                .jump("lent", r -> r.get("lent") != 0)
                .load("t", "there")
                .jump("nothing", r -> r.get("t") <= r.get("taken"))
                .set("taken", r -> r.get("taken") + 1)
                .label("lent")
                .set("lent", _ -> 0)
                .set("t", r -> r.get("taken") < of ? 1 : 2)
                .unlock("lock", FLOW)
                .jump("looked", r -> r.get("t") == 1)
                .wakeup("over")
                .jump("looked")
                .label("nothing")
                .unlock("lock", FLOW)
                .set("t", _ -> 0)
                .label("looked");
    }

    /// Reads, and sleeps by itself where nothing is there (`Inflow.sleep`).
    private Program reader(int takes, int of) {
        return new Program("reader")
                .set("n", _ -> 0)
                .label("read")
                .then(p -> read(p, of))
                .jump("sleep", r -> r.get("t") == 0)
                .set("n", r -> r.get("n") + 1)
                .jump("read", r -> r.get("n") < takes)
                .jump("end")
                .label("sleep")
                .lock("lock", FLOW) // Inflow.sleep
                .jump("unlocked", r -> r.get("lent") != 0)
                .jump("watches", r -> has(Part.NO_OWN_SLEEP_WHILE_WATCHED) && r.get("watched") != 0)
                .set("armed", r -> has(Part.TAKEN_FROM_THE_LOOP) ? 0 : r.get("armed"))
                .set("own", _ -> 1)
                .store("flag", 1)
                .fence(true)
                .load("t", "there")
                .jump("quiet", r -> !has(Part.SECOND_LOOK) || r.get("t") <= r.get("taken"))
                .set("own", _ -> 0)
                .swap("f", "flag", 0)
                .set("f", _ -> 0)
                .label("unlocked")
                .unlock("lock", FLOW)
                .set("t", _ -> 0)
                .jump("read")
                .label("quiet")
                .set("t", _ -> 0)
                .unlock("lock", FLOW)
                .select("pipe", "reader's wakeup") // OwnSleep.sleep
                .take("f", "reader's wakeup")
                .set("f", _ -> 0)
                .lock("lock", FLOW)
                .jump("unlocked", r -> r.get("own") == 0) // it was taken from him
                .set("own", _ -> 0)
                .swap("f", "flag", 0)
                .take("f", "pipe")
                .set("f", _ -> 0)
                .jump("unlocked")
                .label("watches") // Flow.watch
                .set("watched", r -> r.get("watched") | READER)
                .unlock("lock", FLOW)
                .then(OwnSleepModelTest::look)
                .select("reader's wakeup")
                .take("f", "reader's wakeup")
                .set("f", _ -> 0)
                .jump("read")
                .label("end");
    }

    /// Another one that wants a frame, and watches where nothing is there (`VLink.postRead`).
    private Program watcher(int of) {
        return new Program("watcher")
                .label("read")
                .then(p -> read(p, of))
                .jump("end", r -> r.get("t") != 0)
                .then(this::watch)
                .select("watcher told")
                .take("f", "watcher told")
                .set("f", _ -> 0)
                .jump("read")
                .label("end");
    }

    /// One that begins to watch, and thinks better of it.
    private Program passing() {
        return new Program("watcher")
                .then(this::watch)
                .lock("lock", FLOW)
                .set("watched", r -> r.get("watched") & ~WATCHER)
                .unlock("lock", FLOW);
    }

    /// `Flow.watch`.
    private void watch(Program watcher) {
        watcher.lock("lock", FLOW)
                .set("watched", r -> r.get("watched") | WATCHER)
                .set("ring", r -> r.get("armed") == 0 ? 1 : 0)
                .jump("told", r -> !has(Part.REVOKED_BY_WHO_WATCHES) || r.get("own") == 0)
                .set("own", _ -> 0)
                .set("ring", _ -> has(Part.RUNG_WHEN_REVOKED) ? 1 : 0)
                .swap("f", "flag", 0)
                .set("f", _ -> 0)
                .then(this::wakeReader)
                .label("told")
                .unlock("lock", FLOW)
                .jump("rung", r -> r.get("ring") == 0)
                .then(OwnSleepModelTest::look)
                .label("rung")
                .set("ring", _ -> 0);
    }

    private void wakeReader(Program program) {
        if (has(Part.WOKEN_WHEN_REVOKED)) {
            program.wakeup("reader's wakeup");
        }
    }

    /// `Flow.look`: touches it (TouchModelTest has that by itself) and rings.
    private static void look(Program program) {
        program.store("touched", 1)
                .fence(true)
                .load("a", "asleep")
                .jump("awake", r -> r.get("a") == 0)
                .wakeup("loop's wakeup")
                .label("awake")
                .set("a", _ -> 0);
    }

    /// `ReceiptLoop.run`, until the last frame was read.
    private Program loop() {
        return new Program("loop")
                .set("loose", _ -> 1)
                .set("keyed", _ -> 0)
                .label("round")
                .then(OwnSleepModelTest::looks)
                .jump("round")
                .label("sleep")
                .then(OwnSleepModelTest::arms)
                .label("armed")
                .then(OwnSleepModelTest::sleeps)
                .jump("round")
                .label("end");
    }

    /// `KeptSeats.look`; goes to sleep where nothing was touched.
    private static void looks(Program loop) {
        loop.swap("f", "touched", 0)
                .jump("sleep", r -> r.get("f") == 0)
                .set("f", _ -> 0)
                .set("loose", _ -> 1)
                .lock("lock", FLOW)
                .jump("disarmed", r -> r.get("armed") == 0)
                .set("armed", _ -> 0)
                .swap("f", "flag", 0)
                .take("f", "pipe")
                .set("f", _ -> 0)
                .label("disarmed")
                .load("t", "there") // Flow.turn
                .jump("something", r -> r.get("lent") != 0)
                .jump("turned", r -> r.get("t") <= r.get("taken"))
                .set("taken", r -> r.get("taken") + 1)
                .set("lent", _ -> 1)
                .label("something")
                .then(OwnSleepModelTest::tellAll)
                .label("turned")
                .set("t", _ -> 0)
                .unlock("lock", FLOW);
    }

    /// `Waiter.sleep` and `Flow.arm`.
    private static void arms(Program loop) {
        loop.jump("armed", r -> r.get("loose") == 0)
                .set("loose", _ -> 0)
                .lock("lock", FLOW) // Flow.arm
                .set(
                        "keyed",
                        r ->
                                r.get("lent") == 0 && r.get("watched") != 0 && r.get("own") == 0
                                        ? 1
                                        : 0)
                .jump("left", r -> r.get("keyed") == 0)
                .set("armed", _ -> 1)
                .store("flag", 1)
                .fence(true)
                .load("t", "there")
                .jump("left", r -> r.get("t") <= r.get("taken"))
                .swap("f", "touched", 1)
                .set("f", _ -> 0)
                .label("left")
                .set("t", _ -> 0)
                .unlock("lock", FLOW);
    }

    /// `Waiter.select`; ends when all was read.
    private static void sleeps(Program loop) {
        loop.store("asleep", 1)
                .fence(true)
                .load("f", "touched")
                .jump("awake", r -> r.get("f") != 0)
                .jump("with its key", r -> r.get("keyed") != 0)
                .select("loop's wakeup", "over")
                .jump("awake")
                .label("with its key")
                .select("loop's wakeup", "over", "pipe")
                .load("t", "pipe")
                .jump("awake", r -> r.get("t") == 0)
                .swap("f", "touched", 1) // the selector found its channel ready
                .label("awake")
                .set("t", _ -> 0)
                .set("f", _ -> 0)
                .take("f", "loop's wakeup")
                .set("f", _ -> 0)
                .store("asleep", 0)
                .load("t", "over")
                .jump("end", r -> r.get("t") != 0)
                .set("t", _ -> 0);
    }

    private static void tellAll(Program program) {
        program.jump("no watcher", r -> (r.get("watched") & WATCHER) == 0)
                .wakeup("watcher told")
                .label("no watcher")
                .jump("no reader", r -> (r.get("watched") & READER) == 0)
                .wakeup("reader's wakeup")
                .label("no reader")
                .set("watched", _ -> 0);
    }

    /// Two frames, of which one who sleeps and one who watches want one each.
    private Result withWatcher() {
        return Machine.explore(peer(2), reader(1, 2), watcher(2), loop());
    }

    /// As many frames for one who sleeps, and one who begins to watch and goes.
    private Result withPassing(int frames) {
        return Machine.explore(peer(frames), reader(frames, frames), passing(), loop());
    }

    @Test
    @Tag("slow")
    void who_reads_and_who_watches_are_both_told() {
        for (var result : List.of(withWatcher(), withPassing(2))) {
            assertThat(result.stuck()).isEmpty();
            assertThat(result.states()).isGreaterThan(10_000);
            assertThat(result.most().get("pipe")).as("rings on their way").isLessThan(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void without_this_part_somebody_sleeps_for_ever(Part part) {
        parts.remove(part);
        boolean stuck = !withPassing(1).stuck().isEmpty() || !withWatcher().stuck().isEmpty();
        assertThat(stuck).isTrue();
    }
}
