package org.ibidem.lab.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// An ensemble of ZooKeeper as it comes: its servers know each other, and their client knows them,
/// by addresses that rules make ranks.
///
/// @param folder for what its servers keep
/// @param ports three for each server: those for clients, then those for followers, then those for
///   elections
public record ZooEnsemble(Path folder, List<Integer> ports) {
    /// So many servers, whose ranks are the first ones. The client has the next.
    public static final int SERVERS = 3;

    /// What the server that leads says.
    public static final String LEADER = "Mode: leader";

    /// What the others say.
    public static final String FOLLOWER = "Mode: follower";

    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    /// Takes a copy.
    public ZooEnsemble {
        ports = List.copyOf(ports);
    }

    /// What a server's process runs, with its [#configuration].
    public static Class<?> program() throws ClassNotFoundException {
        return Class.forName(MAIN, false, ZooEnsemble.class.getClassLoader());
    }

    /// Where a client asks, on the server's machine too.
    public int port(int rank) {
        return ports.get(rank);
    }

    /// What a client is told.
    public String hosts() {
        return IntStream.range(0, SERVERS)
                .mapToObj(rank -> Programs.address(rank) + ":" + port(rank))
                .collect(Collectors.joining(","));
    }

    /// Writes the file by which a server starts, and a folder for what it keeps.
    public Path configuration(int rank) throws IOException {
        var data = Files.createDirectory(folder.resolve("data" + rank));
        Files.writeString(data.resolve("myid"), rank + 1 + "\n");
        var all = new StringBuilder();
        all.append("tickTime=1000\ninitLimit=30\nsyncLimit=10\nadmin.enableServer=false\n");
        all.append("4lw.commands.whitelist=srvr\nquorumListenOnAllIPs=true\n");
        all.append("dataDir=").append(data).append('\n');
        all.append("clientPort=").append(port(rank)).append('\n');
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
}
