package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Programs from the distribution, wrapped at both ends: docs/programs.md has their list.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class WrapProgramsTest {
    @TempDir private static Path folder;
    private static Sides sides;

    @BeforeAll
    static void join() throws Exception {
        sides = new Sides(folder);
    }

    @AfterAll
    static void leave() throws IOException {
        sides.close();
    }

    @AfterEach
    void end() {
        sides.end();
    }

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
        var key = folder.resolve("key").toString();
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
        var file = folder.resolve("file");
        var bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        Files.write(file, bytes);
        var to = folder.resolve("copy");
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
}
