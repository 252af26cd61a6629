package org.ibidem.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.ibidem.model.Machine.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One that stays armed, touched and looked at as `KeptSeats` and `Waiter` do it, in every order
/// that processors with store buffers allow: what has come is always seen. With any part taken out,
/// an order is found in which it is not.
class TouchModelTest {
    /// Parts of the protocol, to be left out.
    enum Part {
        TOUCHED_BEFORE_THE_RING,
        TAKEN_BACK_BEFORE_THE_LOOK,
        ARMED_AGAIN,
        LOOK_WHEN_ARMED,
        TOUCHED_BY_WHO_FINDS_SOMETHING_WHEN_ARMED,
    }

    private final Set<Part> parts = EnumSet.allOf(Part.class);

    private boolean has(Part part) {
        return parts.contains(part);
    }

    private Result explored() {
        return Machine.explore(waiter(), link(), program());
    }

    /// What rings only when it is armed, as the reader's side of a link does.
    private Program link() {
        return new Program("link")
                .store("from link", 1)
                .fence(true)
                .swap("f", "armed", 0)
                .jump("end", r -> r.get("f") == 0)
                .then(this::touchAndRing)
                .label("end");
    }

    /// What touches in any case, as who begins to watch a VLink does.
    private Program program() {
        return new Program("program").store("from program", 1).then(this::touchAndRing);
    }

    /// `KeptSeats.Kept.ring`.
    private void touchAndRing(Program one) {
        if (has(Part.TOUCHED_BEFORE_THE_RING)) {
            touch(one, "ring");
            one.label("ring").then(TouchModelTest::ring);
        } else {
            ring(one);
            touch(one, "done");
            one.label("done");
        }
    }

    /// `KeptSeats.Kept.touch`.
    private static void touch(Program one, String otherwise) {
        one.swap("t", "touched", 1).jump(otherwise, r -> r.get("t") != 0).swap("s", "stack", 1);
    }

    /// `Waiter.ring`.
    private static void ring(Program one) {
        one.store("rung", 1)
                .fence(true)
                .load("a", "asleep")
                .jump("rung", r -> r.get("a") == 0)
                .kernel("wakeup")
                .label("rung");
    }

    /// `ReceiptLoop.run`, until it has seen what comes from both.
    private Program waiter() {
        return new Program("waiter")
                .set("loose", _ -> 1)
                .set("of link", _ -> 0)
                .label("round") // KeptSeats.look
                .swap("s", "stack", 0)
                .jump("sleep", r -> r.get("s") == 0)
                .then(p -> takeBack(p, has(Part.TAKEN_BACK_BEFORE_THE_LOOK)))
                .swap("f", "armed", 0)
                .set("loose", _ -> has(Part.ARMED_AGAIN) ? 1 : 0)
                .load("of link", "from link")
                .load("of program", "from program")
                .then(p -> takeBack(p, !has(Part.TAKEN_BACK_BEFORE_THE_LOOK)))
                .jump("end", r -> r.get("of link") + r.get("of program") == 2)
                .label("sleep") // Waiter.sleep
                .jump("armed", r -> r.get("loose") == 0)
                .set("loose", _ -> 0)
                .store("armed", 1)
                .fence(true)
                .load("there", "from link")
                .jump(
                        "armed",
                        r -> !has(Part.LOOK_WHEN_ARMED) || r.get("there") <= r.get("of link"))
                .then(this::touchItself)
                .label("armed")
                .store("asleep", 1)
                .fence(true)
                .load("r", "rung")
                .jump("awake", r -> r.get("r") != 0)
                .select("wakeup")
                .take("w", "wakeup")
                .label("awake")
                .store("asleep", 0)
                .swap("r", "rung", 0)
                .jump("round")
                .label("end");
    }

    private static void takeBack(Program program, boolean now) {
        if (now) {
            program.store("touched", 0).fence(true);
        }
    }

    private void touchItself(Program program) {
        if (has(Part.TOUCHED_BY_WHO_FINDS_SOMETHING_WHEN_ARMED)) {
            touch(program, "awake");
        }
        program.jump("awake");
    }

    @Test
    void what_has_come_is_always_seen() {
        var result = explored();
        assertThat(result.stuck()).isEmpty();
        assertThat(result.states()).isGreaterThan(500);
    }

    @ParameterizedTest
    @EnumSource
    void without_this_part_what_has_come_is_not_always_seen(Part part) {
        parts.remove(part);
        assertThat(explored().stuck()).isNotEmpty();
    }
}
