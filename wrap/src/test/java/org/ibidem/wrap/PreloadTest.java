package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What is the preloaded library's alone ([WrapTest] has what it shares with seccomp); it and the
/// launcher are built with all that the compiler can watch.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class PreloadTest {
    private static final int NOBODY = 65_534;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final Sides sides =
            new Sides("-fsanitize=address,undefined", "-fno-sanitize-recover=all");

    private static int server() throws IOException {
        return sides.serve(Means.PRELOAD, "127.0.0.1", "0");
    }

    private static Process python(String script) throws IOException {
        return sides.start(Means.PRELOAD, "c", "python3", "-c", script);
    }

    /// One seccomp listener above another is what no kernel has.
    @Test
    void where_seccomp_is_not_to_be_had_the_library_is_taken_and_that_is_said() throws Exception {
        int port = server();
        var inner =
                new String[] {
                    sides.launcher.toString(),
                    sides.folder.resolve("c").toString(),
                    "-",
                    "python3",
                    sides.probe.toString(),
                    "blocking",
                    "127.80.0.1",
                    "" + port
                };
        assertThat(Wrapped.output(sides.start(Means.SECCOMP, "none", inner)).lines())
                .containsExactly(
                        "ibidem wrap: python3 goes by the preloaded library, as another seccomp listener watches it already",
                        "hello from 127.80.0.0 127.80.0.1:" + port);
    }

    @Test
    void a_program_whose_supervisor_was_killed_goes_on_by_the_kernel() throws Exception {
        try (var there = new ServerSocket(0)) {
            there.setSoTimeout((int) LIMIT.toMillis());
            python(
                    """
                    import os, select, signal, socket
                    supervisor = os.pidfd_open(os.getppid())
                    os.kill(os.getppid(), signal.SIGKILL)
                    select.select([supervisor], [], [])
                    c = socket.socket()
                    c.connect(('127.0.0.1', PORT))
                    c.sendall(b'%d' % c.getpeername()[1])
                    c.close()
                    """
                            .replace("PORT", "" + there.getLocalPort()));
            try (var connected = there.accept()) {
                assertThat(connected.getInputStream().readAllBytes())
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("" + there.getLocalPort());
            }
        }
    }

    /// It has no rights in the folder of the agent's, and is served as the launcher's child.
    @Test
    void a_program_that_gives_up_its_rights_and_its_root_is_served_as_before() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root may become another");
        int port = server();
        var program =
                """
                import os, socket
                os.chroot('EMPTY'); os.chdir('/'); os.setgid(USER); os.setuid(USER)
                c = socket.socket()
                c.connect(('127.80.0.1', PORT))
                c.sendall(b'hello\\n')
                print(c.recv(100).decode().strip())
                """
                        .replace(
                                "EMPTY",
                                Files.createDirectory(sides.folder.resolve("empty")).toString())
                        .replace("USER", "" + NOBODY)
                        .replace("PORT", "" + port);
        assertThat(Wrapped.output(python(program))).isEqualTo("hello from 127.80.0.0");
    }

    /// Another program has the socket now, under another number; who is at its end stays known.
    @Test
    void the_peer_of_a_socket_is_known_after_dup_fork_and_exec() throws Exception {
        int port = server();
        var program =
                """
                import os, socket, sys
                c = socket.create_connection(('192.0.2.7', PORT), 60)
                os.dup2(c.fileno(), 99)
                if os.fork() == 0:
                    c.close()
                    os.execv(sys.executable, ['python3', '-c',
                        'import socket; print("%s:%d" % socket.socket(fileno=99).getpeername())'])
                os.wait()
                """
                        .replace("PORT", "" + port);
        assertThat(Wrapped.output(python(program))).isEqualTo("192.0.2.7:" + port);
    }

    /// Which seccomp does not see.
    @Test
    void datagrams_by_sendmsg_reach_ranks() throws Exception {
        int port = Sides.freePort();
        var taker = new String[] {"python3", "" + sides.probe, "take", "127.0.0.1", "" + port};
        Sides.awaitLine(sides.start(Means.PRELOAD, "s", taker), "ready");
        var program =
                """
                import socket
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.settimeout(60)
                s.sendmsg([b'by', b' parts'], [], 0, ('127.80.0.1', PORT))
                print(s.recv(100).decode())
                """
                        .replace("PORT", "" + port);
        assertThat(Wrapped.output(python(program))).isEqualTo("127.80.0.0 by parts");
    }

    @Test
    void of_a_program_that_it_does_not_get_into_that_is_said() throws Exception {
        var source =
                Files.writeString(sides.folder.resolve("still.c"), "int main(void) { return 7; }");
        var program = sides.folder.resolve("still").toString();
        var cc = new ProcessBuilder("cc", "-static", "-o", program, source.toString()).start();
        assumeTrue(cc.waitFor() == 0, "there is no C library to link statically");
        var process = sides.start(Means.PRELOAD, "c", program);
        assertThat(Wrapped.output(process))
                .isEqualTo(
                        "ibidem wrap: %s runs without Ibidem: it is linked statically, which the preloaded library does not get into"
                                .formatted(program));
        assertThat(process.exitValue()).isEqualTo(7);
    }

    /// Whatever comes to the supervisor in the library's place: it goes on, and serves the next.
    @Test
    void the_supervisor_outlives_whatever_it_is_asked() throws Exception {
        int port = server();
        var program = Files.readString(Wrapped.script(sides.folder, "rave.py"));
        assertThat(Wrapped.output(python(program.replace("PORT", "" + port))))
                .isEqualTo("hello from 127.80.0.0");
    }
}
