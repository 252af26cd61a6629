package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Several streams whose connections are made by whatever method reaches the peer. Spliced ones:
/// [ParallelSplicedTest]; through the hub: [FiltersRoutedTest].
@Laboratory(HttpProxyTest.Sites.class)
class ParallelMethodsTest {
    private static final String GATEWAY = "192.168.1.254";
    private static final int MESSAGES = 10;
    private static final int BYTES = 100_000;

    private static Town town;

    @BeforeAll
    static void start(Lab lab) {
        town =
                new Town(lab)
                        .start("-Dibidem.proxy=socks5://" + GATEWAY + ":1080", "fort1")
                        .start("-Dibidem.proxy=http://" + GATEWAY + ":3128", "till1")
                        .start("-Dibidem.heartbeat=20s", "office1", "square1");
    }

    /// Out of sites with a SOCKS and with an HTTP proxy; from a site that anybody may connect to
    /// into one where nobody may; and the other way. Each number once: so each has a port.
    @ParameterizedTest
    @CsvSource({"fort, socks, 3", "till, socks, 4", "square, reverse, 5", "office, direct, 6"})
    void one_stream_over_so_many_connections_of_the_method(
            String site, String method, int streams, Lab lab) {
        var peer = site.equals("square") ? "office" : "square";
        var stream = town.stream(site + "1", peer + "1", "parallel(" + streams + ") > tcp");
        long mark = lab.mark();
        assertThat(stream.open()).isEqualTo(method);
        assertThat(stream.way())
                .startsWith("parallel(streams=" + streams + ") > tcp by " + method + " to ");
        Carriers.await(stream, lab, mark, streams, site, peer);
    }

    @Test
    void a_line_that_drops_to_a_tenth_and_comes_back_loses_nothing_under_auto(Lab lab) {
        lab.set("office-square", "delay=20ms rate=40mbit queue=200k");
        try {
            var stream = town.stream("office1", "square1", "auto");
            stream.open();
            assertThat(stream.way()).startsWith("compress > parallel > tcp by direct to ");
            decided(stream);
            lab.set("office-square", "delay=20ms rate=4mbit queue=200k");
            stream.carry(MESSAGES, BYTES);
            lab.set("office-square", "delay=20ms rate=40mbit queue=200k");
            stream.carry(MESSAGES, BYTES);
            decided(stream);
        } finally {
            lab.reset();
        }
    }

    /// Something has to wait for long enough that it can be measured.
    private static void decided(Town.Stream stream) {
        withinAMinute(
                "it is decided over how many streams to send",
                () -> {
                    stream.carry(5 * MESSAGES, BYTES);
                    return stream.way().matches(".*; auto: the round trip is .*; parallel: .*");
                });
    }
}
