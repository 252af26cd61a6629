package org.ibidem.lab.net.emulator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.plan.Line;
import org.junit.jupiter.api.Test;

/// The model of the network, with time that the test gives.
class CloudTest {
    private static final int SLOTS = 4096;
    private static final int LENGTH = 1000;
    private static final long MS = MILLISECONDS.toNanos(1);

    /// A packet that came out.
    private record Out(int site, int number, long time) {}

    private final Packets packets =
            new Packets(Arena.ofAuto().allocate((long) SLOTS * Packets.SLOT, 8));
    private final Recorder recorder =
            new Recorder(Arena.ofAuto().allocate(1000L * Recorder.ENTRY, 8));
    private final List<Out> out = new ArrayList<>();
    private Cloud cloud = cloud(1);
    private long now;

    private Cloud cloud(long seed) {
        return new Cloud(
                3,
                packets,
                recorder,
                (site, packet) -> {
                    int number = packets.memory.get(JAVA_BYTE, Packets.at(packet) + 28) & 0xff;
                    out.add(new Out(site, number, now));
                    return now;
                },
                seed);
    }

    private void set(int from, int to, String line) {
        cloud.set(from, to, Line.of(line), now);
    }

    private void send(int from, int to, int number) {
        int packet = packets.take();
        long at = Packets.at(packet);
        packets.memory.asSlice(at, LENGTH).fill((byte) 0);
        packets.memory.set(JAVA_BYTE, at, (byte) 0x45);
        address(at + 12, from);
        address(at + 16, to);
        packets.memory.set(JAVA_BYTE, at + 28, (byte) number);
        packets.length[packet] = LENGTH;
        cloud.enter(from, packet, now);
    }

    private void address(long at, int site) {
        byte[] address = {(byte) 198, 18, (byte) site, 11};
        for (int i = 0; i < address.length; i++) {
            packets.memory.set(JAVA_BYTE, at + i, address[i]);
        }
    }

    /// Lets time pass as a loop does that is never late.
    private void until(long end) {
        for (long next = cloud.advance(now); next <= end; next = cloud.advance(now)) {
            now = next;
        }
        now = end;
        cloud.advance(now);
    }

    private List<Long> times() {
        return out.stream().map(Out::time).toList();
    }

    private List<Integer> numbers() {
        return out.stream().map(Out::number).toList();
    }

    @Test
    void adds_up_the_delays_of_all_lines_on_the_way() {
        set(1, 0, "delay=1ms");
        set(1, 2, "delay=20ms");
        set(0, 2, "delay=3ms");
        send(1, 2, 7);
        until(100 * MS);
        assertThat(out).containsExactly(new Out(2, 7, 24 * MS));
        assertThat(packets.underWay()).isZero();
    }

    @Test
    void has_its_own_line_for_each_direction() {
        set(1, 2, "delay=20ms");
        send(2, 1, 1);
        send(1, 2, 2);
        until(100 * MS);
        assertThat(out).containsExactly(new Out(1, 1, 0), new Out(2, 2, 20 * MS));
    }

    @Test
    void sends_at_the_rate_and_drops_what_finds_no_room() {
        set(1, 2, "rate=8mbit queue=10000 delay=5ms"); // a packet a millisecond, ten of them wait
        for (int i = 0; i < 15; i++) {
            send(1, 2, i);
        }
        until(100 * MS);
        assertThat(out).hasSize(10);
        assertThat(times().getFirst()).isEqualTo(6 * MS);
        assertThat(times().getLast()).isEqualTo(15 * MS);
        assertThat(cloud.tally(1, 2)).isEqualTo(new Tally(10, 10_000, 0, 5, 0, 10_000));
        assertThat(cloud.refused(Fate.OVERFLOWED)).isEqualTo(5);
        assertThat(packets.underWay()).isZero();
    }

    @Test
    void keeps_the_rate_however_late_it_is_called() {
        set(1, 2, "rate=8mbit queue=1m");
        for (int i = 0; i < 100; i++) {
            send(1, 2, i);
        }
        now = 50 * MS; // nobody looked for so long
        cloud.advance(now);
        assertThat(out).hasSize(50);
        until(1000 * MS);
        assertThat(times().getLast()).isEqualTo(100 * MS);
    }

    @Test
    void shares_a_lines_rate_among_all_of_a_site() {
        set(1, 0, "rate=8mbit queue=1m");
        for (int i = 0; i < 10; i++) {
            send(1, 2, i);
            send(1, 3, i);
        }
        until(1000 * MS);
        assertThat(times().getLast()).isEqualTo(20 * MS);
        assertThat(out.stream().filter(each -> each.site == 2)).hasSize(10);
    }

