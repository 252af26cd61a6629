package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
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
    private static final int BYTES = 3_000_000;
    private static final String SERVER = "0.parallel.ibidem";
    private static final String CLIENT = "127.80.0.1";
    private static final String PYTHON = "/usr/bin/python3";

    @TempDir private static Path folder;
    private static End server;
    private static End client;

    @BeforeAll
    static void begin(Lab lab) {
        var agents = Agents.start(lab, folder, HUB, List.of("office1", "hotel1"));
        server = agents.end(0);
        client = agents.end(1);
    }

    private static Running serve(Lab lab, String ready, List<String> program) {
        var running = server.start(lab, program);
        running.any(line -> line.contains(ready), Town.LONG);
        return running;
    }

    /// Runs a client to its end.
    ///
    /// @return what it has printed
    private static String run(Lab lab, List<String> program) {
        var running = client.start(lab, program);
        assertThat(running.code(Town.LONG)).as(() -> "" + running.lines()).isZero();
        return String.join("\n", running.lines());
    }

    private static List<String> words(String all) {
        return new ArrayList<>(List.of(all.split(" ", -1)));
    }

    private static Path file() throws IOException {
        var bytes = new byte[BYTES];
        new Random(3).nextBytes(bytes);
        return Files.write(Files.createDirectories(folder.resolve("shown")).resolve("file"), bytes);
    }

    private static String source(String name) throws IOException {
        var file = folder.resolve(name);
        try (InputStream in = ProgramsSitesTest.class.getResourceAsStream(name)) {
            Files.write(file, Objects.requireNonNull(in, name).readAllBytes());
        }
        return file.toString();
    }

    @Test
    @Tag("turn0")
    void redis(Lab lab) {
        Command.require("redis-server", "redis-benchmark", "redis-cli");
        var start = words("redis-server --port 7001 --protected-mode no --save");
        start.add("");
        var redis = serve(lab, "Ready to accept", start);
        var at = " -h " + SERVER + " -p 7001 ";
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
        server.end(redis);
    }

    @Test
    @Tag("turn1")
    void iperf3(Lab lab) {
        Command.require("iperf3");
        var iperf = serve(lab, "listening", words("iperf3 -s -p 7002 --forceflush"));
        assertThat(run(lab, words("iperf3 -c " + SERVER + " -p 7002 -n 5M")))
                .contains("receiver", "iperf Done.");
        iperf.any(line -> line.contains("Accepted connection from " + CLIENT), Town.LONG);
        server.end(iperf);
    }

    @Test
    @Tag("turn2")
    void ssh_scp_and_rsync(Lab lab) throws Exception {
        Command.require("sshd", "ssh", "scp", "rsync", "ssh-keygen");
        var key = folder.resolve("key").toString();
        lab.machine(server.host()).run("mkdir", "-p", "/run/sshd");
        lab.machine(server.host()).run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
        var start = words("/usr/sbin/sshd -D -e -f none -p 7003 -o StrictModes=no -h " + key);
        start.addAll(List.of("-o", "AuthorizedKeysFile=" + key + ".pub"));
        start.addAll(List.of("-o", "PermitRootLogin=yes", "-o", "Subsystem=sftp internal-sftp"));
        var sshd = serve(lab, "Server listening", start);
        var options =
                "-F none -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
                        .formatted(key);
        var asks = words("ssh -p 7003 " + options + " root@" + SERVER);
        asks.add("echo $SSH_CLIENT");
        assertThat(run(lab, asks)).startsWith(CLIENT + " ");
        var file = file();
        var scp = folder.resolve("by-scp");
        run(lab, words("scp -P 7003 %s %s root@%s:%s".formatted(options, file, SERVER, scp)));
        assertThat(scp).hasSameBinaryContentAs(file);
        var copy = folder.resolve("by-rsync");
        var rsync = new ArrayList<>(List.of("rsync", "-z", "-e", "ssh -p 7003 " + options));
        rsync.addAll(List.of("root@" + SERVER + ":" + file, copy.toString()));
        run(lab, rsync);
        assertThat(copy).hasSameBinaryContentAs(file);
        server.end(sshd);
    }

    @Test
    @Tag("turn1")
    void a_web_server_in_python_and_requests(Lab lab) throws Exception {
        Command.require(PYTHON, "/usr/lib/python3/dist-packages/requests/__init__.py");
        var file = file();
        var start = words(PYTHON + " -u -m http.server 7004 --directory " + file.getParent());
        var web = serve(lab, "Serving HTTP", start);
        var program =
                """
                import requests
                with requests.Session() as session:
                    for i in range(3):
                        got = session.get('http://SERVER:7004/file').content
                print(got == open('FILE', 'rb').read())
                """
                        .replace("SERVER", SERVER)
                        .replace("FILE", file.toString());
        assertThat(run(lab, List.of(PYTHON, "-c", program))).isEqualTo("True");
        web.any(line -> line.startsWith(CLIENT) && line.contains("GET /file"), Town.LONG);
        server.end(web);
    }

    @Test
    @Tag("turn2")
    void programs_of_java(Lab lab) throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classes = Talk.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        var program = words(java + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp " + classes);
        program.add(Talk.class.getName());
        var serve = new ArrayList<>(program);
        serve.addAll(List.of("serve", "7005"));
        var echo = serve(lab, "ready", serve);
        program.addAll(List.of(SERVER, "7005"));
        assertThat(run(lab, program)).isEqualTo("right, the end");
        assertThat(echo.lines()).contains("from " + CLIENT);
        server.end(echo);
    }

    @Test
    @Tag("full")
    void a_static_client_in_go(Lab lab) throws Exception {
        Command.require("go", PYTHON);
        var program = folder.resolve("hello").toString();
        lab.machine(client.host())
                .run(
                        "env",
                        "CGO_ENABLED=0",
                        "GOTOOLCHAIN=local",
                        "GOCACHE=" + folder.resolve("go"),
                        "go",
                        "build",
                        "-o",
                        program,
                        source("hello.go"));
        var line =
                "import socket; l = socket.create_server(('', 7006)); print('ready', flush=True); s, a = l.accept(); s.sendall(s.recv(99).strip() + b' ' + a[0].encode() + b'\\n')";
        serve(lab, "ready", List.of(PYTHON, "-c", line));
        assertThat(run(lab, List.of(program, SERVER + ":7006")))
                .isEqualTo("hello %s 127.80.0.0:7006".formatted(CLIENT));
    }

    /// It gives up the rights of root, as it would not run with them.
    @Test
    @Tag("full")
    void pgbench_and_postgresql(Lab lab) throws Exception {
        Command.require("pgbench", "psql", "setpriv");
        var all = Path.of("/usr/lib/postgresql");
        assumeTrue(Files.isDirectory(all), "there is no PostgreSQL: './ibidem setup'");
        Path bin;
        try (var versions = Files.list(all)) {
            bin = versions.findFirst().orElseThrow().resolve("bin");
        }
        var data = Files.createTempDirectory("ibidem-pg"); // which that user may enter
        var host = lab.machine(server.host());
        try {
            host.run("chown", "nobody", data.toString());
            var less = "setpriv --reuid nobody --clear-groups " + bin;
            var init = words(less + "/initdb -A trust -U postgres --no-sync -D " + data + "/db");
            host.run(init.toArray(String[]::new));
            Files.writeString(
                    data.resolve("db/pg_hba.conf"),
                    "host all all 127.80.0.0/16 trust\n",
                    StandardOpenOption.APPEND); // whom it takes in, by rank
            var start = words(less + "/postgres -p 7007 -k " + data + " -D " + data + "/db -h *");
            var postgres = serve(lab, "ready to accept connections", start);
            var at = " -h " + SERVER + " -p 7007 -U postgres ";
            run(lab, words("pgbench" + at + "-i -q postgres"));
            assertThat(run(lab, words("pgbench" + at + "-c 4 -j 2 -t 20 postgres")))
                    .contains("actually processed: 80/80");
            var who = words("psql" + at + "postgres -Atc");
            who.add("select inet_client_addr()");
            assertThat(run(lab, who)).isEqualTo(CLIENT);
            server.end(postgres);
        } finally {
            host.run("rm", "-rf", data.toString());
        }
    }
}
