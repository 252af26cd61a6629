package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class UnreportedLossesTest {
    private static final int MOST = 4096;

    private final UnreportedLosses unreported = new UnreportedLosses();

    private void add(int from, int to, boolean broken) {
        for (int i = from; i < to; i++) {
            var target = new Target(new NodeId(1, 1), "in " + i);
            unreported.add(new Lost<>(target, broken, "why " + i), () -> {});
        }
    }

    @Test
    void what_is_said_is_said_once() {
        assertThat(unreported.say()).isNull();
        add(0, 1, true);
        add(1, 2, false);
        assertThat(unreported.say())
                .contains("port 'in 0'")
                .contains(" is lost: why 0; the connection to ")
                .endsWith(" is over: why 1");
        assertThat(unreported.say()).isNull();
        assertThat(unreported.take()).isEmpty();
    }

    @Test
    void of_many_twenty_are_said_and_the_others_counted_also_those_that_were_forgotten() {
        add(0, 20, true);
        assertThat(unreported.say()).endsWith("why 19");
        add(0, 21, true);
        assertThat(unreported.say()).endsWith("why 19; and 1 more");
        add(0, MOST + 7, true);
        assertThat(unreported.say()).endsWith("why 19; and " + (MOST + 7 - 20) + " more");
        add(0, 1, true);
        assertThat(unreported.say()).endsWith("why 0");
    }

    @Test
    void so_many_are_kept_the_first_of_them() {
        add(0, MOST + 1, false);
        assertThat(unreported.take())
                .hasSize(MOST)
                .last()
                .satisfies(last -> assertThat(last.why()).isEqualTo("why " + (MOST - 1)));
        assertThat(unreported.take()).isEmpty();
    }

    @Test
    void whether_one_broke_is_known_until_it_is_told() {
        add(0, 3, false);
        assertThat(unreported.anyBroken()).isFalse();
        add(3, 4, true);
        assertThat(unreported.anyBroken()).isTrue();
        unreported.take();
        assertThat(unreported.anyBroken()).isFalse();
    }
}
