package org.ibidem.filter.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.ibidem.link.Line;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What the kernel's counters say of loss, from files as Linux has them.
class ResentTest {
    private static final int SEGMENT = 1_448;
    private static final int PACKET = 1_500;

    @TempDir private Path folder;

    private long out = 248_954_422;
    private long again = 86_176;
    private long octets = 3_647_247_822_827L;

    @BeforeEach
    void open() throws IOException {
        written();
    }

    private void written() throws IOException {
        Files.writeString(
                folder.resolve("snmp"),
                """
                Ip: Forwarding DefaultTTL InReceives
                Ip: 1 64 250000000
                Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails \
                EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
                Tcp: 1 200 120000 -1 1219377 987983 216672 171318 0 249127396 %d %d 0 320678 0
                Udp: InDatagrams NoPorts
                Udp: 12 4
                """
                        .formatted(out, again));
        Files.writeString(
                folder.resolve("netstat"),
                """
                TcpExt: SyncookiesSent SyncookiesRecv
                TcpExt: 0 0
                IpExt: InNoRoutes InTruncatedPkts InMcastPkts OutMcastPkts InBcastPkts \
                OutBcastPkts InOctets OutOctets InMcastOctets
                IpExt: 0 0 0 0 0 0 3648187396823 %d 0
                """
                        .formatted(octets));
    }

    /// So many segments of one link left, and these of others; some of them again.
    private void sent(int ours, int others, int repeated) throws IOException {
        out += ours + others;
        again += repeated;
        octets += (long) PACKET * (ours + others + repeated);
        written();
    }

    @Test
    void of_a_link_that_sends_nearly_all_it_is_known_how_much_was_sent_again() throws IOException {
        var resent = new Resent(folder);
        assertThat(resent.since(0)).as("there is nothing to compare with").isNaN();
        sent(9_900, 200, 100);
        assertThat(resent.since(9_900L * SEGMENT)).isBetween(0.0097, 0.0099);
        sent(10_000, 0, 0);
        assertThat(resent.since(10_000L * SEGMENT)).isZero();
    }

    @Test
    void where_others_send_too_or_little_is_sent_nothing_is_said() throws IOException {
        var resent = new Resent(folder);
        resent.since(0);
        sent(5_000, 5_000, 500);
        assertThat(resent.since(5_000L * SEGMENT)).isNaN();
        sent(100, 0, 1);
        assertThat(resent.since(100L * SEGMENT)).isNaN();
        assertThat(resent.since(0)).as("nothing was sent").isNaN();
    }

    @Test
    void counters_that_begin_anew_say_nothing() throws IOException {
        var resent = new Resent(folder);
        resent.since(0);
        again = 0;
        out = 0;
        octets = 0;
        sent(10_000, 0, 10);
        assertThat(resent.since(10_000L * SEGMENT)).isNaN();
        sent(10_000, 0, 10);
        assertThat(resent.since(10_000L * SEGMENT)).isPositive();
    }

    @Test
    void where_there_are_no_such_files_or_others_nothing_is_known() throws IOException {
        var absent = new Resent(folder.resolve("absent"));
        assertThat(absent.since(0)).isNaN();
        assertThat(absent.since(1_000_000)).isNaN();
        Files.writeString(folder.resolve("netstat"), "IpExt: OutOctets\nIpExt: many\n");
        assertThat(new Resent(folder).since(1_000_000)).isNaN();
        Files.writeString(folder.resolve("netstat"), "TcpExt: 1\n");
        assertThat(new Resent(folder).since(1_000_000)).isNaN();
    }

    /// One of a hundred is sent again; eight bring more than one.
    @Test
    void it_is_said_with_each_decision_of_how_many_streams() throws IOException {
        var said = new ArrayList<String>();
        var line =
                new Line() {
                    @Override
                    public Known known() {
                        return new Known(Duration.ofMillis(40), 0, 0, 0, 0, Duration.ZERO);
                    }

                    @Override
                    public void decided(String what, String decision, String why) {
                        said.add(decision + ", as " + why);
                    }
                };
        var pace = new Pace(0, line, new Resent(folder));
        long trip = TimeUnit.MILLISECONDS.toNanos(40);
        long arrived = 0;
        int count = 1;
        for (int tick = 0; said.size() < 2; tick++) {
            int segments = 10 * count;
            sent(segments, 0, tick % 10 == 0 ? count : 0);
            arrived += (long) segments * SEGMENT;
            count = pace.look(tick * trip / 4, arrived, true, trip, count);
            assertThat(tick).isLessThan(1_000);
        }
        assertThat(said.getFirst())
                .matches(
                        "8 streams, as 1 brought 1\\.\\d\\d MB/s with (0\\.9|1\\.0)\\d % sent again");
    }

    /// The machine's own.
    @Test
    @EnabledOnOs(OS.LINUX)
    void the_counters_of_this_machine_can_be_read() throws IOException {
        var resent = new Resent();
        assertThat(resent.since(0)).isNaN();
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var one = new Socket(server.getInetAddress(), server.getLocalPort());
                var other = server.accept()) {
            for (int i = 0; i < 1_000; i++) {
                one.getOutputStream().write(i);
                assertThat(other.getInputStream().read()).isEqualTo(i & 0xFF);
            }
        }
        assertThat(resent.since(Long.MAX_VALUE)).isBetween(0.0, 1.0);
    }
}
