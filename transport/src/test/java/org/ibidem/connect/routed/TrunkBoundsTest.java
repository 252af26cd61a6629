package org.ibidem.connect.routed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.temporal.ChronoUnit;
import java.util.stream.LongStream;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// How much a trunk may carry, by who is at its ends.
class TrunkBoundsTest {
    private static final NodeId ME = new NodeId(1, 1);
    private static final NodeId YOU = new NodeId(2, 2);
    private static final int WINDOW = 1 << 20;

    private final TrunkEnds toHub = TrunkEnds.toHub(ME);
    private final TrunkEnds between = new TrunkEnds(ME, YOU, false);

    @Test
    void each_stream_to_a_hub_has_a_whole_window() {
        assertThat(toHub.leadsOn()).isTrue();
        assertThat(toHub.opener()).isTrue();
        assertThat(toHub.other()).isEqualTo("the hub");
        assertThat(toHub.mostStreams()).isEqualTo(4096);
        assertThat(toHub.window(0)).isEqualTo(WINDOW);
        assertThat(toHub.window(4095)).isEqualTo(WINDOW);
    }

    @Test
    void between_nodes_sixteen_have_a_whole_window_and_more_get_less() {
        assertThat(between.leadsOn()).isFalse();
        assertThat(between.other()).isEqualTo("node " + YOU.brief());
        assertThat(between.mostStreams()).isEqualTo(16_384);
        assertThat(between.window(0)).isEqualTo(WINDOW);
        assertThat(between.window(15)).isEqualTo(WINDOW);
        assertThat(between.window(16)).isEqualTo(16 * WINDOW / 17);
        assertThat(between.window(16_383)).isEqualTo(1024);
    }

    @Test
    void all_windows_between_nodes_are_below_130_mebibytes() {
        var windows = LongStream.range(0, between.mostStreams()).map(i -> between.window((int) i));
        assertThat(windows.sum()).isLessThan(130L << 20);
    }

    @Test
    void one_whose_other_end_is_heard_nowhere_else_was_never_heard_there() {
        assertThat(between.elsewhere().get()).isEqualTo(ChronoUnit.FOREVER.getDuration());
        assertThat(toHub.elsewhere().get()).isEqualTo(ChronoUnit.FOREVER.getDuration());
    }
}
