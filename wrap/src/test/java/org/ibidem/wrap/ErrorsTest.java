package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Which errors a program gets, beside those that the same program gets of the kernel alone.
@ParameterizedClass
@EnumSource(Means.class)
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class ErrorsTest {
    private static final String HERE = "127.0.0.1";
    private static final String FAR = "127.80.0.1";

    /// Nobody has this rank, in a pool of two.
    private static final String NOWHERE = "127.80.0.9";

    /// Has room for one connection, which is its own, until it is told to go on.
    private static final String BUSY =
            """
            import socket, sys
            l = socket.socket()
            l.bind(('127.0.0.1', 0))
            l.listen(0)
            own = socket.create_connection(l.getsockname())
            print(l.getsockname()[1], flush=True)
            sys.stdin.readline()
            l.accept()
            s = l.accept()[0]
            s.recv(1)
            """;

    @RegisterExtension static final Sides sides = new Sides();
    private static String errors;
    private static String calls;

    private final Means means;

    ErrorsTest(Means means) {
        this.means = means;
    }

    @BeforeAll
    static void write() throws Exception {
        errors = Wrapped.script(sides.folder, "errors.py").toString();
        calls = Wrapped.script(sides.folder, "calls.py").toString();
    }

    private static String[] program(String part, String host, int port) {
        return new String[] {"python3", errors, part, host, "" + port};
    }

    private String wrapped(String part, String host, int port) throws Exception {
        return Wrapped.output(sides.start(means, "c", program(part, host, port)));
    }

    private static String alone(String part, String host, int port) throws Exception {
        return Wrapped.output(sides.plain(program(part, host, port)));
    }

    /// A machine with more to do than it can may say of one that does not wait that it was reset:
    /// docs/design/wrap.md.
    @Test
    void who_is_refused() throws Exception {
        int port;
        try (var nobody = new ServerSocket(0)) {
            port = nobody.getLocalPort();
        }
        var kernel = alone("fails", HERE, port);
        assertThat(kernel)
                .contains(
                        "waits ECONNREFUSED 0",
                        "does not wait EINPROGRESS",
                        "events POLLOUT+POLLERR+POLLHUP",
                        "error, and again ECONNREFUSED 0");
        assertThat(wrapped("fails", FAR, port)).isEqualTo(kernel);
    }

    private static final String UNREACHABLE =
            """
            waits EHOSTUNREACH 0
            does not wait EHOSTUNREACH
            by IPv6 EHOSTUNREACH
            with a time limit EHOSTUNREACH\
            """;

    @Test
    void who_connects_to_a_rank_that_there_is_not() throws Exception {
        assertThat(wrapped("fails", NOWHERE, 9)).isEqualTo(UNREACHABLE);
    }

    /// In a network of its own, in which a route says that there is no way.
    @Test
    void so_says_a_kernel_of_where_no_route_is() throws Exception {
        Wrapped.require("unshare", "ip");
        var own = List.of("unshare", "--user", "--map-root-user", "--net");
        var possible = new ArrayList<>(own);
        possible.add("true");
        assumeTrue(
                sides.plain(possible.toArray(String[]::new)).waitFor() == 0,
                "there are no networks of one's own to be had");
        var program = new ArrayList<>(own);
        var script = "ip link set lo up; ip route add unreachable 198.51.100.0/24; exec \"$@\"";
        program.addAll(List.of("sh", "-c", script, "sh"));
        program.addAll(List.of(program("fails", "198.51.100.1", 9)));
        assertThat(Wrapped.output(sides.plain(program.toArray(String[]::new))))
                .isEqualTo(UNREACHABLE);
    }

    /// @return what a client sees before and after the server has room for it
    private static String seen(Process server, Process client) throws Exception {
        var said = client.inputReader(StandardCharsets.UTF_8);
        var seen = said.readLine() + "\n" + said.readLine() + "\n";
        try (var writer = server.outputWriter(StandardCharsets.UTF_8)) {
            writer.write("go on\n");
        }
        return seen + String.join("\n", said.lines().toList());
    }

    @Test
    void who_waits_until_somebody_accepts() throws Exception {
        var kernels = sides.plain("python3", "-c", BUSY);
        int here = Sides.port(kernels);
        var kernel = seen(kernels, sides.plain(program("waits", HERE, here)));
        assertThat(kernel)
                .isEqualTo(
                        """
                        connect EINPROGRESS
                        again EALREADY 0
                        events POLLOUT
                        error 0
                        again 0 EISCONN
                        elsewhere EISCONN\
                        """);
        var far = sides.start(means, "s", "python3", "-c", BUSY);
        int port = Sides.port(far);
        assertThat(seen(far, sides.start(means, "c", program("waits", FAR, port))))
                .isEqualTo(kernel);
    }

    @Test
    void what_is_no_connect_at_all() throws Exception {
        var kernel = alone("odd", HERE, 9);
        assertThat(kernel).contains("of nothing EBADF", "of a file ENOTSOCK", "cut short EINVAL");
        assertThat(wrapped("odd", FAR, 9)).isEqualTo(kernel);
    }

    private static String[] few(String host, Process server) throws IOException {
        var ports = server.inputReader(StandardCharsets.UTF_8).readLine().split(" ", -1);
        return new String[] {"python3", calls, host, ports[0], ports[1]};
    }

    /// Two sockets that share a port get different ports of what holds them.
    private static final String SHARED = "bound_then_elsewhere ('0', '";

    /// Sockets that are undone, interrupted, given away, watched by edges, told of memory that
    /// there is not: some forty cases, a line each.
    @Test
    void what_few_programs_do_is_as_the_kernel_has_it() throws Exception {
        var server = new String[] {"python3", calls, "serve"};
        var kernel = sides.plain(few(HERE, sides.plain(server)));
        var wrapped = sides.start(means, "c", few(FAR, sides.start(means, "s", server)));
        var said = Wrapped.output(kernel);
        assertThat(said).contains("pointers", "datagrams_by_six", SHARED + "EADDRNOTAVAIL')");
        assertThat(Wrapped.output(wrapped))
                .isEqualTo(said.replace(SHARED + "EADDRNOTAVAIL')", SHARED + "0')"));
    }

    /// The JDK has one exception for both: a port of who does not accept in time stays open.
    @Test
    void who_does_not_accept_in_time_has_not_refused() {
        assertThat(Errors.of(new ConnectException("Connection timed out")))
                .isEqualTo(Errors.TIMED_OUT);
        assertThat(Errors.of(new ConnectException("Connection refused"))).isEqualTo(Errors.REFUSED);
    }
}
