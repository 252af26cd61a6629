package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Programs of which one alone is wrapped: they speak to each other as ever, and by the agent of
/// its machine one that nobody has wrapped is reached from elsewhere.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class OneEndTest {
    private static final String LOCAL = "127.0.0.1";
    private static final int BYTES = 2_000_000;

    @RegisterExtension static final Sides sides = new Sides();

    /// Which of the two is wrapped.
    enum Who {
        SERVER,
        CLIENT
    }

    private static Process server(Who who, String... command) throws IOException {
        return who == Who.SERVER ? sides.start(Means.SECCOMP, "s", command) : sides.plain(command);
    }

    private static Process client(Who who, String... command) throws IOException {
        return who == Who.CLIENT ? sides.start(Means.SECCOMP, "c", command) : sides.plain(command);
    }

    private static Process plainServer(String port) throws IOException {
        return sides.plain("python3", "" + sides.probe, "serve", LOCAL, port);
    }

    private static String[] says(String what, String host, int port) {
        return new String[] {"python3", "" + sides.probe, what, host, "" + port};
    }

    @ParameterizedTest
    @EnumSource
    void sockets_of_a_wrapped_client_and_of_a_plain_server_see_each_other_as_ever(Means means)
            throws Exception {
        int port = Sides.port(plainServer("0"));
        var said = "hello from %s %s:%d".formatted(LOCAL, LOCAL, port);
        assertThat(Wrapped.output(sides.start(means, "c", says("blocking", LOCAL, port))))
                .isEqualTo(said);
        assertThat(Wrapped.output(sides.start(means, "c", says("epoll", LOCAL, port))))
                .endsWith(said);
    }

    @ParameterizedTest
    @EnumSource
    void sockets_of_a_plain_client_and_of_a_wrapped_server_see_each_other_as_ever(Means means)
            throws Exception {
        int port = sides.serve(means, LOCAL, "0");
        var said = "hello from %s %s:%d".formatted(LOCAL, LOCAL, port);
        assertThat(Wrapped.output(sides.plain(says("blocking", LOCAL, port)))).isEqualTo(said);
    }

    /// And goes on being reached when it was started anew.
    @Test
    void a_plain_server_is_reached_by_its_agent() throws Exception {
        int port = Sides.freePort();
        sides.servers().serve(port);
        var said = "hello from 127.80.0.0 127.80.0.1:" + port;
        for (int i = 0; i < 2; i++) {
            assertThat(
                            Wrapped.output(
                                    sides.start(
                                            Means.SECCOMP,
                                            "c",
                                            says("refused", "127.80.0.1", port))))
                    .startsWith("blocking ECONNREFUSED");
            var server = plainServer("" + port);
            assertThat(Sides.port(server)).isEqualTo(port);
            assertThat(
                            Wrapped.output(
                                    sides.start(
                                            Means.SECCOMP,
                                            "c",
                                            says("blocking", "127.80.0.1", port))))
                    .isEqualTo(said);
            server.destroyForcibly();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void datagrams_reach_a_plain_server_by_its_agent() throws Exception {
        int port = Sides.freePort();
        sides.servers().serveDatagrams(port);
        Sides.awaitLine(sides.plain(says("take", LOCAL, port)), "ready");
        var sender = sides.start(Means.SECCOMP, "c", says("unconnected", "127.80.0.1", port));
        assertThat(Wrapped.output(sender))
                .isEqualTo("127.80.0.0 127.80.0.1:%d True".formatted(port));
    }

    @ParameterizedTest
    @EnumSource
    void redis(Who who) throws Exception {
        Wrapped.require("redis-server", "redis-benchmark");
        var port = "" + Sides.freePort();
        var server = server(who, "redis-server", "--port", port, "--save", "", "--bind", LOCAL);
        Sides.awaitLine(server, "Ready to accept");
        var bench = new ArrayList<>(List.of("redis-benchmark", "-h", LOCAL, "-p", port, "--csv"));
        bench.addAll(List.of("-n", "500", "-c", "20", "-d", "2000", "-t", "set,get"));
        assertThat(Wrapped.output(client(who, bench.toArray(String[]::new))))
                .contains("\"SET\",", "\"GET\",")
                .doesNotContainIgnoringCase("error");
    }

    @ParameterizedTest
    @EnumSource
    void curl_and_a_web_server(Who who) throws Exception {
        Wrapped.require("curl");
        var port = "" + Sides.freePort();
        var file = file(who);
        var web = List.of("python3", "-u", "-m", "http.server", port, "--bind", LOCAL);
        var all = new ArrayList<>(web);
        all.addAll(List.of("--directory", sides.folder.toString()));
        Sides.awaitLine(server(who, all.toArray(String[]::new)), "Serving HTTP");
        var got = sides.folder.resolve("got-" + who);
        var from = "http://%s:%s/%s".formatted(LOCAL, port, file.getFileName());
        Wrapped.output(client(who, "curl", "-sS", "--fail", "-o", got.toString(), from));
        assertThat(got).hasSameBinaryContentAs(file);
    }

    private static Path file(Who who) throws IOException {
        var bytes = new byte[BYTES];
        new Random(who == Who.SERVER ? 1 : 2).nextBytes(bytes);
        return Files.write(sides.folder.resolve("file-" + who), bytes);
    }

    @ParameterizedTest
    @EnumSource
    void iperf3(Who who) throws Exception {
        Wrapped.require("iperf3");
        var port = "" + Sides.freePort();
        Sides.awaitLine(server(who, "iperf3", "-s", "-p", port, "--forceflush"), "listening");
        var client = client(who, "iperf3", "-c", LOCAL, "-p", port, "-n", "20M", "-R");
        assertThat(Wrapped.output(client)).contains("receiver", "iperf Done.");
    }

    @ParameterizedTest
    @EnumSource
    void rsync_by_ssh(Who who) throws Exception {
        Wrapped.require("sshd", "ssh-keygen", "rsync");
        var port = "" + Sides.freePort();
        var key = sides.folder.resolve("key-" + who).toString();
        Wrapped.output(sides.plain("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key));
        var user = System.getProperty("user.name");
        if (user.equals("root")) {
            Files.createDirectories(Path.of("/run/sshd")); // where it gives up its rights
        }
        var sshd = new ArrayList<>(List.of("/usr/sbin/sshd", "-D", "-e", "-f", "none"));
        sshd.addAll(List.of("-p", port, "-h", key, "-o", "AuthorizedKeysFile=" + key + ".pub"));
        sshd.addAll(List.of("-o", "StrictModes=no", "-o", "PermitRootLogin=yes"));
        Sides.awaitLine(server(who, sshd.toArray(String[]::new)), "Server listening");
        var ssh =
                "ssh -p %s -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -F none"
                        .formatted(port, key);
        var file = file(who);
        var copy = sides.folder.resolve("copy-" + who);
        var to = "%s@%s:%s".formatted(user, LOCAL, copy);
        Wrapped.output(client(who, "rsync", "-e", ssh, file.toString(), to));
        assertThat(copy).hasSameBinaryContentAs(file);
    }
}
