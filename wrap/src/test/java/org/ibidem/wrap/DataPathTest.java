package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a program sends and receives on a socket that is connected, its supervisor does not see: it
/// sleeps meanwhile, which the kernel counts.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class DataPathTest {
    private static final int TIMES = 300;

    /// How often it may wake all the same, for the agent's sake.
    private static final int FEW = 20;

    private static final String ECHO =
            """
            import socket
            l = socket.socket()
            l.bind(('127.0.0.1', 0))
            l.listen()
            print(l.getsockname()[1], flush=True)
            s = l.accept()[0]
            while True:
                data = s.recv(100)
                if not data: break
                s.sendall(data)
            """;

    /// Its supervisor is its parent. A call that is told of is the other measure.
    private static final String ASK =
            """
            import os, socket
            def woken():
                while True: # until it sleeps again, after the call before
                    lines = open('/proc/%d/status' % os.getppid()).read().splitlines()
                    status = dict(line.split(':', 1) for line in lines)
                    if status['State'].strip().startswith('S'):
                        return int(status['voluntary_ctxt_switches'])
            s = socket.create_connection(('127.80.0.1', PORT), 60)
            s.settimeout(60)
            first = woken()
            for _ in range(TIMES):
                s.sendall(b'x')
                s.recv(1)
            second = woken()
            by_calls = 0
            for _ in range(TIMES): # on a busy machine one more is there before it sleeps
                for _ in range(TIMES): s.getpeername()
                by_calls = woken() - second
                if by_calls > FEW: break
            print(second - first, by_calls)
            """;

    @RegisterExtension static final Sides sides = new Sides();

    @ParameterizedTest
    @EnumSource
    void a_supervisor_sleeps_while_its_program_sends_and_receives(Means means) throws Exception {
        int port = Sides.port(sides.start(means, "s", "python3", "-c", ECHO));
        var ask =
                ASK.replace("PORT", "" + port)
                        .replace("TIMES", "" + TIMES)
                        .replace("FEW", "" + FEW);
        var said = Wrapped.output(sides.start(means, "c", "python3", "-c", ask));
        var counts = Pattern.compile("(\\d+) (\\d+)").matcher(said);
        assertThat(counts.matches()).as(said).isTrue();
        assertThat(Integer.parseInt(counts.group(1))).as("by data").isLessThan(FEW);
        assertThat(Integer.parseInt(counts.group(2))).as("by calls").isGreaterThan(FEW);
    }
}
