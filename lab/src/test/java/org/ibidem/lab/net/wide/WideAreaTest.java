package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Packet;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.Trace;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Bad days between sites.
@Laboratory(Town.Sites.class)
class WideAreaTest {
    private static final int STRANGERS = 10_000;
    private static final long MOST_GROWTH = 16L << 20;
    private static final Duration FLOODED = Duration.ofMinutes(3);

    private static Town town;

    @BeforeAll
    static void start(Lab lab) {
        town =
                new Town(lab)
                        .start(
                                "-Dibidem.heartbeat=3s",
                                "home1",
                                "home2",
                                "office1",
                                "hotel1",
                                "square1")
                        .start("-Dibidem.heartbeat=3s", "flat1", "garden1");
    }

    private static void converse(String from, String to) {
        var there = town.stream(from, to);
        assertThat(there.open()).isIn("reverse", "splice", "routed");
        there.carry(100, 500);
        var back = town.stream(to, from);
        back.open();
        back.carry(50, 500);
    }

    @Test
    void hosts_behind_one_nat_meet_at_their_private_addresses(Lab lab) {
        var stream = town.stream("home1", "home2");
        long mark = lab.mark();
        assertThat(stream.open()).isEqualTo("direct");
        stream.carry(10, 50_000);
        var outside = lab.since(mark).only(packet -> packet.fromSite().equals("home"));
        assertThat(outside.packets().stream().mapToInt(Packet::payload).sum()).isLessThan(100_000);
    }

    /// One writes out through the NAT and one in: neither end is told by anybody.
    @Test
    void a_connection_whose_nat_was_rebooted_is_noticed_and_can_be_made_again(Lab lab) {
        var out = town.stream("home1", "office1");
        var in = town.stream("office1", "home2");
        out.open();
        in.open();
        out.carry(3, 1000);
        in.carry(3, 1000);
        long atOffice = town.losses("office1");
        long atHome = town.losses("home2");
        lab.machine("home").forgetConnections();
        var lost = CompletableFuture.supplyAsync(in::fail, Thread::startVirtualThread);
        assertThat(out.fail()).contains("lost");
        assertThat(lost.join()).contains("lost");
        town.awaitLoss("office1", atOffice);
        town.awaitLoss("home2", atHome);
        converse("home1", "office1");
        converse("office1", "home2");
    }

    @Test
    @Tag("full")
    void a_heartbeat_keeps_idle_connections_over_a_nat_in_a_hurry(Lab lab) {
        lab.machine("home").forgetAfter(Duration.ofSeconds(8));
        try {
            var stream = town.stream("home1", "square1");
            stream.open();
            stream.carry(1, 1000);
            long mark = lab.mark();
            withinAMinute(
                    "heartbeats for twice as long as the NAT remembers",
                    () -> span(lab.since(mark).between("home", "square")) > 16_000_000_000L);
            stream.carry(1, 1000);
        } finally {
            lab.machine("home").forgetAfter(Duration.ofDays(5));
        }
    }

    /// Nanoseconds between the first packet and the last.
    private static long span(Trace trace) {
        var packets = trace.packets();
        return packets.isEmpty() ? 0 : packets.getLast().sent() - packets.getFirst().sent();
    }

    @Test
    @Tag("full")
    void a_nat_that_forgets_sooner_than_the_heartbeat_is_noticed(Lab lab) {
        var stream = town.stream("flat1", "garden1");
        stream.open();
        stream.carry(1, 1000);
        long before = town.losses("garden1");
        lab.machine("flat").forgetAfter(Duration.ofSeconds(1));
        stream.carry(1, 1000); // from its next packet on
        try {
            town.awaitLoss("garden1", before);
            assertThat(stream.fail()).contains("lost");
        } finally {
            lab.machine("flat").forgetAfter(Duration.ofDays(5));
        }
        withinAMinute(
                "the connection to the hub, which was forgotten, too, is a new one",
                () -> town.ask("flat1", "p", "ping " + town.id("garden1")).startsWith("pinged"));
        converse("flat1", "garden1");
    }

    /// What a gateway with a full table does.
    @Test
    void a_gateway_that_takes_no_new_connections_ends_none_and_the_hub_carries_the_rest(Lab lab) {
        var old = town.stream("home1", "square1");
        assertThat(old.open()).isEqualTo("direct");
        // Its connection to the hub is there.
        assertThat(town.ask("home2", "p", "ping " + town.id("office1"))).isEqualTo("pinged routed");
        var gateway = lab.machine("home");
        gateway.run("nft", "insert rule inet site forward ct state new counter drop");
        try {
            var other = town.stream("home2", "office1");
            assertThat(other.open()).isEqualTo("routed");
            other.carry(10, 1000);
            old.carry(10, 1000);
        } finally {
            gateway.run(
                    "sh",
                    "-c",
                    "nft delete rule inet site forward handle $(nft -a list chain"
                            + " inet site forward | sed -n 's/.*counter.*handle //p')");
        }
    }

    @Test
    void ten_thousand_strangers_at_the_hub_and_at_a_node_change_nothing_for_others(Lab lab) {
        var near = town.stream("home1", "square1");
        near.open();
        var relayed = town.stream("hotel1", "office1");
        assertThat(relayed.open()).isEqualTo("routed");
        long hub = town.memory("hub1");
        long node = town.memory("square1");
        var port = port(lab);
        try (var one = flood(lab, "hub1", Town.PORT);
                var other = flood(lab, "square1", port)) {
            for (int i = 0; i < 20; i++) {
                near.carry(5, 1000);
                relayed.carry(5, 1000);
            }
            town.stream("home2", "square1").open();
            one.said("flooded", FLOODED);
            other.said("flooded", FLOODED);
            town.stream("office1", "square1").open();
            near.carry(5, 1000);
            relayed.carry(5, 1000);
            // A thousand that may still prove who they are take some 25 MB, and have seconds for
            // it.
            withinAMinute(
                    "the strangers are forgotten",
                    () ->
                            town.memory("hub1") - hub < MOST_GROWTH
                                    && town.memory("square1") - node < MOST_GROWTH);
        }
    }

    private static Running flood(Lab lab, String host, int port) {
        return lab.machine("crowd1")
                .java(Flood.class, lab.machine(host).address(), port + "", STRANGERS + "");
    }

    /// Where the node on the square listens.
    private static int port(Lab lab) {
        var listening = lab.machine("square1").run("ss", "-Hltn");
        return listening.stream()
                .map(line -> line.replaceFirst(".*?:([0-9]+) .*", "$1"))
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElseThrow();
    }
}
