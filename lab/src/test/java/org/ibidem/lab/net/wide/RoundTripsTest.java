package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Packet;
import org.ibidem.lab.net.Trace;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// How often something has to cross the network until a connection is there, counted at the
/// emulator. The hub is half-way between any two others.
@Laboratory(RoundTripsTest.Sites.class)
class RoundTripsTest {
    /// Ways are counted in halves of the way between two nodes.
    private static final int ROUND_TRIP = 4;

    private static Town town;

    /// Delays are longer than a busy machine keeps somebody waiting, so that what is sent at once
    /// crosses, and a round trip is too short for a SYN to be repeated.
    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                            Site.of("home", Kind.NAT).hosts(1),
                            Site.of("flat", Kind.NAT_RANDOM).hosts(1),
                            Site.of("office", Kind.FIREWALL).hosts(1),
                            Site.of("garden", Kind.FIREWALL).hosts(1),
                            Site.of("square", Kind.OPEN).hosts(1),
                            Site.of("park", Kind.OPEN).hosts(1),
                            Site.of("hub", Kind.OPEN).hosts(1))
                    .lines("delay=240ms")
                    .line("hub-*", "delay=120ms");
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        town =
                new Town(lab)
                        .start(
                                "-Dibidem.methods=splice, routed",
                                "home1",
                                "flat1",
                                "office1",
                                "garden1")
                        .start("-Dibidem.methods=direct, routed", "square1", "park1");
    }

    private static int length(Packet packet) {
        return packet.fromSite().equals("hub") || packet.toSite().equals("hub") ? 1 : 2;
    }

    /// What was said between two sites and the hub until the connection between the two stood.
    private static Trace opening(Trace all, String one, String other) {
        var between = all.between(one, other).tcp();
        long stands =
                between.only(packet -> packet.isSyn() || packet.isSynAck()).packets().stream()
                        .mapToLong(Packet::delivered)
                        .max()
                        .orElseThrow();
        return all.tcp().only(packet -> packet.arrived() && packet.delivered() <= stands);
    }

    private static int trips(Lab lab, String from, String to, String method) {
        // The service link is there, and what is only done once was done.
        assertThat(town.ask(from + "1", "0", "ping " + town.id(to + "1"))).startsWith("pinged");
        long mark = lab.mark();
        assertThat(town.ask(from + "1", "1", "try " + town.id(to + "1"))).contains(method);
        var all = lab.since(mark);
        // Of a direct connection the hub knows nothing.
        var what = method.equals("direct") ? all.between(from, to) : all;
        int length = opening(what, from, to).crossings(RoundTripsTest::length);
        System.out.println(
                method + " from " + from + " to " + to + ": " + length / (double) ROUND_TRIP);
        return (length + ROUND_TRIP - 1) / ROUND_TRIP;
    }

    @Test
    void direct_takes_one_and_the_handshake(Lab lab) {
        assertThat(trips(lab, "square", "park", "direct")).isEqualTo(1);
    }

    @Test
    void a_splice_between_nats_takes_four_from_the_request_at_most(Lab lab) {
        assertThat(trips(lab, "home", "flat", "splice")).isLessThanOrEqualTo(4);
        assertThat(trips(lab, "flat", "office", "splice")).isLessThanOrEqualTo(4);
    }

    @Test
    void a_splice_between_firewalls_asks_nobody_for_addresses(Lab lab) {
        assertThat(trips(lab, "office", "garden", "splice")).isLessThanOrEqualTo(3);
    }
}
