package org.ibidem.lab.net.wide;

import static org.ibidem.Eventually.withinAMinute;

import java.util.stream.Collectors;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Packet;

/// How many connections have carried pieces of one stream.
final class Carriers {
    private static final int LARGE = 300_000;

    private Carriers() {}

    /// Sends until so many have, between two sites, from the first of them.
    static void await(Town.Stream stream, Lab lab, long mark, int streams, String... sites) {
        withinAMinute(
                "each of the " + streams + " carries pieces",
                () -> {
                    stream.carry(5, LARGE);
                    return count(lab, mark, sites) >= streams;
                });
    }

    /// Told apart by the ports at both ends.
    private static long count(Lab lab, long mark, String... sites) {
        return lab.since(mark).between(sites[0], sites[1]).tcp().packets().stream()
                .filter(packet -> packet.fromSite().equals(sites[0]))
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
