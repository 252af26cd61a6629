package org.ibidem.lab.history.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.ibidem.lab.history.History;
import org.junit.jupiter.api.Test;

/// Histories that break promises about who is told what, and when.
class MoreRulesTest {
    private static final String NODES =
            """
            0 a is p direct ORDERED local
            0 b is q near ORDERED local
            1 a invoke 1 1000 join
            2 a ok 1 0
            1 b invoke 1 1000 join
            2 b ok 1 1
            """;

    private static List<String> broken(Rule rule, String history) {
        return rule.broken(History.of(history));
    }

    // Order.

    private static final String TWO_LISTS =
            NODES
                    + """
                    10 a heard joined a 0
                    11 a heard elected mark-a a 1
                    12 a heard joined b 1
                    13 a heard elected mark-b b 1
                    14 a heard joined c 2
                    15 a heard elected e c 1
                    20 b heard joined a 0
                    21 b heard joined b 1
                    22 b heard elected mark-a a 1
                    23 b heard elected mark-b b 1
                    24 b heard joined c 2
                    25 b heard elected e c 1
                    90 nemesis quiet
                    """;

    @Test
    void equal_lists_of_one_that_came_late_are_in_order() {
        assertThat(broken(new OrderRule(), TWO_LISTS)).isEmpty();
        var more = TWO_LISTS + "26 a heard signalled b x\n27 b heard hub-lost why\n";
        assertThat(broken(new OrderRule(), more)).as("not for all").isEmpty();
    }

    @Test
    void another_order_is_found() {
        var other = TWO_LISTS.replace("24 b", "26 b");
        assertThat(broken(new OrderRule(), other)).singleElement().asString().contains("b heard");
    }

    @Test
    void a_change_that_somebody_missed_is_found() {
        assertThat(broken(new OrderRule(), TWO_LISTS.replace("25 b heard elected e c 1\n", "")))
                .hasSize(1);
        assertThat(broken(new OrderRule(), TWO_LISTS + "26 b heard left c\n")).hasSize(1);
        var ended = TWO_LISTS.replace("25 b heard elected e c 1\n", "25 q killed\n");
        assertThat(broken(new OrderRule(), ended)).as("it ended before").isEmpty();
    }

    @Test
    void who_comes_as_the_end_of_a_journal_is_lost_may_be_unknown_to_others_and_else_not() {
        var unheard = TWO_LISTS.replace("13 a heard elected mark-b b 1\n", "");
        assertThat(broken(new OrderRule(), unheard))
                .singleElement()
                .asString()
                .contains("a has not heard of the election of b");
        assertThat(broken(new OrderRule(), unheard + "26 hub lost\n")).isEmpty();
        assertThat(broken(new OrderRule(), unheard + "3000000 hub lost\n")).hasSize(1);
    }

    @Test
    void a_beginning_that_is_not_what_others_know_is_found() {
        assertThat(broken(new OrderRule(), TWO_LISTS + "9 a heard joined z 7\n"))
                .singleElement()
                .asString()
                .contains("member z");
    }

    // Deaths.

    @Test
    void a_death_without_silence_is_found() {
        var rule = new DeathRule(5_000_000);
        var died = NODES + "9000000 a heard died b silent\n";
        assertThat(broken(rule, died)).hasSize(1);
        assertThat(broken(rule, died + "8000000 q killed\n")).isEmpty();
        assertThat(broken(rule, died + "9500000 q killed\n")).hasSize(1);
        assertThat(broken(rule, died + "8000000 p killed\n")).hasSize(1);
        assertThat(broken(rule, died + "8000000 a invoke 2 1000 assume b\n")).isEmpty();
        assertThat(broken(rule, died + "8000000 b invoke 2 1000 close\n")).isEmpty();
        assertThat(broken(rule, died.replace("died", "left"))).hasSize(1);
        assertThat(broken(rule, NODES + "9000000 b unknown 2 Departed\n")).hasSize(1);
    }

    @Test
    void a_join_may_be_in_the_lost_end_of_a_journal_if_it_had_only_just_been_acknowledged() {
        var rule = new DeathRule(5_000_000);
        var left = NODES + "9000000 a heard left b\n";
        assertThat(broken(rule, left + "1000 hub lost\n")).isEmpty();
        assertThat(broken(rule, left + "1000000 hub lost\n")).hasSize(1);
        assertThat(broken(rule, left + "9000001 hub lost\n")).hasSize(1);
    }

