package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.apps.sor.Reductions;
import org.ibidem.apps.sor.Sor;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An application that knows nothing of firewalls and NATs, on sites behind them: the result is the
/// sequential solver's, bit for bit, which it checks itself.
@Laboratory(SorSitesTest.Sites.class)
@Tag("turn0")
class SorSitesTest {
    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                            Site.of("home", Kind.NAT).hosts(1),
                            Site.of("office", Kind.FIREWALL).hosts(1),
                            Site.of("hotel", Kind.NAT_SYMMETRIC).hosts(1),
                            Site.of("north", Kind.OPEN).hosts(1),
                            Site.of("south", Kind.OPEN).hosts(1),
                            Site.of("hub", Kind.OPEN).hosts(1))
                    .line("north-south", "delay=10ms");
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        new Town(lab);
    }

    /// One of three pairs is relayed.
    @Test
    void sor_on_three_sites_computes_the_same_as_alone(Lab lab) {
        compute(lab, "three", "auto", "home1", "office1", "hotel1");
    }

    /// What is lost on the way is sent again, and arrives once and in order.
    @Test
    void sor_on_two_sites_over_datagrams_where_one_of_a_hundred_is_lost(Lab lab) {
        lab.set("north-south", "delay=10ms loss=1%");
        try {
            long mark = lost(lab);
            compute(lab, "udp", 600, "reliable > udp", "north1", "north1", "south1", "south1");
            assertThat(lost(lab)).as("packets lost on the line").isGreaterThan(mark);
        } finally {
            lab.set("north-south", "delay=10ms loss=0");
        }
    }

    private static long lost(Lab lab) {
        return lab.lines().values().stream().mapToLong(line -> line.tally().lost()).sum();
    }

    @Test
    @Tag("full")
    void sor_on_two_sites_over_a_choice_of_networks_too(Lab lab) {
        compute(lab, "two", "multi(shm, tcp)", "home1", "home1", "office1", "office1");
    }

    @Test
    void a_reduction_over_two_sites_costs_one_way_between_them(Lab lab) {
        int few = crossings(lab, 50);
        int many = crossings(lab, 150);
        System.out.println("100 reductions more: " + (many - few) + " ways");
        // How a run begins is not always told from the rest. Up a tree and down again, 200.
        assertThat(many - few).isBetween(90, 110);
    }

    private static int crossings(Lab lab, int reductions) {
        long mark = lab.mark();
        var where = List.of("north1", "north1", "south1", "south1");
        var processes = new ArrayList<Running>();
        for (int rank = 0; rank < where.size(); rank++) {
            var options = options(lab, "reduce" + reductions, where, rank);
            processes.add(
                    lab.machine(where.get(rank)).java(options, Reductions.class, "" + reductions));
        }
        for (var process : processes) {
            assertThat(process.code(Town.LONG)).as("%s", process.lines()).isZero();
        }
        return lab.since(mark).between("north", "south").tcp().crossings();
    }

    private static void compute(Lab lab, String pool, String stack, String... where) {
        compute(lab, pool, 48, stack, where);
    }

    private static void compute(
            Lab lab, String pool, int iterations, String stack, String... where) {
        var processes = new ArrayList<Running>();
        for (int rank = 0; rank < where.length; rank++) {
            var options = options(lab, pool, List.of(where), rank);
            var arguments = new ArrayList<>(List.of("--size", "128", "--iterations"));
            arguments.addAll(List.of(Integer.toString(iterations), "--stack", stack));
            processes.add(
                    lab.machine(where[rank])
                            .java(options, Sor.class, arguments.toArray(String[]::new)));
        }
        for (var process : processes) {
            assertThat(process.code(Town.LONG)).as("%s", process.lines()).isZero();
        }
        assertThat(processes.getFirst().lines()).anyMatch(line -> line.contains("bit for bit"));
    }

    private static List<String> options(Lab lab, String pool, List<String> where, int rank) {
        return List.of(
                "-Dibidem.hub=" + lab.machine("hub1").address() + ":" + Town.PORT,
                "-Dibidem.pool=" + pool,
                "-Dibidem.open=true",
                "-Dibidem.rank=" + rank,
                "-Dibidem.size=" + where.size(),
                "-Dibidem.location=" + where.get(rank) + "@" + where.get(rank));
    }
}
