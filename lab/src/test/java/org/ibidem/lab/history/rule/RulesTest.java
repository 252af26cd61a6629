package org.ibidem.lab.history.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.ibidem.lab.history.History;
import org.junit.jupiter.api.Test;

/// Histories that break each promise, and such as only look like it.
class RulesTest {
    private static final String AB =
            """
            0 a is p direct ORDERED local
            0 b is q near ORDERED local
            """;

    private static final String COUNTING =
            AB
                    + """
                    10 a invoke 1 1000 next s 1
                    20 a ok 1 0
                    30 a invoke 2 1000 next s 1
                    """;

    private static List<String> broken(Rule rule, String history) {
        return rule.broken(History.of(history));
    }

    // Sequences.

    @Test
    void a_number_given_twice_is_found() {
        var twice =
                COUNTING
                        + """
                        40 a ok 2 1
                        50 b invoke 1 1000 next s 1
                        60 b ok 1 1
                        """;
        assertThat(broken(new SequenceRule(), twice)).singleElement().asString().contains("s");
        assertThat(broken(new SequenceRule(), twice.replace("ok 1 1", "ok 1 2"))).isEmpty();
    }

    @Test
    void a_number_left_out_is_found_unless_somebody_did_not_wait_for_it() {
        var gap = COUNTING + "40 a ok 2 2\n";
        assertThat(broken(new SequenceRule(), gap)).hasSize(1);
        var open = "15 b invoke 1 1000 next s 1\n";
        assertThat(broken(new SequenceRule(), gap + open)).isEmpty();
        assertThat(broken(new SequenceRule(), gap + open + "16 b unknown 1 HubUnreachable\n"))
                .isEmpty();
        assertThat(broken(new SequenceRule(), gap + open + "16 b fail 1 OperationRefused\n"))
                .hasSize(1);
        assertThat(broken(new SequenceRule(), gap + "45 b invoke 1 1000 next s 1\n"))
                .as("it began too late")
                .hasSize(1);
        assertThat(broken(new SequenceRule(), gap + open.replace("s 1", "s 2"))).hasSize(1);
    }

    @Test
    void a_lower_number_later_is_found() {
        var back =
                AB
                        + """
                        10 a invoke 1 1000 next s 1
                        20 a ok 1 1
                        30 b invoke 1 1000 next s 1
                        40 b ok 1 0
                        """;
        assertThat(broken(new SequenceRule(), back)).hasSize(1);
        assertThat(broken(new SequenceRule(), back.replace("30 b", "15 b"))).isEmpty();
    }

    @Test
    void numbers_that_a_hub_may_have_lost_are_asked_for_no_more() {
        var anew =
                COUNTING
                        + """
                        40 a ok 2 0
                        50 b invoke 1 1000 next s 1
                        60 b ok 1 0
                        """;
        assertThat(broken(new SequenceRule(), anew)).hasSize(1);
        assertThat(broken(new SequenceRule(), anew + "25 hub lost\n")).isEmpty();
        assertThat(broken(new SequenceRule(), anew + "45 hub lost\n")).hasSize(1);
        assertThat(broken(new SequenceRule(), anew + "5 hub lost\n")).hasSize(1);
    }

    // Tokens.

    private static final String ONE_TOKEN =
            AB
                    + """
                    10 a invoke 1 1000 add t 1
                    20 a ok 1 1
                    30 a invoke 2 1000 take t
                    40 a ok 2 true
                    """;

    @Test
    void a_token_taken_twice_is_found() {
        var twice =
                ONE_TOKEN
                        + """
                        50 b invoke 1 1000 take t wait
                        60 b ok 1 true
                        """;
        assertThat(broken(new TokenRule(), twice)).hasSize(1);
        assertThat(broken(new TokenRule(), twice + "55 a invoke 3 1000 add t 1\n")).isEmpty();
        assertThat(broken(new TokenRule(), twice + "65 a invoke 3 1000 add t 1\n")).hasSize(1);
    }

    @Test
    void a_token_that_is_lost_is_found() {
        var lost =
                AB
                        + """
                        10 a invoke 1 1000 add t 1
                        20 a ok 1 1
                        30 b invoke 1 1000 take t
                        40 b unknown 1 HubUnreachable
                        90 a invoke 9 1000 settled t
                        95 a ok 9 0
                        """;
        assertThat(broken(new TokenRule(), lost)).hasSize(1);
        assertThat(broken(new TokenRule(), lost.replace("ok 9 0", "ok 9 1"))).isEmpty();
        assertThat(broken(new TokenRule(), lost + "50 q killed\n")).isEmpty();
    }

    @Test
    void one_who_waits_is_served_by_the_add_that_says_how_many_are_left() {
        var served =
                AB
                        + """
                        10 b invoke 1 1000 take t wait
                        20 a invoke 1 1000 add t 2
                        30 a ok 1 1
                        40 b ok 1 true
                        50 a invoke 2 1000 count t
                        60 a ok 2 1
                        """;
        assertThat(broken(new TokenRule(), served)).isEmpty();
        assertThat(broken(new TokenRule(), served.replace("ok 2 1", "ok 2 0"))).hasSize(1);
        assertThat(broken(new TokenRule(), served.replace("30 a ok 1 1", "30 a ok 1 3")))
                .hasSize(1);
        assertThat(broken(new TokenRule(), served.replace("40 b ok 1 true", "40 b ok 1 false")))
                .as("it was given to nobody")
                .hasSize(1);
    }