    @Test
    void silence_counts_from_when_it_began_and_not_while_the_hub_heard_nobody() {
        var rule = new DeathRule(5_000_000);
        var died = NODES + "9000000 a heard died b silent\n";
        assertThat(broken(rule, died + "3000000 q stopped\n")).isEmpty();
        assertThat(broken(rule, died + "5000000 q stopped\n")).hasSize(1);
        assertThat(broken(rule, died + "3000000 near cut\n7000000 near healed\n")).hasSize(1);
        assertThat(broken(rule, died + "3000000 near cut\n8500000 near healed\n")).isEmpty();
        var unable = "5000000 hub unable\n7000000 hub able\n";
        assertThat(broken(rule, died + "3000000 near cut\n" + unable)).hasSize(1);
        assertThat(broken(rule, died + "1000000 near cut\n" + unable)).isEmpty();
    }

    @Test
    void who_had_no_time_to_be_back_at_a_hub_was_silent_before_it_stood_still() {
        var rule = new DeathRule(5_000_000);
        var died =
                NODES
                        + "9000000 a heard died b silent\n"
                        + "2500000 hub unable\n3000000 hub able\n";
        assertThat(broken(rule, died + "4100000 q stopped\n")).isEmpty();
        assertThat(broken(rule, died + "5500000 q stopped\n")).hasSize(1);
    }

    // Signals.

    private static final String SIGNALS =
            NODES
                    + """
                    10 a invoke 2 1000 signal x all
                    20 a ok 2 2
                    30 a invoke 3 1000 signal y b
                    40 a ok 3 1
                    50 a heard signalled a x
                    60 b heard signalled a x
                    70 b heard signalled a y
                    90 nemesis quiet
                    """;

    @Test
    void signals_that_are_doubled_lost_moved_or_astray_are_found() {
        var rule = new SignalRule();
        assertThat(broken(rule, SIGNALS)).isEmpty();
        assertThat(broken(rule, SIGNALS + "80 b heard signalled a y\n"))
                .singleElement()
                .asString()
                .contains("twice");
        assertThat(broken(rule, SIGNALS + "80 a heard signalled a y\n"))
                .singleElement()
                .asString()
                .contains("not sent to it");
        assertThat(broken(rule, SIGNALS.replace("60 b heard signalled a x\n", "")))
                .singleElement()
                .asString()
                .contains("has not heard");
        assertThat(broken(rule, SIGNALS.replace("60 b heard signalled a x\n", "30 b listens\n")))
                .as("before it listened")
                .isEmpty();
        assertThat(broken(rule, SIGNALS.replace("60 b", "75 b")))
                .singleElement()
                .asString()
                .contains("later signal before");
        assertThat(
                        broken(
                                rule,
                                SIGNALS.replace("60 b heard signalled a x\n", "")
                                        .replace("20 a ok 2 2", "20 a unknown 2 HubUnreachable")))
                .isEmpty();
    }

    // Limits and reasons.

    @Test
    void a_call_that_takes_too_long_is_found() {
        var rule = new LimitRule(1_000_000);
        var late = NODES + "1000000 a invoke 2 1000 next s 1\n";
        assertThat(broken(rule, late + "2900000 a ok 2 0\n")).isEmpty();
        assertThat(broken(rule, late + "3100000 a ok 2 0\n")).hasSize(1);
        assertThat(broken(rule, late + "3100000 a unknown 2 HubUnreachable\n")).hasSize(1);
        assertThat(broken(rule, late + "2900000 b heard hub-lost x\n")).as("not over").isEmpty();
        assertThat(broken(rule, late + "3100000 b heard hub-lost x\n")).as("it hangs").hasSize(1);
        assertThat(broken(rule, late + "3100000 p killed\n")).isEmpty();
        var stopped = "1500000 p stopped\n3000000 p continued\n";
        assertThat(broken(rule, late + stopped + "4400000 a ok 2 0\n")).isEmpty();
        assertThat(broken(rule, late + stopped + "4600000 a ok 2 0\n")).hasSize(1);
        var starved = late + "2500000 p late 1000000\n";
        assertThat(broken(rule, starved + "3900000 a ok 2 0\n")).isEmpty();
        assertThat(broken(rule, starved + "4100000 a ok 2 0\n")).hasSize(1);
        assertThat(broken(rule, starved + "2600000 p late 1000000\n4200000 a ok 2 0\n"))
                .as("counted once")
                .hasSize(1);
    }

