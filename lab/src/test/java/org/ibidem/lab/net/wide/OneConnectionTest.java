package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Machine;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Sites whose gateways let out one connection at a time: the one to the hub is all that a node
/// needs.
@Laboratory(OneConnectionTest.Sites.class)
class OneConnectionTest {
    private static final List<String> GATEWAYS = List.of("office", "hotel", "cellar");

    private static Town town;

    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("office", Kind.FIREWALL).hosts(1),
                    Site.of("hotel", Kind.NAT).hosts(1),
                    Site.of("cellar", Kind.NAT).hosts(1),
                    Site.of("square", Kind.OPEN).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        for (var name : GATEWAYS) {
            lab.machine(name)
                    .run(
                            "nft",
                            "add table inet narrow;"
                                    + " add chain inet narrow forward"
                                    + " { type filter hook forward priority -10; };"
                                    + " add rule inet narrow forward"
                                    + " oifname wan meta l4proto tcp ct state new"
                                    + " ct count over 1 counter drop");
        }
        town =
                new Town(lab)
                        .start("-Dibidem.heartbeat=5s", "office1", "hotel1", "cellar1", "square1");
    }

    private static long connections(Machine host) {
        return host.run("ss", "-Htn", "state", "established").stream()
                .filter(line -> !line.isBlank())
                .count();
    }

    /// It is no fault of the gateways that there are no more.
    private static void requireDrops(Lab lab) {
        for (var name : List.of("office", "hotel")) {
            assertThat(lab.machine(name).run("nft", "list table inet narrow"))
                    .anyMatch(line -> line.matches(".*counter packets [1-9].*"));
        }
    }

    private static void converse(String from, String to) {
        var there = town.stream(from, to);
        assertThat(there.open()).isEqualTo("routed");
        there.carry(100, 500);
        there.carry(3, 500_000);
        var back = town.stream(to, from);
        assertThat(back.open()).isIn("routed", "accepted"); // or the same link, the other way
        back.carry(50, 500);
        there.carry(50, 500);
    }

    @Test
    void the_connection_to_the_hub_is_all_that_a_node_needs(Lab lab) {
        var winner = town.ask("hotel1", "1", "elect master");
        assertThat(winner).startsWith("elected ");
        assertThat(town.ask("office1", "1", "elect master")).isEqualTo(winner);
        assertThat(town.ask("office1", "2", "ping " + town.id("hotel1")))
                .isEqualTo("pinged routed");
        converse("office1", "hotel1");
        converse("hotel1", "office1");
        for (var host : List.of("office1", "hotel1")) {
            assertThat(connections(lab.machine(host))).as(host).isEqualTo(1);
        }
        requireDrops(lab);
    }

    /// Somebody who listens for all cannot be connected to by those who have one connection only,
    /// and cannot connect to them.
    @Test
    void it_reaches_those_too_who_could_be_connected_to() {
        var there = town.stream("hotel1", "square1");
        assertThat(there.open()).isEqualTo("routed");
        there.carry(20, 5_000);
        var back = town.stream("square1", "office1");
        back.open();
        back.carry(20, 5_000);
    }

    /// Seen from the hub somebody else may be at its addresses: nothing but the end of its
    /// connection proves that it is gone.
    @Test
    void a_node_that_was_killed_is_seen_dead_by_the_end_of_that_connection() {
        town.program("cellar1").kill();
        var dead = town.program("square1").said("dead", Town.LONG);
        assertThat(dead).startsWith(town.id("cellar1")).contains("its process is gone");
    }
}
