package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Packet;
import org.ibidem.lab.net.Waiting;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.Test;

/// Eight streams between two NATs, each by both ends beginning at once: nothing is relayed.
@Laboratory(Town.Sites.class)
class ParallelSplicedTest {
    private static final int STREAMS = 8;
    private static final int LARGE = 300_000;

    @Test
    void one_stream_over_eight_spliced_connections_from_nat_to_nat(Lab lab) {
        var town = new Town(lab).start("-Dibidem.methods=splice, routed", "home1", "flat1");
        var stream = town.stream("home1", "flat1", "parallel(" + STREAMS + ") > tcp");
        long mark = lab.mark();
        assertThat(stream.open()).isEqualTo("splice");
        assertThat(stream.way()).startsWith("parallel(streams=" + STREAMS + ") > tcp by splice");
        Waiting.until(
                "each of the eight carries pieces",
                () -> {
                    stream.carry(5, LARGE);
                    return carriers(lab, mark) >= STREAMS;
                });
    }

    /// How many connections have carried pieces, told apart by the ports at both ends.
    private static long carriers(Lab lab, long mark) {
        return lab.since(mark).between("home", "flat").tcp().packets().stream()
                .filter(packet -> packet.fromSite().equals("home"))
                .collect(
                        Collectors.groupingBy(
                                packet -> packet.from() + " " + packet.to(),
                                Collectors.summingLong(Packet::payload)))
                .values()
                .stream()
                .filter(bytes -> bytes > LARGE / 10)
                .count();
    }
}