    @Test
    void what_fails_without_a_reason_is_found_and_so_is_a_pool_that_began_anew() {
        var rule = new ReasonRule();
        assertThat(broken(rule, NODES + "10 a fail 2 OperationRefused no_room\n")).isEmpty();
        assertThat(broken(rule, NODES + "10 a unknown 2 IdInUse x\n")).hasSize(1);
        assertThat(broken(rule, NODES + "10 a heard restarted x\n")).hasSize(1);
        assertThat(broken(rule, NODES + "10 a heard missed x\n")).hasSize(1);
        assertThat(broken(rule, NODES + "10 a heard missed x\n5 hub lost\n")).isEmpty();
    }

    // Views.

    @Test
    void views_that_differ_in_the_end_are_found() {
        var rule = new ViewRule();
        var views =
                NODES
                        + """
                        80 a view members a b
                        81 b view members a b
                        82 a view elections e a 1
                        83 b view elections e a 1
                        90 nemesis quiet
                        """;
        assertThat(broken(rule, views)).isEmpty();
        assertThat(broken(rule, views.replace("81 b view members a b", "81 b view members b")))
                .hasSize(1);
        assertThat(broken(rule, views.replace("83 b view elections e a 1", "83 b view elections")))
                .hasSize(1);
        assertThat(
                        broken(
                                rule,
                                views
                                        + "50 c is p direct NONE local\n51 c invoke 1 9 join\n52 c ok 1 2\n"))
                .as("both have not heard of it")
                .hasSize(2);
        assertThat(broken(rule, views + "70 q killed\n")).as("a still has b").isNotEmpty();
    }

    // Parcels.

    private static final String ROWS =
            NODES
                    + """
                    10 a invoke 2 9000 parcels r b 3
                    15 b parcel whole r 3
                    20 a ok 2 arrived routed
                    """;

    @Test
    void rows_that_arrive_whole_break_nothing() {
        assertThat(broken(new ParcelRule(), ROWS)).isEmpty();
    }

    @Test
    void a_row_torn_doubled_or_confirmed_without_having_come_is_found() {
        assertThat(broken(new ParcelRule(), ROWS + "16 b parcel torn r 2 1\n")).hasSize(1);
        assertThat(broken(new ParcelRule(), ROWS + "16 b parcel whole r 3\n")).hasSize(1);
        var never = ROWS.replace("15 b parcel whole r 3\n", "");
        assertThat(broken(new ParcelRule(), never)).hasSize(1);
    }

    @Test
    void a_row_may_be_lost_under_a_fault_or_with_its_receiver_and_else_not() {
        var lost = ROWS.replace("arrived routed", "lost why");
        assertThat(broken(new ParcelRule(), lost)).hasSize(1);
        var killed = "12 nemesis begin killed\n13 nemesis end killed\n";
        assertThat(broken(new ParcelRule(), lost + killed)).isEmpty();
        assertThat(broken(new ParcelRule(), lost + "14 q killed\n")).isEmpty();
        assertThat(broken(new ParcelRule(), lost + "14 b invoke 2 3000 close\n")).isEmpty();
    }

    @Test
    void the_checker_asks_all_rules() {
        var checker = new Checker(Duration.ofSeconds(5), Duration.ofSeconds(1));
        assertThat(checker.broken(History.of(TWO_LISTS))).isEmpty();
        var wrong =
                TWO_LISTS
                        + """
                        30 a heard died b silent
                        31 b heard missed x
                        32 b heard signalled a never
                        33 a invoke 5 1000 next s 1
                        34 a ok 5 7
                        35 a invoke 6 1000 count t
                        36 a ok 6 3
                        37 b heard elected e a 1
                        38 b invoke 7 0 next u 1
                        9000000 b unknown 7 HubUnreachable
                        39 a parcel torn r 2 1
                        85 a view members a z
                        """;
        assertThat(checker.broken(History.of(wrong)).stream().map(line -> line.split(":", -1)[0]))
                .contains(
                        "ElectionRule",
                        "SequenceRule",
                        "TokenRule",
                        "SignalRule",
                        "OrderRule",
                        "ParcelRule",
                        "DeathRule",
                        "LimitRule",
                        "ReasonRule",
                        "ViewRule");
    }

    @Test
    void what_was_done_under_a_fault_is_counted() {
        var under =
                NODES
                        + """
                        10 nemesis begin killed
                        20 nemesis end killed
                        30 nemesis begin full
                        31 a invoke 2 1000 next s 1
                        40 nemesis end full
                        9000000 a ok 2 0
                        """;
        assertThat(Checker.done(History.of(under)))
                .containsEntry("killed", 1L)
                .containsEntry("full", 1L);
        assertThat(Checker.done(History.of(under.replace("9000000 a ok", "9000000 a fail"))))
                .containsEntry("killed", 0L);
    }
}
