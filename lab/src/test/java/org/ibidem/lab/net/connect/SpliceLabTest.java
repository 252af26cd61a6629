package org.ibidem.lab.net.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.ibidem.lab.net.KindsPlan;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Packet;
import org.ibidem.lab.net.Pairs;
import org.ibidem.lab.net.Pairs.Pair;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.Trace;
import org.ibidem.lab.net.connect.Meeting.Way;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The method `splice` between real sites.
@Laboratory(KindsPlan.class)
class SpliceLabTest {
    private static final int MILLIS = 20_000;
    private static final int HOPELESS_MILLIS = 3_000;

    /// At a time: this machine is all of theirs.
    private static final int PAIRS = 16;

    private static Meeting meeting;
    private static Running observer;

    @BeforeAll
    static void start(Lab lab) {
        var hosts =
                KindsPlan.KINDS.stream()
                        .flatMap(kind -> List.of(kind.name() + "x1", kind.name() + "y1").stream())
                        .toList();
        meeting = new Meeting(lab, 0).startAll(hosts);
        observer = Pairs.observer(lab, "middle1");
    }

    /// What cannot be is not waited for as long as what can.
    private static Way splice(Lab lab, Pair pair) {
        assertThat(observer.isAlive()).isTrue();
        var addresses = lab.machine("middle1").addresses();
        var address = pair.four() ? addresses.getFirst() : "[" + addresses.getLast() + "]";
        return new Way(
                "splice",
                pair.spliceable() ? MILLIS : HOPELESS_MILLIS,
                10,
                address + ":" + Pairs.OBSERVER_PORT,
                "");
    }

    private record Outcome(Pair pair, String from, String to, String said) {
        boolean connected() {
            return said.equals("connected");
        }
    }

    @Test
    void connects_every_pair_that_tcp_can_whoever_asks(Lab lab) {
        var running = new ArrayList<CompletableFuture<Outcome>>();
        var pool = Executors.newFixedThreadPool(PAIRS);
        for (var pair : Pairs.all()) {
            running.add(connect(lab, pair, pair.oneHost(), pair.otherHost(), pool));
            running.add(connect(lab, pair, pair.otherHost(), pair.oneHost(), pool));
        }
        pool.shutdown();
        var softly = new SoftAssertions();
        for (var each : running) {
            var outcome = each.join();
            if (outcome.connected() && outcome.pair.guessable()) {
                outcome = connect(lab, outcome.pair, outcome.from, outcome.to);
            }
            softly.assertThat(outcome.connected())
                    .as("%s", outcome)
                    .isEqualTo(outcome.pair.spliceable());
        }
        softly.assertAll();
    }

    private static CompletableFuture<Outcome> connect(
            Lab lab, Pair pair, String from, String to, Executor pool) {
        return CompletableFuture.supplyAsync(() -> connect(lab, pair, from, to), pool);
    }

    private static Outcome connect(Lab lab, Pair pair, String from, String to) {
        return new Outcome(pair, from, to, meeting.connect(from, to, splice(lab, pair)));
    }

    /// The one asked begins so much later, as if the broker's word had taken its time: what comes
    /// too early is dropped, or refused by the firewall, or by the NAT itself.
    @ParameterizedTest
    @CsvSource({
        "rejectingx1, rejectingy1, 300",
        "firewallx1, rejectingy1, 300",
        "rejectingx1, naty1, 300",
        "natx1, natunfilteredy1, 300",
        "natunfilteredx1, naty1, 300",
        "natunfilteredx1, natunfilteredy1, 300",
        "natrandomx1, natunfilteredy1, 300",
        "openx1, natunfilteredy1, 300",
        "strictx1, rejectingy1, 1500"
    })
    void ends_that_begin_at_different_times_meet(String from, String to, int millis, Lab lab) {
        var address = lab.machine("middle1").address() + ":" + Pairs.OBSERVER_PORT;
        var way = new Way("splice", 10_000, millis, address, "");
        assertThat(meeting.connect(from, to, way)).isEqualTo("connected");
        assertThat(meeting.connect(to, from, way)).isEqualTo("connected");
    }

