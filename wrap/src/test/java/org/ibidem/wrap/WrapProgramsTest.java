package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.wrap.Sides.Means;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs from the distribution, wrapped at both ends: docs/programs.md has their list.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class WrapProgramsTest {
    @RegisterExtension static final Sides sides = new Sides();

    private static Process serve(List<String> command) throws IOException {
        return sides.start(Means.SECCOMP, "s", command.toArray(new String[0]));
    }

    private static Process client(List<String> command) throws IOException {
        return sides.start(Means.SECCOMP, "c", command.toArray(new String[0]));
    }

    @Test
    void redis_serves_twenty_clients_at_once() throws Exception {
        Wrapped.require("redis-server", "redis-benchmark");
        var port = String.valueOf(Sides.freePort());
        var redis = List.of("redis-server", "--port", port, "--save", "", "--protected-mode", "no");
        Sides.awaitLine(serve(redis), "Ready to accept");
        var bench = new ArrayList<>(List.of("redis-benchmark", "-h", "1.wrap.ibidem", "-p", port));
        bench.addAll(List.of("-n", "1000", "-c", "20", "-d", "2000", "-t", "set,get,lrange_100"));
        bench.add("--csv");
        assertThat(Wrapped.output(client(bench)))
                .contains("\"SET\",", "\"GET\",", "\"LRANGE_100 (first 100 elements)\",")
                .doesNotContainIgnoringCase("error");
    }

    @Test
    void rsync_copies_by_ssh() throws Exception {
        Wrapped.require("sshd", "ssh-keygen", "rsync");
        var port = String.valueOf(Sides.freePort());
        var key = sides.folder.resolve("key").toString();
        Wrapped.assertEnds(
                new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
                        .inheritIO()
                        .start());
        var user = System.getProperty("user.name");
        if (user.equals("root")) {
            Files.createDirectories(Path.of("/run/sshd")); // where it gives up its rights
        }
        var sshd = new ArrayList<>(List.of("/usr/sbin/sshd", "-D", "-e", "-f", "none"));
        sshd.addAll(List.of("-p", port, "-h", key, "-o", "AuthorizedKeysFile=" + key + ".pub"));
        sshd.addAll(List.of("-o", "StrictModes=no", "-o", "PermitRootLogin=yes"));
        sshd.addAll(List.of("-o", "LogLevel=DEBUG1"));
        var daemon = serve(sshd);
        Sides.awaitLine(daemon, "Server listening");
        var ssh =
                "ssh -v -p %s -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -F none"
                        .formatted(port, key);
        var file = sides.folder.resolve("file");
        var bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        Files.write(file, bytes);
        var to = sides.folder.resolve("copy");
        var copied = client(List.of("rsync", "-e", ssh, "" + file, user + "@1.wrap.ibidem:" + to));
        var said = Wrapped.output(copied);
        assertThat(copied.exitValue())
                .as(() -> said + "\n--- sshd:\n" + Wrapped.rest(daemon))
                .isZero();
        assertThat(to).hasSameBinaryContentAs(file);
        var asked =
                client(List.of("sh", "-c", ssh + " " + user + "@1.wrap.ibidem 'echo $SSH_CLIENT'"));
        assertThat(Wrapped.output(asked)).contains("127.80.0.0 ");
    }

    /// The server gives up the rights of root, if it has them, as it would not run with them.
    @Test
    @Tag("full")
    void pgbench_plays_at_postgresql() throws Exception {
        Wrapped.require("pgbench", "psql", "setpriv");
        var installed = postgres();
        assumeTrue(installed != null, "there is no PostgreSQL: './ibidem setup'");
        var home = Objects.requireNonNull(installed);
        var data = Files.createTempDirectory("ibidem-pg"); // which that user may enter
        @Nullable Process postgres = null;
        try {
            var port = String.valueOf(Sides.freePort());
            var init = less(data, home.resolve("initdb") + "", "-D", data + "/db", "-A", "trust");
            init.addAll(List.of("-U", "postgres", "--no-sync"));
            Wrapped.output(new ProcessBuilder(init).redirectErrorStream(true).start());
            Files.writeString(
                    data.resolve("db/pg_hba.conf"),
                    "host all all 127.80.0.0/16 trust\n",
                    StandardOpenOption.APPEND); // whom it takes in, by rank
            var server = less(data, home.resolve("postgres") + "", "-D", data + "/db", "-p", port);
            server.addAll(List.of("-k", data.toString(), "-c", "listen_addresses=127.0.0.1"));
            postgres = serve(server);
            Sides.awaitLine(postgres, "ready to accept connections");
            var to = List.of("-h", "1.wrap.ibidem", "-p", port, "-U", "postgres");
            var fill = client(with("pgbench", to, "-i", "-q", "postgres"));
            assertThat(Wrapped.output(fill)).contains("done in");
            var play = client(with("pgbench", to, "-c", "8", "-j", "2", "-t", "50", "postgres"));
            assertThat(Wrapped.output(play)).contains("actually processed: 400/400");
            var who = client(with("psql", to, "-Atc", "select inet_client_addr()", "postgres"));
            assertThat(Wrapped.output(who)).isEqualTo("127.80.0.0");
        } finally {
            if (postgres != null) {
                postgres.destroy(); // the launcher passes it on
                postgres.waitFor(60, TimeUnit.SECONDS);
            }
            Wrapped.assertEnds(new ProcessBuilder("rm", "-rf", data.toString()).start());
        }
    }

    private static @Nullable Path postgres() throws IOException {
        var all = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(all)) {
            return null;
        }
        try (var versions = Files.newDirectoryStream(all)) {
            for (var each : versions) {
                if (Files.isExecutable(each.resolve("bin/initdb"))) {
                    return each.resolve("bin");
                }
            }
        }
        return null;
    }

    private static List<String> less(Path owned, String... command) throws Exception {
        var all = new ArrayList<String>();
        if (System.getProperty("user.name").equals("root")) {
            Wrapped.assertEnds(new ProcessBuilder("chown", "nobody", owned.toString()).start());
            all.addAll(List.of("setpriv", "--reuid", "nobody", "--clear-groups"));
        }
        all.addAll(List.of(command));
        return all;
    }

    private static List<String> with(String program, List<String> to, String... more) {
        var all = new ArrayList<>(List.of(program));
        all.addAll(to);
        all.addAll(List.of(more));
        return all;
    }

    /// What it was told, and not what becomes of it.
    @Test
    void strace_shows_the_arguments_of_the_program_itself() throws Exception {
        Wrapped.require("strace");
        int port = sides.serve(Means.SECCOMP, "127.0.0.1", "0");
        var seen = sides.folder.resolve("seen").toString();
        var all = new ArrayList<>(List.of("strace", "-f", "-e", "trace=connect", "-o", seen));
        all.addAll(List.of("python3", "" + sides.probe, "blocking", "192.0.2.7", "" + port));
        assertThat(Wrapped.output(client(all))).startsWith("hello from 127.80.0.0 192.0.2.7");
        assertThat(Files.readString(Path.of(seen)))
                .contains(
                        "{sa_family=AF_INET, sin_port=htons(%d), sin_addr=inet_addr(\"192.0.2.7\")}, 16) = "
                                .formatted(port));
    }

    /// The rings are its own as ever; what is done by them, nobody stops.
    @Test
    void of_a_program_that_uses_io_uring_it_is_said_once_that_this_is_not_seen() throws Exception {
        var program =
                """
                import ctypes
                SETUP = 425
                call = ctypes.CDLL(None, use_errno=True).syscall
                rings = [call(SETUP, 8, ctypes.create_string_buffer(120)) for _ in range(3)]
                print(all(ring > 2 for ring in rings))
                """;
        var alone = Wrapped.output(sides.plain("python3", "-c", program));
        assumeTrue(alone.equals("True"), "this system refuses io_uring");
        assertThat(Wrapped.output(client(List.of("python3", "-c", program))).lines())
                .containsExactly(
                        "ibidem wrap: python3 uses io_uring: what it connects by that is not seen, and the kernel's",
                        "True");
    }

    /// The JDK's web server and client: sockets of IPv6 without exception, and watched by `epoll`.
    @Test
    @Tag("full")
    void a_jvm_reaches_a_jvm() throws Exception {
        var home = Path.of(System.getProperty("java.home"), "bin");
        var shown = Files.createDirectory(sides.folder.resolve("shown"));
        var bytes = new byte[1_000_000];
        new Random(8).nextBytes(bytes);
        var file = Files.write(shown.resolve("file"), bytes);
        var port = String.valueOf(Sides.freePort());
        var web = List.of(home.resolve("jwebserver") + "", "-b", "0.0.0.0", "-p", port, "-d");
        var server = serve(Stream.concat(web.stream(), Stream.of(shown + "")).toList());
        Sides.awaitLine(server, "Serving ");
        var source = Wrapped.script(sides.folder, "Fetch.java").toString();
        var at = "http://1.wrap.ibidem:" + port + "/file";
        var fetch = List.of(home.resolve("java") + "", source, at, file.toString());
        assertThat(Wrapped.output(client(fetch)).lines())
                .containsExactly("200 true", "200 true", "200 true", "127.80.0.1:" + port);
        Sides.awaitLine(server, "127.80.0.0 - - ");
    }

    /// A program without a library between it and the kernel: its messages are looked at.
    @ParameterizedTest
    @ValueSource(strings = {"one", "several"})
    void messages_of_a_static_program_reach_ranks(String how) throws Exception {
        Wrapped.require("cc");
        var source = Wrapped.script(sides.folder, "parts.c").toString();
        var program = sides.folder.resolve("parts-" + how).toString();
        var cc = new ProcessBuilder("cc", "-static", "-o", program, source).start();
        assumeTrue(cc.waitFor() == 0, "there is no C library to link statically");
        var port = String.valueOf(Sides.freePort());
        var taker = List.of("python3", sides.probe.toString(), "take", "127.0.0.1", port);
        Sides.awaitLine(serve(taker), "ready");
        assertThat(Wrapped.output(client(List.of(program, how, "127.80.0.1", port))))
                .isEqualTo("127.80.0.0 by parts");
    }

    /// Which no preloaded library gets into; by its own resolver of names.
    @Test
    @Tag("full")
    void a_static_client_in_go_is_wrapped() throws Exception {
        Wrapped.require("go");
        int port = sides.serve(Means.SECCOMP, "127.0.0.1", "0");
        var source = Wrapped.script(sides.folder, "hello.go").toString();
        var program = sides.folder.resolve("hello").toString();
        var build = new ProcessBuilder("go", "build", "-o", program, source);
        build.environment().put("CGO_ENABLED", "0");
        build.environment().put("GOTOOLCHAIN", "local");
        Wrapped.assertEnds(build.inheritIO().start());
        assertThat(Wrapped.output(client(List.of(program, "1.wrap.ibidem:" + port))))
                .isEqualTo("hello from 127.80.0.0 127.80.0.1:" + port);
    }

    /// Its daemon has a child for each client.
    @Test
    void git_clones_from_its_daemon() throws Exception {
        Wrapped.require("git");
        var bare = sides.folder.resolve("bare.git").toString();
        var made =
                "git init -q one && cd one && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one"
                        + " && cd .. && git clone -q --bare one bare.git && touch bare.git/git-daemon-export-ok";
        Wrapped.assertEnds(sides.plain("sh", "-c", "cd " + sides.folder + " && " + made));
        var port = String.valueOf(Sides.freePort());
        var daemon = List.of("git", "daemon", "--verbose", "--listen=127.0.0.1", "--port=" + port);
        Sides.awaitLine(serve(with(daemon, bare)), "Ready to rumble");
        var from = "git://1.wrap.ibidem:" + port + bare;
        var clone = sides.folder.resolve("clone").toString();
        assertThat(Wrapped.output(client(List.of("git", "clone", "-q", from, clone)))).isEmpty();
        assertThat(Wrapped.output(sides.plain("git", "-C", clone, "log", "--format=%s")))
                .isEqualTo("one");
    }

    private static List<String> with(List<String> command, String more) {
        var all = new ArrayList<>(command);
        all.add(more);
        return all;
    }

    /// What it connects is watched by edges.
    @Test
    void node_asks_node() throws Exception {
        Wrapped.require("node");
        var port = String.valueOf(Sides.freePort());
        var server =
                "require('http').createServer((q, r) => r.end(q.socket.remoteAddress)).listen(%s, '127.0.0.1', () => console.log('ready'))"
                        .formatted(port);
        Sides.awaitLine(serve(List.of("node", "-e", server)), "ready");
        var asks =
                "require('http').get('http://1.wrap.ibidem:%s', r => r.pipe(process.stdout))"
                        .formatted(port);
        assertThat(Wrapped.output(client(List.of("node", "-e", asks)))).isEqualTo("127.80.0.0");
    }
}