    @Test
    void loses_its_share_and_the_same_packets_for_the_same_seed() {
        set(1, 2, "loss=10%");
        var first = lostOf(20_000);
        assertThat(first.size() / 20_000.0).isCloseTo(0.1, within(0.01));
        cloud = cloud(1);
        set(1, 2, "loss=10%");
        assertThat(lostOf(20_000)).isEqualTo(first);
        cloud = cloud(2);
        set(1, 2, "loss=10%");
        assertThat(lostOf(20_000)).isNotEqualTo(first);
        set(1, 2, "loss=100%");
        assertThat(lostOf(100)).hasSize(100);
        set(1, 2, "loss=0");
        assertThat(lostOf(100)).isEmpty();
    }

    private List<Integer> lostOf(int count) {
        var lost = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            int before = out.size();
            send(1, 2, i);
            if (out.size() == before) {
                lost.add(i);
            }
        }
        return lost;
    }

    @Test
    void spreads_delays_evenly_and_keeps_the_order() {
        set(1, 2, "delay=20ms jitter=5ms");
        var delays = new ArrayList<Long>();
        for (int i = 0; i < 2000; i++) {
            send(1, 2, i);
            long sent = now;
            int seen = out.size();
            until(now + 50 * MS);
            delays.add(out.get(seen).time - sent);
        }
        assertThat(delays).allMatch(delay -> delay >= 15 * MS && delay <= 25 * MS);
        assertThat(delays.stream().filter(delay -> delay < 16 * MS).count()).isBetween(130L, 270L);
        assertThat(delays.stream().filter(delay -> delay > 24 * MS).count()).isBetween(130L, 270L);
        out.clear();
        for (int i = 0; i < 200; i++) {
            send(1, 2, i);
            until(now + MS / 10);
        }
        until(now + 50 * MS);
        assertThat(numbers()).isSorted().hasSize(200);
    }

    @Test
    void changes_the_rate_of_what_waits_already() {
        set(1, 2, "rate=8kbit queue=1m"); // a packet a second
        for (int i = 0; i < 5; i++) {
            send(1, 2, i);
        }
        until(500 * MS);
        set(1, 2, "rate=8mbit queue=1m"); // half of the first is left: half a millisecond
        until(510 * MS);
        assertThat(times())
                .containsExactly(
                        500 * MS + MS / 2,
                        501 * MS + MS / 2,
                        502 * MS + MS / 2,
                        503 * MS + MS / 2,
                        504 * MS + MS / 2);
    }

    @Test
    void sends_what_waits_at_once_when_there_is_no_limit_any_more() {
        set(1, 2, "rate=8kbit queue=1m");
        for (int i = 0; i < 5; i++) {
            send(1, 2, i);
        }
        until(10 * MS);
        set(1, 2, "rate=none");
        send(1, 2, 5);
        until(11 * MS);
        assertThat(numbers()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(times()).containsOnly(10 * MS);
        assertThat(cloud.tally(1, 2).waiting()).isZero();
    }

    @Test
    void lets_packets_overtake_when_the_delay_is_changed() {
        set(1, 2, "delay=100ms");
        send(1, 2, 1);
        until(10 * MS);
        set(1, 2, "delay=10ms");
        send(1, 2, 2);
        until(200 * MS);
        assertThat(out).containsExactly(new Out(2, 2, 20 * MS), new Out(2, 1, 100 * MS));
    }

    @Test
    void drops_what_nobody_is_to_get_and_what_comes_from_elsewhere() {
        send(1, 77, 1);
        int stray = packets.take();
        packets.memory.asSlice(Packets.at(stray), LENGTH).fill((byte) 0x11);
        packets.length[stray] = 11;
        cloud.enter(1, stray, now);
        assertThat(cloud.refused(Fate.UNROUTABLE)).isEqualTo(2);
        int leaked = packets.take();
        packets.length[leaked] = 20;
        packets.memory.asSlice(Packets.at(leaked), 20).fill((byte) 0x45);
        address(Packets.at(leaked) + 12, 3);
        address(Packets.at(leaked) + 16, 2);
        cloud.enter(1, leaked, now);
        assertThat(cloud.refused(Fate.FOREIGN)).isEqualTo(1);
        assertThat(out).isEmpty();
        assertThat(packets.underWay()).isZero();
    }

    @Test
    void writes_down_what_became_of_each_packet() {
        set(1, 2, "delay=20ms");
        set(2, 1, "loss=100%");
        send(1, 2, 1);
        send(2, 1, 2);
        assertThat(recorder.text(0)).startsWith("0 0 0 TRAVELLING 1 2 1000 45");
        assertThat(recorder.text(1)).startsWith("1 0 0 LOST 2 1 1000 45");
        until(30 * MS);
        assertThat(recorder.text(0)).startsWith("0 0 " + 20 * MS + " DELIVERED 1 2 1000 45");
        for (int i = 0; i < 1500; i++) {
            send(1, 2, i);
            until(now + 20 * MS);
        }
        assertThat(recorder.oldest()).isEqualTo(502);
        assertThat(recorder.text(502)).startsWith("502 ");
    }
}
