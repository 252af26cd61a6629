package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.ibidem.Eventually.withinAMinute;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.ibidem.lab.net.emulator.Fate;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Family;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Line;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.ibidem.lab.net.plan.Way;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The lines of a real laboratory do what they are set to: as its hosts see it, and as the emulator
/// wrote it down.
@Laboratory(LinesTest.Three.class)
class LinesTest {
    /// By how much the third quickest of many may be late on a busy machine; none is ever early.
    private static final long LATE = 10_000;

    private static Probes probes;

    static final class Three implements Plan {
        @Override
        public Network network() {
            return Network.of(
                            Site.of("one", Kind.OPEN).family(Family.DUAL),
                            Site.of("two", Kind.OPEN).family(Family.DUAL),
                            Site.of("three", Kind.OPEN).family(Family.DUAL))
                    .line("one-two", "delay=30ms");
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        probes = new Probes(lab).startAll(List.of("one1", "one2", "two1", "three1"));
    }

    @AfterEach
    void close() {
        probes.close();
    }

    /// Round trips in microseconds, the shortest first.
    private static long[] roundTrips(Lab lab, String from, String to, int family) {
        var port = probes.get(to, "echo 0");
        var address = lab.machine(to).addresses().get(family);
        // The first ones are slow: neighbours are asked for, and code is compiled.
        probes.get(from, "rtt " + address + " " + port + " 5");
        var times = probes.get(from, "rtt " + address + " " + port + " 21").split(" ");
        return Arrays.stream(times).mapToLong(Long::parseLong).sorted().toArray();
    }

