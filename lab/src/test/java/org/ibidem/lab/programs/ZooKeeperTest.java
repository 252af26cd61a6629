package org.ibidem.lab.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ibidem.lab.net.Waiting;
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
    private static final int SERVERS = 3;
    private static final String SERVER = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
    private static final String LEADER = "Mode: leader";
    private static final String FOLLOWER = "Mode: follower";

    @TempDir private Path folder;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Process> servers = new ArrayList<>();

    @Test
    void an_ensemble_elects_serves_and_outlives_its_leader() throws Exception {
        try (var programs = new Programs(SERVERS + 1)) {
            for (int i = 0; i < 3 * SERVERS; i++) {
                ports.add(Programs.freePort());
            }
            for (int rank = 0; rank < SERVERS; rank++) {
                var main = Class.forName(SERVER, false, ZooKeeperTest.class.getClassLoader());
                var server = programs.start(rank, "shm", main, configuration(rank) + "");
                servers.add(server);
                drain(server);
            }
            var client = programs.start(SERVERS, "shm", ZooClient.class, hosts());
            Waiting.until(
                    "one leads, two follow", () -> count(LEADER) == 1 && count(FOLLOWER) == 2);
            var says = client.inputReader();
            await(says, "written");
            int leader = leader();
            servers.get(leader).destroyForcibly().waitFor();
            Waiting.until("another leads", () -> count(LEADER) == 1 && count(FOLLOWER) == 1);
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

    private String hosts() {
        return IntStream.range(0, SERVERS)
                .mapToObj(rank -> Programs.address(rank) + ":" + ports.get(rank))
                .collect(Collectors.joining(","));
    }

    private Path configuration(int rank) throws IOException {
        var data = Files.createDirectory(folder.resolve("data" + rank));
        Files.writeString(data.resolve("myid"), rank + 1 + "\n");
        var all = new StringBuilder();
        all.append("tickTime=1000\ninitLimit=30\nsyncLimit=10\nadmin.enableServer=false\n");
        all.append("4lw.commands.whitelist=srvr\nquorumListenOnAllIPs=true\n");
        all.append("dataDir=").append(data).append('\n');
        all.append("clientPort=").append(ports.get(rank)).append('\n');
        for (int i = 0; i < SERVERS; i++) {
            all.append(
                    "server.%d=%s:%d:%d%n"
                            .formatted(
                                    i + 1,
                                    Programs.address(i),
                                    ports.get(SERVERS + i),
                                    ports.get(2 * SERVERS + i)));
        }
        return Files.writeString(folder.resolve("zoo" + rank + ".cfg"), all);
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
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), ports.get(rank))) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "" + e; // it does not listen yet, or no more
        }
    }
}