    @Test
    void none_although_there_is_one_is_found_unless_the_hub_was_away() {
        var none =
                AB
                        + """
                        10 a invoke 1 1000 add t 1
                        20 a ok 1 1
                        30 b invoke 1 1000 take t wait
                        40 b ok 1 false
                        90 a invoke 2 1000 settled t
                        95 a ok 2 1
                        """;
        assertThat(broken(new TokenRule(), none)).hasSize(1);
        assertThat(broken(new TokenRule(), none + "35 a invoke 3 1000 assume b\n")).isEmpty();
        var late = none.replace("40 b", "2000040 b").replace("90 a", "2000090 a");
        assertThat(broken(new TokenRule(), late.replace("95 a", "2000095 a")))
                .as("its hub had not heard that its waiting was over")
                .isEmpty();
        var away = none + "25 nemesis begin killed\n45 nemesis end killed\n";
        assertThat(broken(new TokenRule(), away)).isEmpty();
        assertThat(broken(new TokenRule(), away.replace("ok 2 1", "ok 2 0")))
                .as("it came late, and was not given back")
                .hasSize(1);
    }

    // Elections.

    private static final String WON =
            AB
                    + """
                    10 a invoke 1 1000 elect e
                    20 a ok 1 a 1
                    """;

    @Test
    void two_winners_of_one_term_are_found() {
        assertThat(broken(new ElectionRule(), WON + "30 b heard elected e b 1\n"))
                .anyMatch(line -> line.contains("two winners"));
        assertThat(broken(new ElectionRule(), WON + "30 b heard elected e a 1\n")).isEmpty();
    }

    @Test
    void a_living_winner_that_is_replaced_is_found() {
        var replaced = WON + "50 b heard elected e b 2\n";
        assertThat(broken(new ElectionRule(), replaced)).hasSize(1);
        var withdrawn = "40 a invoke 2 1000 withdraw e\n";
        assertThat(broken(new ElectionRule(), replaced + withdrawn)).isEmpty();
        assertThat(broken(new ElectionRule(), replaced + withdrawn.replace("40", "60")))
                .as("too late")
                .hasSize(1);
        assertThat(broken(new ElectionRule(), replaced + "40 p killed\n")).isEmpty();
        assertThat(broken(new ElectionRule(), replaced + "60 p killed\n")).hasSize(1);
        assertThat(broken(new ElectionRule(), replaced + "40 a invoke 2 1000 close\n")).isEmpty();
        assertThat(broken(new ElectionRule(), replaced + "40 b invoke 2 1000 assume a\n"))
                .isEmpty();
        var died = "1000040 c heard died a silent\n";
        assertThat(broken(new ElectionRule(), replaced + died)).as("told last").isEmpty();
        assertThat(broken(new ElectionRule(), replaced + died.replace("10000", "11000")))
                .as("long after")
                .hasSize(1);
    }

    @Test
    void an_elect_given_up_beside_one_that_was_answered_is_no_withdraw() {
        var given =
                WON
                        + """
                        30 a invoke 2 100 elect e
                        40 a unknown 2 HubUnreachable
                        50 b heard elected e b 2
                        """;
        assertThat(broken(new ElectionRule(), given)).hasSize(1);
        var only = given.replace("20 a ok 1 a 1", "20 a unknown 1 HubUnreachable");
        assertThat(broken(new ElectionRule(), only)).isEmpty();
    }

    @Test
    void a_vacancy_though_somebody_stands_is_found() {
        var vacant =
                WON
                        + """
                        22 b invoke 1 1000 elect e
                        25 b ok 1 a 1
                        30 a invoke 2 1000 withdraw e
                        35 a ok 2
                        40 b heard vacated e 1
                        """;
        assertThat(broken(new ElectionRule(), vacant))
                .singleElement()
                .asString()
                .contains("vacant");
        assertThat(broken(new ElectionRule(), vacant + "26 b invoke 2 1000 withdraw e\n"))
                .isEmpty();
    }

    @Test
    void terms_that_fall_are_found() {
        var falls =
                AB
                        + """
                        10 a invoke 1 1000 elect e
                        20 a ok 1 b 2
                        30 b invoke 1 1000 elect e
                        40 b ok 1 a 1
                        """;
        assertThat(broken(new ElectionRule(), falls)).anyMatch(line -> line.contains("term 2"));
        var heard = AB + "10 a heard elected e b 2\n20 a heard elected e a 1\n";
        assertThat(broken(new ElectionRule(), heard)).hasSize(1);
        assertThat(broken(new ElectionRule(), heard.replace("20 a", "20 b"))).isEmpty();
    }
}
