package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A job whose giver dies is not done twice.
@Tag("slow")
class OrphansTest extends InOneJvm {
    private static final int RIGHT = 42;

    /// Counts tests: who counts as dead in one goes on in the next.
    private static final AtomicInteger GAME = new AtomicInteger();

    private static final AtomicInteger DONE = new AtomicInteger();
    private static volatile @Nullable NodeId giver;
    private static volatile boolean innerBegun;
    private static volatile boolean mayEnd;
    private static volatile boolean other;

    @BeforeEach
    void begin() {
        GAME.incrementAndGet();
        DONE.set(0);
        giver = null;
        innerBegun = false;
        mayEnd = false;
        other = false;
    }

    private static NodeId here() {
        var worker = Worker.current();
        assertThat(worker).isNotNull();
        return worker.crew().self();
    }

    /// Where it was stolen to it spawns one that is stolen, too.
    private static final class Outer extends Job {
        private static final long serialVersionUID = 1;
        private transient int value;

        @Override
        protected void run() {
            boolean first = giver == null;
            if (first) {
                giver = here();
            }
            var inner = new Inner(first || !other ? RIGHT : RIGHT + 1);
            var last = Job.spawn(inner, null);
            if (first) {
                withinAMinute("it has begun", () -> innerBegun);
            }
            Job.sync(last);
            value = inner.value;
        }

        @Override
        protected Object result() {
            return value;
        }

        @Override
        protected void result(@Nullable Object came) {
            value = came instanceof Integer number ? number : 0;
        }
    }

    private static final class Inner extends Job {
        private static final long serialVersionUID = 1;
        private final int gives;
        private final int of = GAME.get();
        private transient int value;

        private Inner(int gives) {
            this.gives = gives;
        }

        @Override
        protected void run() {
            if (of == GAME.get() && DONE.incrementAndGet() == 1) {
                innerBegun = true;
                withinAMinute("it may end", () -> mayEnd);
            }
            value = gives;
        }

        @Override
        protected Object result() {
            return value;
        }

        @Override
        protected void result(@Nullable Object came) {
            value = came instanceof Integer number ? number : 0;
        }
    }

    /// The outer one is stolen, the inner one from there, and then who has the outer one dies.
    ///
    /// @param before happens before the outer one is done again
    private int play(Satin root, Runnable before) throws Exception {
        Callable<Integer> program =
                () -> {
                    var outer = new Outer();
                    var last = Job.spawn(outer, null);
                    withinAMinute("it has begun", () -> innerBegun);
                    var worker = Worker.current();
                    assertThat(worker).isNotNull();
                    var dead = giver;
                    assertThat(dead).isNotNull();
                    nodes.getFirst().assumeDead(dead, "as a test has it");
                    withinAMinute(
                            "it is known",
                            () -> worker.crew().orphans().mayKnow(Worker.inside(outer.place, 1)));
                    before.run();
                    Job.sync(last);
                    return outer.value;
                };
        return root.run(program);
    }

    private Satin rootOfThree() {
        var root = part();
        worker();
        worker();
        nodes.forEach(Node::members);
        return root;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_its_thief_has_is_used_whether_it_has_ended_or_not(boolean ended) throws Exception {
        var root = rootOfThree();
        Runnable before =
                () -> {
                    if (ended) {
                        mayEnd = true;
                        return;
                    }
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                withinAMinute(
                                        "it is claimed", () -> root.statistics().reused() > 0);
                                mayEnd = true;
                            });
                };
        assertThat(play(root, before)).isEqualTo(RIGHT);
        assertThat(DONE).hasValue(1);
        // Where it has ended, its thief may be who does the outer one again.
        assertThat(parts).extracting(part -> part.statistics().reused()).containsOnlyOnce(1L);
    }

    @Test
    void who_has_nothing_else_to_do_does_it_too() throws Exception {
        var root = rootOfThree();
        assertThat(play(root, () -> {})).isEqualTo(RIGHT);
        assertThat(DONE).hasValue(2);
    }

    @Test
    void another_job_in_its_place_is_another_job() throws Exception {
        var root = rootOfThree();
        other = true;
        assertThat(play(root, () -> mayEnd = true)).isEqualTo(RIGHT + 1);
        assertThat(DONE).hasValue(2);
        assertThat(root.statistics().reused()).isZero();
    }

    private static Parcel held(Orphans orphans, long place) {
        var parcel = new Parcel(null, place, place, new byte[1]);
        assertThat(orphans.hold(parcel)).isTrue();
        return parcel;
    }

    @Test
    void what_came_of_orphans_is_kept_up_to_64_megabytes() {
        var orphans = new Orphans();
        var half = new Orphans.Result(new byte[32 << 20], false);
        var small = new Orphans.Result(new byte[1], false);
        assertThat(orphans.ended(held(orphans, 1), half)).isNull();
        assertThat(orphans.ended(held(orphans, 2), half)).isNull();
        assertThat(orphans.ended(held(orphans, 3), small)).isNull();
        assertThat(orphans.result(3)).as("one byte too many").isNull();
        assertThat(orphans.result(2)).isSameAs(half);
        assertThat(orphans.ended(held(orphans, 3), small)).isNull();
        assertThat(orphans.result(3)).as("there is room again").isSameAs(small);
        assertThat(orphans.result(1)).isSameAs(half);
    }

    @Test
    void of_an_orphan_that_somebody_waits_for_it_is_told_and_nothing_is_kept() {
        var orphans = new Orphans();
        var wanted = held(orphans, 1);
        var claim = new Orphans.Claim(new NodeId(1, 1), 7);
        assertThat(orphans.await(1, claim)).isTrue();
        assertThat(orphans.await(1, claim)).as("one waits already").isFalse();
        var result = new Orphans.Result(new byte[1], false);
        assertThat(orphans.ended(wanted, result)).isSameAs(claim);
        assertThat(orphans.result(1)).isNull();
        assertThat(orphans.ended(held(orphans, 2), null)).as("nothing came of it").isNull();
        assertThat(orphans.result(2)).isNull();
        assertThat(orphans.await(2, claim)).isFalse();
    }
}
