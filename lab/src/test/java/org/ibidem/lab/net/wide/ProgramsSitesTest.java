package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
}
