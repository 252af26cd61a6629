package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Nodes behind two NATs that open ports to each other at the same moment.
@Laboratory(CrossingTest.Sites.class)
class CrossingTest {
    private static final long SEED = 20;
    private static final List<String> HOME = List.of("home1", "home2", "home3");
    private static final List<String> FLAT = List.of("flat1", "flat2", "flat3");

    private static Town town;

    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("home", Kind.NAT).hosts(HOME.size()),
                    Site.of("flat", Kind.NAT_RANDOM).hosts(FLAT.size()),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        town = new Town(lab);
        town.start("-Dibidem.heartbeat=5s", HOME.toArray(String[]::new));
        town.start("-Dibidem.heartbeat=5s", FLAT.toArray(String[]::new));
    }

    private static <T> CompletableFuture<T> later(Supplier<T> what) {
        return CompletableFuture.supplyAsync(what, Thread::startVirtualThread);
    }

    /// Of every pair both ends begin, in an order that follows from the seed. Whoever is taken for
    /// the first, what comes of it is one link, which both use.
    @Test
    void two_that_ask_each_other_at_once_make_one_link_and_both_use_it(Lab lab) {
        long pairs = (long) HOME.size() * FLAT.size();
        var streams = new ArrayList<Town.Stream>();
        for (var one : HOME) {
            for (var other : FLAT) {
                streams.add(town.stream(one, other));
                streams.add(town.stream(other, one));
            }
        }
        Collections.shuffle(streams, new Random(SEED));
        var opening = streams.stream().map(each -> later(each::open)).toList();
        var methods = opening.stream().map(CompletableFuture::join).toList();
        assertThat(methods).isSubsetOf("splice", "routed", "accepted");
        var carrying = streams.stream().map(each -> later(() -> carry(each))).toList();
        assertThat(carrying).allMatch(CompletableFuture::join);
        // What a slow machine has sent through the hub cannot be told apart there.
        var spliced = methods.stream().filter(each -> each.equals("splice")).count();
        assertThat(HOME.stream().mapToLong(host -> links(lab, host)).sum()).isEqualTo(spliced);
        assertThat(methods.stream().filter(each -> each.equals("accepted")).count())
                .as("of each pair one has made the link, of %s", methods)
                .isEqualTo(pairs);
    }

    private static boolean carry(Town.Stream stream) {
        stream.carry(30, 10_000);
        return true;
    }

    /// Connections to the other site.
    private static long links(Lab lab, String host) {
        var there = lab.machine("flat").address();
        return lab.machine(host).run("ss", "-Htn", "state", "established", "dst", there).stream()
                .filter(line -> !line.isBlank())
                .count();
    }
}