    private static void assertRoundTrip(long[] times, long millis) {
        assertThat(times[0]).isGreaterThanOrEqualTo(millis * 1000);
        assertThat(times[2]).isLessThan(millis * 1000 + LATE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void delays_are_what_they_are_set_to_for_both_families(int family, Lab lab) {
        assertRoundTrip(roundTrips(lab, "one1", "two1", family), 60);
        assertRoundTrip(roundTrips(lab, "one1", "three1", family), 10);
    }

    @Test
    void each_direction_has_its_own_delay_and_what_a_site_shares_is_added(Lab lab) {
        lab.set("one>two", "delay=5ms");
        lab.set("two>one", "delay=40ms");
        assertRoundTrip(roundTrips(lab, "one1", "two1", 0), 45);
        lab.set(">two", "delay=20ms");
        assertRoundTrip(roundTrips(lab, "one1", "two1", 0), 65);
        lab.reset();
        assertRoundTrip(roundTrips(lab, "one1", "two1", 0), 60);
    }

    @Test
    void the_emulator_itself_keeps_its_delays_to_a_millisecond(Lab lab) {
        long mark = lab.mark();
        roundTrips(lab, "one1", "two1", 0);
        var late = lateness(lab.since(mark), Duration.ofMillis(30));
        assertThat(late).hasSizeGreaterThan(50);
        assertThat(late[0]).isNotNegative();
        if (lab.exact()) {
            assertThat(late[late.length / 2]).isLessThan(1_000_000);
        }
    }

    /// By how many nanoseconds packets of UDP were late, the least first.
    private static long[] lateness(Trace trace, Duration delay) {
        return trace.between("one", "two").packets().stream()
                .filter(packet -> packet.protocol() == 17 && packet.arrived())
                .mapToLong(packet -> packet.delivered() - packet.sent() - delay.toNanos())
                .sorted()
                .toArray();
    }

    @Test
    void jitter_spreads_the_delays(Lab lab) {
        lab.set("one>two", "delay=20ms jitter=10ms");
        long mark = lab.mark();
        roundTrips(lab, "one1", "two1", 0);
        roundTrips(lab, "one1", "two1", 0);
        var spread =
                lateness(
                        lab.since(mark).only(packet -> packet.fromSite().equals("one")),
                        Duration.ofMillis(20));
        assertThat(spread[0]).isBetween(-10_000_000L, -5_000_000L);
        assertThat(LongStream.of(spread).filter(each -> each > 5_000_000)).isNotEmpty();
    }

    @Test
    void what_is_lost_is_the_share_and_is_counted(Lab lab) {
        lab.set("one>two", "loss=10%");
        var port = probes.get("two1", "count 0");
        var before = lab.tally("one", "two");
        int sent = 4000;
        long mark = lab.mark();
        probes.get("one1", "blast " + lab.machine("two1").address() + " " + port + " " + sent);
        withinAMinute(
                "all have arrived or are lost",
                () -> lab.since(mark).count(packet -> packet.fate() == Fate.TRAVELLING) == 0);
        var after = lab.tally("one", "two");
        long lost = after.lost() - before.lost();
        assertThat(lost / (double) sent).isCloseTo(0.1, within(0.025));
        assertThat(lab.since(mark).lost()).isEqualTo(lost);
        assertThat(after.packets() - before.packets()).isEqualTo(sent - lost);
        // A receiver that is not scheduled in time loses some itself.
        withinAMinute(
                "the receiver has counted most of the others",
                () -> Long.parseLong(probes.get("two1", "counted")) > (sent - lost) * 3 / 4);
        assertThat(Long.parseLong(probes.get("two1", "counted"))).isLessThanOrEqualTo(sent - lost);
    }

    @Test
    void no_stretch_of_time_carries_more_than_the_rate(Lab lab) {
        lab.set("one>two", "rate=8mbit queue=32k");
        var port = probes.get("two1", "sink 0");
        long mark = lab.mark();
        long millis =
                Long.parseLong(
                        probes.get(
                                "one1",
                                "send " + lab.machine("two1").address() + " " + port + " 2000000"));
        assertThat(millis).isBetween(2_000L, 30_000L); // 2 s at the rate
        assertNoFaster(lab.since(mark).only(packet -> packet.toSite().equals("two")), 8_000_000);
        var tally = lab.tally("one", "two");
        assertThat(tally.mostWaiting()).isLessThanOrEqualTo(32 << 10);
        assertThat(tally.overflowed()).isPositive(); // how TCP finds the rate
    }

    /// Not even over 100 ms, but for packets that were late and came close after each other.
    private static void assertNoFaster(Trace trace, long rate) {
        var packets = trace.packets().stream().filter(Packet::arrived).toList();
        for (int i = 0; i + 150 < packets.size(); i += 50) {
            var some = packets.subList(i + 1, i + 151);
            long bits = 8L * some.stream().mapToLong(Packet::length).sum();
            long nanos = some.getLast().delivered() - packets.get(i).delivered();
            double late = 0.025; // seconds
            assertThat(bits / (double) rate).isLessThan(nanos / 1e9 + late);
        }
    }

    @Test
    void all_of_a_site_share_its_bottleneck(Lab lab) {
        lab.set("one>", "rate=16mbit queue=32k");
        long mark = lab.mark();
        var first = Meanwhile.start(() -> bulk(lab, "one1", "two1"));
        var second = Meanwhile.start(() -> bulk(lab, "one2", "three1"));
        assertThat(first.join() + second.join()).isPositive();
        var sent = lab.since(mark).only(packet -> packet.fromSite().equals("one"));
        assertThat(sent.between("one", "two").count(Packet::arrived)).isGreaterThan(1000);
        assertThat(sent.between("one", "three").count(Packet::arrived)).isGreaterThan(1000);
        // 4 MB at 2 MB/s.
        assertThat(Math.max(first.join(), second.join())).isBetween(2_000L, 30_000L);
    }

    private static long bulk(Lab lab, String from, String to) {
        var port = probes.get(to, "sink 0");
        return Long.parseLong(
                probes.get(from, "send " + lab.machine(to).address() + " " + port + " 2000000"));
    }

    @Test
    void tcp_repairs_what_is_lost_and_does_not_hide_it(Lab lab) {
        lab.set("one-two", "delay=5ms loss=2%");
        long lost = lab.tally("one", "two").lost();
        assertThat(bulk(lab, "one1", "two1")).isPositive();
        assertThat(lab.tally("one", "two").lost() - lost).isGreaterThan(10);
    }

    @Test
    void iperf3_agrees(Lab lab) {
        assumeTrue(Isolation.has("iperf3"), "there is no iperf3: run ./ibidem setup");
        lab.set("one-two", "delay=5ms rate=20mbit queue=64k");
        try (var server = lab.machine("two1").start("iperf3", "-s", "-1", "--forceflush")) {
            server.next(line -> line.startsWith("Server listening"), Duration.ofSeconds(20));
            var said =
                    String.join(
                            "",
                            lab.machine("one1")
                                    .run(
                                            "iperf3",
                                            "-c",
                                            lab.machine("two1").address(),
                                            "-t",
                                            "3",
                                            "-J"));
            assertThat(said).containsPattern("\"sender_tcp_congestion\":\\s*\"cubic\"");
            var received =
                    Pattern.compile("\"sum_received\":.*?\"bits_per_second\":\\s*([0-9.e+]+)")
                            .matcher(said);
            assertThat(received.find()).isTrue();
            assertThat(Double.parseDouble(received.group(1))).isBetween(4e6, 20e6);
        }
    }

    @Test
    void a_setting_that_one_of_several_lines_refuses_changes_none(Lab lab) {
        lab.set("one>two", "delay=20ms");
        assertThatThrownBy(() -> lab.set("one-two", "jitter=25ms"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a jitter is from 0 to the delay");
        assertThat(lab.lines().get(new Way("two", "one")).line()).isEqualTo(Line.of("delay=30ms"));
    }
}
