package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// Who is asked for work, and what becomes of answers.
class QuestionsTest {
    private static final int ROUNDS = 300;
    private static final int LONGEST_WAIT = 1_500;
    private static final Location HERE = Location.parse("one@site");

    private final Victims victims = new Victims(HERE);
    private final NodeId near = id();
    private final NodeId far = id();
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private Questions questions = questions(Stealing.CLUSTER_AWARE);

    private static int ids;

    private record Sent(NodeId to, long number) {}

    private static NodeId id() {
        return NodeId.of(new byte[] {(byte) ++ids});
    }

    private Questions questions(Stealing stealing) {
        return new Questions(
                victims,
                stealing,
                (to, letter) -> {
                    sent.add(new Sent(to, letter.number()));
                    if (to.equals(near)) {
                        questions.give(to, letter.number(), null); // It never has any.
                    }
                },
                clock::get);
    }

    private static Parcel parcel() {
        return new Parcel(
                new Crew(Copies.policy(false, QuestionsTest.class.getClassLoader()), false, id()),
                1,
                0,
                new byte[1]);
    }

    private void both() {
        victims.add(near, Location.parse("two@site"));
        victims.add(far, Location.parse("one@elsewhere"));
    }

    private List<NodeId> asked() {
        return new ArrayList<>(sent.stream().map(Sent::to).toList());
    }

    @Test
    void one_question_is_under_way_to_another_site_while_the_own_is_asked_again_and_again()
            throws Exception {
        both();
        for (int i = 0; i < 4; i++) {
            assertThat(questions.ask()).isNull();
        }
        assertThat(asked()).containsExactly(far, near, near, near, near);
        assertThat(questions.askedFar()).isEqualTo(1);
    }

    @Test
    void what_comes_from_another_site_is_there_for_whoever_looks_next() throws Exception {
        both();
        assertThat(questions.ask()).isNull();
        var parcel = parcel();
        assertThat(questions.give(far, sent.getFirst().number(), parcel)).isTrue();
        assertThat(questions.ask()).isSameAs(parcel);
        assertThat(questions.ask()).isNull();
        assertThat(asked()).containsExactly(far, near, far, near);
    }

    @Test
    void without_others_in_the_own_site_the_answer_is_waited_for() throws Exception {
        victims.add(far, Location.parse("one@elsewhere"));
        var asking = new FutureTask<>(questions::ask);
        Thread.ofPlatform().daemon().start(asking);
        while (sent.isEmpty()) {
            Thread.onSpinWait();
        }
        var parcel = parcel();
        questions.give(far, sent.getFirst().number(), parcel);
        assertThat(asking.get(20, TimeUnit.SECONDS)).isSameAs(parcel);
    }

    @Test
    void whoever_is_silent_or_gone_is_given_up_and_what_it_gives_then_goes_back() throws Exception {
        both();
        questions.ask();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
        questions.ask();
        assertThat(asked()).containsExactly(far, near, far, near);
        long late = sent.getFirst().number();
        assertThat(questions.give(far, late, parcel())).isFalse();
        assertThat(questions.mayHaveAsked(far, late)).isTrue();
        assertThat(questions.mayHaveAsked(near, sent.get(2).number())).as("of another").isFalse();
        assertThat(questions.mayHaveAsked(far, 77)).as("not asked yet").isFalse();
        assertThat(questions.mayHaveAsked(far, 0)).isFalse();
        questions.gone(far);
        assertThat(questions.give(far, sent.get(2).number(), parcel())).isFalse();
        questions.ask();
        assertThat(questions.askedFar()).isEqualTo(3);
    }

    @Test
    void nobody_answers_in_the_place_of_who_was_asked() throws Exception {
        both();
        questions.ask();
        long number = sent.getFirst().number();
        assertThat(questions.give(near, number, null)).isFalse();
        assertThat(questions.give(near, number, parcel())).isFalse();
        var parcel = parcel();
        assertThat(questions.give(far, number, parcel)).isTrue();
        assertThat(questions.ask()).isSameAs(parcel);
    }

    private static final class Back implements Parcel.Giver {
        private final NodeId self = id();

        private final List<Long> stamps = new CopyOnWriteArrayList<>();

        @Override
        public NodeId self() {
            return self;
        }

        @Override
        public void done(long stamp, byte[] outcome, boolean thrown) {}

        @Override
        public void back(long stamp, String why) {
            stamps.add(stamp);
        }

        @Override
        public void over(long stamp) {}
    }

    @Test
    void who_pauses_keeps_nothing_that_came_from_another_site() throws Exception {
        both();
        var giver = new Back();
        questions.ask();
        questions.give(far, sent.getFirst().number(), new Parcel(giver, 1, 0, new byte[1]));
        questions.pause(true);
        assertThat(giver.stamps).containsExactly(1L);
        questions.pause(false);
        questions.ask();
        questions.pause(true);
        questions.give(far, sent.get(2).number(), new Parcel(giver, 2, 0, new byte[1]));
        assertThat(giver.stamps).containsExactly(1L, 2L);
    }

    /// Who is interrupted in the moment in which its answer comes has it in hand, and wants it no
    /// more. When that is, is tried out.
    @Test
    void who_pauses_keeps_nothing_that_came_to_one_that_was_interrupted() throws Exception {
        victims.add(far, Location.parse("one@elsewhere"));
        questions = questions(Stealing.RANDOM);
        var giver = new Back();
        int given = 0;
        int taken = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var asking = new FutureTask<>(questions::ask);
            var worker = Thread.ofPlatform().daemon().start(asking);
            while (sent.size() <= round) {
                Thread.onSpinWait();
            }
            questions.pause(true);
            worker.interrupt();
            for (int wait = round % LONGEST_WAIT; wait > 0; wait--) {
                Thread.onSpinWait();
            }
            var parcel = new Parcel(giver, round, 0, new byte[1]);
            given += questions.give(far, sent.get(round).number(), parcel) ? 1 : 0;
            try {
                taken += asking.get(20, TimeUnit.SECONDS) == null ? 0 : 1;
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(InterruptedException.class);
            }
            assertThat(taken + giver.stamps.size()).isEqualTo(given);
            questions.pause(false);
        }
    }

    @Test
    void at_random_one_of_all_is_asked() throws Exception {
        questions = questions(Stealing.RANDOM);
        victims.add(near, Location.parse("two@elsewhere"));
        assertThat(questions.ask()).isNull();
        assertThat(asked()).containsExactly(near);
        assertThat(questions.askedFar()).isEqualTo(1);
        victims.remove(near);
        assertThat(questions.ask()).isNull();
        assertThat(sent).hasSize(1);
    }
}