    /// Two requests each way, in an order that follows from the seed: each gets one connection,
    /// which is its own.
    @ParameterizedTest
    @CsvSource({
        "natx1, naty1, 1",
        "natrandomx1, firewally1, 2",
        "rejectingx1, naty1, 3",
        "firewallx1, rejectingy1, 4",
        "doublex1, natrandomy1, 5"
    })
    void ends_that_ask_each_other_at_once_get_a_connection_each(
            String one, String other, long seed, Lab lab) {
        var random = new Random(seed);
        int before = meeting.taken(one).size() + meeting.taken(other).size();
        var address = lab.machine("middle1").address() + ":" + Pairs.OBSERVER_PORT;
        int rounds = 3;
        for (int round = 0; round < rounds; round++) {
            var froms = new ArrayList<>(List.of(one, other, one, other));
            Collections.shuffle(froms, random);
            var asking =
                    froms.stream()
                            .map(from -> {
                                var to = from.equals(one) ? other : one;
                                var way =
                                        new Way("splice", MILLIS, random.nextInt(50), address, "");
                                return CompletableFuture.supplyAsync(
                                        () -> meeting.connect(from, to, way),
                                        Thread::startVirtualThread);
                            })
                            .toList();
            assertThat(asking).allMatch(each -> each.join().equals("connected"));
        }
        int wanted = before + 4 * rounds;
        withinAMinute(
                "all connections were taken",
                () -> meeting.taken(one).size() + meeting.taken(other).size() >= wanted);
        assertThat(meeting.taken(one)).doesNotHaveDuplicates();
        assertThat(meeting.taken(other)).doesNotHaveDuplicates();
        for (var host : List.of(one, other)) {
            withinAMinute("none is left over at " + host, () -> established(lab, host) == 0);
        }
        assertThat(meeting.taken(one).size() + meeting.taken(other).size()).isEqualTo(wanted);
    }

    private static long established(Lab lab, String host) {
        return lab.machine(host).run("ss", "-Htn", "state", "established").stream()
                .filter(line -> !line.isBlank())
                .count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1%", "5%"})
    void meets_over_a_line_that_is_slow_and_loses(String loss, Lab lab) {
        lab.set("natx-natrandomy", "delay=150ms loss=" + loss);
        var address = lab.machine("middle1").address() + ":" + Pairs.OBSERVER_PORT;
        var way = new Way("splice", 10_000, 10, address, "");
        var running =
                Stream.generate(() ->
                                CompletableFuture.supplyAsync(
                                        () -> meeting.connect("natx1", "natrandomy1", way),
                                        Thread::startVirtualThread))
                        .limit(20)
                        .toList();
        assertThat(running).allMatch(each -> each.join().equals("connected"));
        assertThat(lab.tally("natx", "natrandomy").lost()).isPositive();
    }

    @Test
    void takes_one_round_trip_and_the_handshake(Lab lab) {
        // Long enough for a busy machine to send the second SYN before it gets the first.
        lab.set("natx-naty", "delay=300ms");
        var trace = opening(lab);
        for (int again = 1; again < 3 && !trace.synsCross(); again++) {
            trace = opening(lab); // the machine was busier than that
        }
        assertThat(trace.count(Packet::isReset)).isZero();
        // SYNs that cross, and what answers them. Then HELLO, REPLY, PROOF with a line behind it,
        // and its echo.
        var opening = trace.only(packet -> packet.isSyn() || packet.isSynAck());
        assertThat(opening.packets()).hasSize(4);
        assertThat(opening.crossings()).isEqualTo(2);
        assertThat(trace.only(packet -> packet.payload() > 0).crossings()).isEqualTo(4);
    }

    private static Trace opening(Lab lab) {
        long mark = lab.mark();
        var address = lab.machine("middle1").address() + ":" + Pairs.OBSERVER_PORT;
        assertThat(meeting.connect("natx1", "naty1", new Way("splice", MILLIS, 10, address, "")))
                .isEqualTo("connected");
        return lab.since(mark).between("natx", "naty").tcp();
    }
}
