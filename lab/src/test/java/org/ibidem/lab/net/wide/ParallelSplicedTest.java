package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.Test;

/// Eight streams between two NATs, each by both ends beginning at once: nothing is relayed.
@Laboratory(Town.Sites.class)
class ParallelSplicedTest {
    private static final int STREAMS = 8;

    @Test
    void one_stream_over_eight_spliced_connections_from_nat_to_nat(Lab lab) {
        var town = new Town(lab).start("-Dibidem.methods=splice, routed", "home1", "flat1");
        var stream = town.stream("home1", "flat1", "parallel(" + STREAMS + ") > tcp");
        long mark = lab.mark();
        assertThat(stream.open()).isEqualTo("splice");
        assertThat(stream.way()).startsWith("parallel(streams=" + STREAMS + ") > tcp by splice");
        Carriers.await(stream, lab, mark, STREAMS, "home", "flat");
    }
}
