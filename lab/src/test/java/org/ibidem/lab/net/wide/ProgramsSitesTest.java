package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.programs.Postgres;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs that many have, wrapped at both ends: the server at a site behind a firewall, the
/// client at one behind a symmetric NAT; compressed and encrypted. Each server says whom it saw.
@Laboratory(Town.Sites.class)
@Timeout(240)
class ProgramsSitesTest {
    private static final int HUB = 8896;
    private static final int FIRST = 7001;
    private static final int PORTS = 9;
    private static final int BYTES = 3_000_000;
    private static final String SERVER = "0.parallel.ibidem";
    private static final String CLIENT = "127.80.0.1";
    private static final String PYTHON = "/usr/bin/python3";

    /// From a port of a server that is wrapped to that of one that is not.
    static final int PLAIN = 100;

    @TempDir private static Path folder;
    private static End server;
    private static End client;

    @BeforeAll
    static void begin(Lab lab) {
        var served = // of servers that are not wrapped
                IntStream.range(FIRST + PLAIN, FIRST + PLAIN + PORTS)
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(","));
        var agents =
                Agents.start(lab, folder, HUB, List.of("office1", "hotel1"), "--serve", served);
        server = agents.end(0);
        client = agents.end(1);
    }

    /// Where servers are started.
    End server() {
        return server;
    }

    static End client() {
        return client;
    }

    /// A port of theirs.
    ///
    /// @param which one of a few, from 1
    int port(int which) {
        return FIRST - 1 + which;
    }

    private Running serve(Lab lab, String ready, List<String> program) {
        var running = server().start(lab, program);
        running.any(line -> line.contains(ready), Town.LONG);
        return running;
    }

    /// Runs a client to its end.
    ///
    /// @return what it has printed
    static String run(Lab lab, List<String> program) {
        var running = client.start(lab, program);
        assertThat(running.code(Town.LONG)).as(() -> "" + running.lines()).isZero();
        return String.join("\n", running.lines());
    }

    static List<String> words(String all) {
        return new ArrayList<>(List.of(all.split(" ", -1)));
    }

    static Path file() throws IOException {
        var bytes = new byte[BYTES];
        new Random(3).nextBytes(bytes);
        return Files.write(Files.createDirectories(folder.resolve("shown")).resolve("file"), bytes);
    }

    @Test
    @Tag("turn0")
    void redis(Lab lab) {
        Command.require("redis-server", "redis-benchmark", "redis-cli");
        var start = words("redis-server --port " + port(1) + " --protected-mode no --save");
        start.add("");
        var redis = serve(lab, "Ready to accept", start);
        var at = " -h " + SERVER + " -p " + port(1) + " ";
        assertThat(
                        run(
                                lab,
                                words(
                                        "redis-benchmark"
                                                + at
                                                + "-n 500 -c 10 -d 2000 -t set,get --csv")))
                .contains("\"SET\",", "\"GET\",")
                .doesNotContainIgnoringCase("error");
        assertThat(run(lab, words("redis-cli" + at + "client list"))).contains("addr=" + CLIENT);
        server().end(redis);
    }

    @Test
    @Tag("turn1")
    void iperf3(Lab lab) {
        Command.require("iperf3");
        var iperf = serve(lab, "listening", words("iperf3 -s -p " + port(2) + " --forceflush"));
        assertThat(run(lab, words("iperf3 -c " + SERVER + " -p " + port(2) + " -n 5M")))
                .contains("receiver", "iperf Done.");
        iperf.any(line -> line.contains("Accepted connection from " + CLIENT), Town.LONG);
        server().end(iperf);
    }

    @Test
    @Tag("turn2")
    void ssh_scp_and_rsync(Lab lab) throws Exception {
        Command.require("sshd", "ssh", "scp", "rsync", "ssh-keygen");
        var key = folder.resolve("key").toString();
        lab.machine(server().host()).run("mkdir", "-p", "/run/sshd");
        lab.machine(server().host()).run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
        var start =
                words(
                        "/usr/sbin/sshd -D -e -f none -o StrictModes=no -h "
                                + key
                                + " -p "
                                + port(3));
        start.addAll(List.of("-o", "AuthorizedKeysFile=" + key + ".pub"));
        start.addAll(List.of("-o", "PermitRootLogin=yes", "-o", "Subsystem=sftp internal-sftp"));
        var sshd = serve(lab, "Server listening", start);
        var options =
                "-F none -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
                        .formatted(key);
        var asks = words("ssh -p " + port(3) + " " + options + " root@" + SERVER);
        asks.add("echo $SSH_CLIENT");
        assertThat(run(lab, asks)).startsWith(CLIENT + " ");
        var file = file();
        var scp = folder.resolve("by-scp");
        run(
                lab,
                words("scp -P %d %s %s root@%s:%s".formatted(port(3), options, file, SERVER, scp)));
        assertThat(scp).hasSameBinaryContentAs(file);
        var copy = folder.resolve("by-rsync");
        var rsync =
                new ArrayList<>(List.of("rsync", "-z", "-e", "ssh -p " + port(3) + " " + options));
        rsync.addAll(List.of("root@" + SERVER + ":" + file, copy.toString()));
        run(lab, rsync);
        assertThat(copy).hasSameBinaryContentAs(file);
        server().end(sshd);
    }

    @Test
    @Tag("turn1")
    void a_web_server_in_python_and_requests(Lab lab) throws Exception {
        Command.require(PYTHON, "/usr/lib/python3/dist-packages/requests/__init__.py");
        var file = file();
        var start = words(PYTHON + " -u -m http.server --directory " + file.getParent());
        start.add(port(4) + "");
        var web = serve(lab, "Serving HTTP", start);
        var program =
                """
                import requests
                with requests.Session() as session:
                    for i in range(3):
                        got = session.get('http://SERVER/file').content
                print(got == open('FILE', 'rb').read())
                """
                        .replace("SERVER", SERVER + ":" + port(4))
                        .replace("FILE", file.toString());
        assertThat(run(lab, List.of(PYTHON, "-c", program))).isEqualTo("True");
        web.any(line -> line.startsWith(CLIENT) && line.contains("GET /file"), Town.LONG);
        server().end(web);
    }

    @Test
    @Tag("turn0")
    void pgbench_and_postgresql(Lab lab) throws Exception {
        Command.require("pgbench", "psql");
        assumeTrue(Postgres.there(), "there is no PostgreSQL: './ibidem setup'");
        try (var postgres = new Postgres()) {
            var running = serve(lab, "ready to accept connections", postgres.command(port(5)));
            var to = " -h " + SERVER + " -p " + port(5) + " -U postgres ";
            assertThat(run(lab, words("pgbench" + to + "-i -q postgres"))).contains("done in");
            assertThat(run(lab, words("pgbench" + to + "-c 4 -j 2 -t 25 postgres")))
                    .contains("actually processed: 100/100");
            var asks = words("psql" + to + "-At postgres -c");
            asks.add("select inet_client_addr()");
            assertThat(run(lab, asks)).isEqualTo(CLIENT);
            server().end(running);
        }
    }

    /// Linked statically, and with a resolver of its own.
    @Test
    @Tag("full")
    void a_static_client_in_go(Lab lab) throws Exception {
        Command.require("go", "python3");
        var program = folder.resolve("hello").toString();
        var build = new ProcessBuilder("go", "build", "-o", program, sources("hello.go"));
        build.environment().put("CGO_ENABLED", "0");
        build.environment().put("GOTOOLCHAIN", "local");
        assertThat(build.inheritIO().start().waitFor()).isZero();
        var start = List.of("python3", sources("probe.py"), "serve", "127.0.0.1", port(6) + "");
        var running = serve(lab, port(6) + "", start);
        assertThat(run(lab, List.of(program, SERVER + ":" + port(6))))
                .isEqualTo("hello from %s 127.80.0.0:%d".formatted(CLIENT, port(6)));
        server().end(running);
    }

    private static String sources(String name) {
        return Path.of("../wrap/src/test/resources/org/ibidem/wrap", name)
                .toAbsolutePath()
                .normalize()
                .toString();
    }

    /// A web server and a client of the JDK's.
    @Test
    @Tag("turn1")
    void a_jvm_to_a_jvm(Lab lab) throws Exception {
        var home = Path.of(System.getProperty("java.home"), "bin");
        Command.require(home.resolve("jwebserver").toString());
        var file = file();
        var start = words(home.resolve("jwebserver") + " -b 0.0.0.0 -p " + port(7) + " -d");
        start.add(file.getParent().toString());
        var web = serve(lab, "Serving ", start);
        var asks = words(home.resolve("java") + " " + sources("Fetch.java"));
        asks.addAll(List.of("http://" + SERVER + ":" + port(7) + "/file", file.toString()));
        assertThat(run(lab, asks)).isEqualTo("200 true\n200 true\n200 true\n127.80.0.0:" + port(7));
        web.any(line -> line.startsWith(CLIENT) && line.contains("GET /file"), Town.LONG);
        server().end(web);
    }
}
