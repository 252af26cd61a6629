package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Links between sites that share a connection, whatever method has made it.
@Laboratory(Town.Sites.class)
class SharedTest {
    private static final int STREAMS = 8;

    /// For what the two say to each other, and what it carries.
    private static final int TO_THE_HUB = 1;

    private static Town town;

    @BeforeAll
    static void start(Lab lab) {
        var stack = "-Dlab.stack=multiplex > tcp";
        town = new Town(lab).start(stack, "office1", "garden1", "hotel1", "square1");
    }

    /// Opens many, and one back, and uses them all.
    private static void converse(String from, String to, String... methods) {
        var streams = new ArrayList<Town.Stream>();
        for (int i = 0; i < STREAMS; i++) {
            var stream = town.stream(from, to);
            assertThat(stream.open()).isIn((Object[]) methods);
            streams.add(stream);
        }
        var back = town.stream(to, from);
        back.open();
        for (var stream : streams) {
            stream.carry(20, 1000);
            back.carry(5, 1000);
        }
        streams.getFirst().carry(3, 500_000);
    }

    private static long connections(Lab lab, String host, String... which) {
        var words = new ArrayList<>(List.of("ss", "-Htn", "state", "established"));
        words.addAll(List.of(which));
        return lab.machine(host).run(words.toArray(String[]::new)).stream()
                .filter(line -> !line.isBlank())
                .count();
    }

    @Test
    void straight(Lab lab) {
        converse("office1", "square1", "direct");
        var square = lab.machine("square1").address();
        assertThat(connections(lab, "office1", "dst", square))
                .as("the service link and the shared connection")
                .isEqualTo(2);
    }

    @Test
    void past_two_firewalls() {
        converse("office1", "garden1", "splice", "routed");
    }

    @Test
    void through_the_hub(Lab lab) {
        converse("hotel1", "garden1", "routed");
        assertThat(connections(lab, "hotel1")).isEqualTo(TO_THE_HUB);
    }
}
