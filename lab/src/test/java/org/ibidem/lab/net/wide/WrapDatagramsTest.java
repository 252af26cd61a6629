package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Datagrams of wrapped programs over a line that loses packets: as frames over `udp` that are sent
/// again, and over a stream. Of those that the flow has room for, each arrives, once, in order.
@Laboratory(Town.Sites.class)
@Timeout(240)
class WrapDatagramsTest {
    private static final String LINE = "square-crowd";

    /// Answers with what came, and whom from.
    private static final String ECHO =
            """
            import socket
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.bind(('127.0.0.1', PORT))
            print('ready', flush=True)
            while True:
                data, peer = s.recvfrom(1 << 16)
                s.sendto(peer[0].encode() + b' ' + data, peer)
            """;

    /// So many are on their way at once, fewer than wait before any is dropped.
    private static final String ASK =
            """
            import random, socket
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.settimeout(40)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
            some = random.Random(5)
            sent, wrong = [], 0
            for i in range(300):
                sent.append(b'%d ' % i + some.randbytes(some.choice((0, 1, 100, 1300, 4000))))
                s.sendto(sent[-1], ('0.parallel.ibidem', PORT))
                if i >= 50:
                    wrong += s.recv(1 << 16) != b'127.80.0.1 ' + sent[i - 50]
            for each in sent[-50:]:
                wrong += s.recv(1 << 16) != b'127.80.0.1 ' + each
            s.settimeout(0.2)
            try:
                print('more than once', s.recv(1 << 16)[:20])
            except socket.timeout:
                print('wrong', wrong)
            """;

    @TempDir private static Path folder;

    private static List<String> python(String program, String port) {
        return List.of("python3", "-c", program.replace("PORT", port));
    }

    private static long lost(Lab lab) {
        return lab.lines().values().stream().mapToLong(line -> line.tally().lost()).sum();
    }

    @ParameterizedTest
    @Tag("turn2")
    @CsvSource({"reliable > udp, 8897, 7201", "tls > tcp, 8898, 7202"})
    void each_arrives_once_and_in_order(String stack, int hub, String port, Lab lab) {
        Command.require("python3");
        var hosts = List.of("square1", "crowd1");
        var agents = Agents.start(lab, folder.resolve(port), hub, hosts, "--over", stack);
        var echo = agents.end(0).start(lab, python(ECHO, port));
        echo.any("ready"::equals, Town.LONG);
        lab.set(LINE, "delay=2ms loss=5%");
        long before = lost(lab);
        long mark = lab.mark();
        var asks = agents.end(1).start(lab, python(ASK, port));
        assertThat(asks.code(Town.LONG)).as(() -> "" + asks.lines()).isZero();
        assertThat(asks.lines()).containsExactly("wrong 0");
        assertThat(lost(lab)).as("packets that were lost").isGreaterThan(before);
        var packets = lab.since(mark).between("square", "crowd");
        assertThat(packets.tcp().packets().size() > packets.packets().size() / 2)
                .as("it went by TCP")
                .isEqualTo(stack.endsWith("tcp"));
        agents.end(0).end(echo);
    }
}
