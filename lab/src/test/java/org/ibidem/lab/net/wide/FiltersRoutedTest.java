package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Packet;
import org.ibidem.lab.net.Trace;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.ibidem.link.Catalog;
import org.ibidem.link.Filter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Filters stand over a link through the hub as over any other.
@Laboratory(FiltersRoutedTest.Sites.class)
class FiltersRoutedTest {
    private static final String HERE = "hotel";
    private static final String THERE = "garden";

    private static Town town;

    /// Nothing but the hub reaches from one to the other.
    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of(HERE, Kind.NAT_SYMMETRIC).hosts(1),
                    Site.of(THERE, Kind.FIREWALL).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        town = new Town(lab).start("-Dibidem.heartbeat=5s", HERE + "1", THERE + "1");
    }

    /// Every filter that is found, and what stands over what in earnest.
    static Stream<String> stacks() {
        var found =
                Catalog.found().filters().stream()
                        .filter(each -> !each.getClass().isAnnotationPresent(Unfaithful.class))
                        .map(Filter::name)
                        .map(name -> name + " > tcp");
        return Stream.concat(
                found,
                Stream.of(
                        "checksum > auto",
                        "secret auto",
                        "secret compress(level=1, codec=deflate) > tcp",
                        "multireceive > conversion > fragment(size=1k) > checksum > tcp",
                        "fragment(size=2000) > checksum > fragment > multiplex > tcp",
                        "whole > checksum > delay > cut(after=1G) > multiplex > tcp"));
    }

    /// What each link of a port with such a stack is made of; nobody has said what `auto` may add
    /// over a line of 20 ms.
    private static String link(String stack) {
        return stack.replaceFirst("^multi(cast|receive) > ", "")
                .replaceFirst("^secret auto$", "parallel > tcp")
                .replaceFirst("^secret ", "") // what was written was wanted
                .replaceFirst("auto$", "compress > parallel > tcp");
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void messages_come_whole_and_in_order_both_ways_through(String stack, Lab lab) {
        long mark = lab.mark();
        var there = town.stream(HERE + "1", THERE + "1", stack);
        var back = town.stream(THERE + "1", HERE + "1", stack);
        assertThat(there.open()).isEqualTo("routed");
        assertThat(back.open()).isIn("routed", "accepted"); // over the same shared connection
        assertThat(there.way()).startsWith(link(stack));
        for (int round = 0; round < 3; round++) {
            there.carry(20, 1);
            back.carry(20, 1000);
            there.carry(2, 300_000);
            back.carry(2, 300_000);
        }
        assertThat(payload(lab.since(mark).between(HERE, THERE))).isZero();
        assertThat(payload(lab.since(mark).between(HERE, "hub"))).isGreaterThan(3_600_000);
    }

    private static long payload(Trace trace) {
        return trace.packets().stream().mapToLong(Packet::payload).sum();
    }
}
