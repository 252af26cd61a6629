package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines of 300 ms that lose packets, to the hub too.
@Laboratory(Town.Sites.class)
class LossyLinesTest {
    private static Town town;

    @BeforeAll
    static void start(Lab lab) {
        town = new Town(lab).start("-Dibidem.heartbeat=5s", "home1", "office1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1%", "5%"})
    void messages_arrive_whole_and_in_order(String loss, Lab lab) {
        long before = lost(lab);
        lab.set("*-*", "delay=150ms loss=" + loss);
        var there = town.stream("home1", "office1");
        assertThat(there.open()).isIn("splice", "routed");
        there.carry(100, 500);
        var back = town.stream("office1", "home1");
        back.open();
        do {
            back.carry(50, 500);
        } while (lost(lab) == before); // of few packets all may get through
    }

    private static long lost(Lab lab) {
        return lab.lines().values().stream().mapToLong(line -> line.tally().lost()).sum();
    }
}
