package org.ibidem.lab.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;
import static org.ibidem.lab.programs.ZooEnsemble.FOLLOWER;
import static org.ibidem.lab.programs.ZooEnsemble.LEADER;
import static org.ibidem.lab.programs.ZooEnsemble.SERVERS;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// An ensemble of ZooKeeper as it comes: its servers know each other, and their client knows them,
/// by addresses that rules make ranks; over shared memory.
@Tag("turn1")
@Timeout(300)
@Isolated("starts processes and kills one")
class ZooKeeperTest {
    @TempDir private Path folder;
    private ZooEnsemble ensemble;
    private final List<Process> servers = new ArrayList<>();

    @Test
    void an_ensemble_elects_serves_and_outlives_its_leader() throws Exception {
        try (var programs = new Programs(SERVERS + 1)) {
            var ports = new ArrayList<Integer>();
            for (int i = 0; i < 3 * SERVERS; i++) {
                ports.add(Programs.freePort());
            }
            ensemble = new ZooEnsemble(folder, ports);
            for (int rank = 0; rank < SERVERS; rank++) {
                var file = ensemble.configuration(rank).toString();
                var server = programs.start(rank, "shm", ZooEnsemble.program(), file);
                servers.add(server);
                drain(server);
            }
            var client = programs.start(SERVERS, "shm", ZooClient.class, ensemble.hosts());
            withinAMinute(
                    "one leads, two follow", () -> count(LEADER) == 1 && count(FOLLOWER) == 2);
            var says = client.inputReader();
            await(says, "written");
            int leader = leader();
            servers.get(leader).destroyForcibly().waitFor();
            withinAMinute("another leads", () -> count(LEADER) == 1 && count(FOLLOWER) == 1);
            assertThat(leader()).isNotEqualTo(leader);
            try (var tells = client.outputWriter()) {
                tells.write("go on\n");
            }
            await(says, "outlived");
            assertThat(client.waitFor()).isZero();
        }
    }

    private static void await(BufferedReader says, String wanted) throws IOException {
        var seen = new ArrayList<String>();
        for (var line = says.readLine(); line != null; line = says.readLine()) {
            seen.add(line);
            if (line.equals(wanted)) {
                return;
            }
        }
        throw new AssertionError("'" + wanted + "' was not said, but: " + seen);
    }

    private static void drain(Process server) {
        var _ =
                CompletableFuture.runAsync(
                        () -> server.inputReader().lines().forEach(_ -> {}),
                        Thread::startVirtualThread);
    }

    private long count(String mode) {
        return IntStream.range(0, SERVERS).filter(rank -> says(rank).contains(mode)).count();
    }

    private int leader() {
        return IntStream.range(0, SERVERS)
                .filter(rank -> says(rank).contains(LEADER))
                .findFirst()
                .orElseThrow();
    }

    /// What a server says of itself to who asks it by the JDK's sockets.
    private String says(int rank) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), ensemble.port(rank))) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "" + e; // it does not listen yet, or no more
        }
    }
}
