package org.ibidem.lab.bench.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.ibidem.lab.net.LabFailed;
import org.junit.jupiter.api.Test;

/// What is read of what iperf3 prints.
class IperfTest {
    @Test
    void the_sum_of_what_was_received_counts() {
        var said =
                List.of(
                        "[  5]   0.00-3.00   sec  2.00 MBytes   683 KBytes/sec    0  sender",
                        "[  5]   0.00-3.03   sec  1.00 MBytes   338 KBytes/sec       receiver",
                        "[  7]   0.00-3.03   sec  1.50 MBytes   507 KBytes/sec       receiver",
                        "[SUM]   0.00-3.00   sec  4.00 MBytes  1365 KBytes/sec    0  sender",
                        "[SUM]   0.00-3.03   sec  2.50 MBytes   845.5 KBytes/sec     receiver",
                        "",
                        "iperf Done.");
        assertThat(Iperf.received(said)).isEqualTo(845.5 * 1024);
        assertThat(Iperf.received(said.subList(0, 2))).isEqualTo(338 * 1024);
    }

    @Test
    void what_says_nothing_is_a_failure() {
        assertThatThrownBy(() -> Iperf.received(List.of("iperf3: error - unable to connect")))
                .isInstanceOf(LabFailed.class)
                .hasMessageContaining("unable to connect");
    }
}
