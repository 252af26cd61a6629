package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.task.ManualTasks;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.Surroundings;
import org.junit.jupiter.api.Test;

class SurveyTest {
    private static final Surroundings SAID =
            new Surroundings(
                    Location.parse("here"), List.of(), Egress.PRESERVING, "", "", List.of());

    private final ManualTasks time = new ManualTasks();
    private final List<String> told = new ArrayList<>();
    private int asked;
    private final Survey survey = new Survey(time, () -> asked++);

    private void want(String who) {
        survey.want((age, said) -> told.add(who + " " + age.toSeconds() + " " + said.isPresent()));
    }

    @Test
    void a_member_is_asked_only_when_somebody_wants_to_know_and_once_for_all_of_them() {
        assertThat(asked).isZero();
        want("one");
        want("two");
        assertThat(asked).isEqualTo(1);
        assertThat(told).isEmpty();
        survey.said(SAID);
        assertThat(told).containsExactly("one 0 true", "two 0 true");
    }

    @Test
    void what_it_said_is_told_on_with_its_age_until_it_is_a_minute_old() {
        want("one");
        survey.said(SAID);
        time.advance(Duration.ofSeconds(59));
        want("two");
        assertThat(told).containsExactly("one 0 true", "two 59 true");
        assertThat(asked).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        want("three");
        assertThat(asked).isEqualTo(2);
        assertThat(told).hasSize(2);
    }

    @Test
    void who_waits_for_one_that_does_not_answer_is_told_so_and_a_late_answer_is_for_the_next() {
        want("one");
        time.advance(Survey.PATIENCE);
        assertThat(told).containsExactly("one 0 false");
        survey.said(SAID);
        want("two");
        assertThat(told).containsExactly("one 0 false", "two 0 true");
    }

    @Test
    void the_patience_of_an_earlier_question_says_nothing_about_a_later_one() {
        want("one");
        time.advance(Duration.ofSeconds(1));
        survey.end();
        want("two");
        time.advance(Survey.PATIENCE.minusNanos(1)); // only the first one's is over
        assertThat(told).containsExactly("one 0 false");
        time.advance(Duration.ofNanos(1));
        assertThat(told).containsExactly("one 0 false", "two 0 false");
    }

    @Test
    void it_ends_with_the_connection() {
        want("one");
        survey.end();
        assertThat(told).containsExactly("one 0 false");
        survey.said(SAID);
        survey.end();
        want("two");
        assertThat(told).hasSize(1); // asked, as for the first time
    }

    @Test
    void those_who_wait_are_bounded() {
        for (int i = 0; i < Survey.MOST_WAITING; i++) {
            want("one of many");
        }
        assertThat(told).isEmpty();
        want("one too many");
        assertThat(told).containsExactly("one too many 0 false");
        assertThat(asked).isEqualTo(1);
    }
}
