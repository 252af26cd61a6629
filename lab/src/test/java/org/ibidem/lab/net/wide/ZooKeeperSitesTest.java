package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;
import static org.ibidem.lab.programs.ZooEnsemble.FOLLOWER;
import static org.ibidem.lab.programs.ZooEnsemble.LEADER;
import static org.ibidem.lab.programs.ZooEnsemble.SERVERS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.programs.Programs;
import org.ibidem.lab.programs.ZooClient;
import org.ibidem.lab.programs.ZooEnsemble;
import org.ibidem.personality.sockets.Main;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An ensemble of ZooKeeper as it comes, each server at a site of its own: two behind firewalls,
/// one behind a symmetric NAT. Its client is behind another NAT.
@Laboratory(Town.Sites.class)
@Tag("full")
@Timeout(300)
class ZooKeeperSitesTest {
    private static final int HUB = 8899;
    private static final String STACK = "compress > tls > tcp";
    private static final List<String> HOSTS = List.of("office1", "hotel1", "garden1", "home1");
    private static final int FIRST_PORT = 7200;

    @TempDir private Path folder;
    private ZooEnsemble ensemble;

    /// By their ranks.
    private final Map<Integer, Running> servers = new HashMap<>();

    @Test
    void an_ensemble_of_three_sites_elects_serves_and_outlives_its_leader(Lab lab)
            throws Exception {
        Command.require();
        Command.hub(lab, HUB);
        var ports = IntStream.range(FIRST_PORT, FIRST_PORT + 3 * SERVERS).boxed().toList();
        ensemble = new ZooEnsemble(folder, ports);
        for (int rank = 0; rank < SERVERS; rank++) {
            var file = ensemble.configuration(rank).toString();
            servers.put(rank, start(lab, rank, ZooEnsemble.program(), file));
        }
        var client = start(lab, SERVERS, ZooClient.class, ensemble.hosts());
        client.said("written", Town.LONG);
        withinAMinute("two follow", () -> ranks(lab, FOLLOWER).size() == 2);
        var leaders = ranks(lab, LEADER);
        assertThat(leaders).hasSize(1);
        Objects.requireNonNull(servers.remove(leaders.getFirst())).kill();
        withinAMinute("another leads", () -> ranks(lab, LEADER).size() == 1);
        client.say("go on");
        client.said("outlived", Town.LONG);
        assertThat(client.code(Town.LONG)).as("%s", client.lines()).isZero();
    }

    private static Running start(Lab lab, int rank, Class<?> program, String argument) {
        var host = HOSTS.get(rank);
        var hub = lab.machine("hub1").address() + ":" + HUB;
        var options = new ArrayList<>(Programs.options(hub, "zoo", rank, HOSTS.size(), STACK));
        options.addAll(List.of("-Dibidem.open=true", "-Dibidem.location=" + host + "@" + host));
        return lab.machine(host).java(options, Main.class, program.getName(), argument);
    }

    /// Those that say this of themselves, to who asks them on their machines by sockets of bash.
    private List<Integer> ranks(Lab lab, String mode) {
        return servers.keySet().stream().filter(rank -> says(lab, rank).contains(mode)).toList();
    }

    private List<String> says(Lab lab, int rank) {
        var ask =
                "(exec 3<>/dev/tcp/127.0.0.1/%d && printf srvr >&3 && cat <&3) 2>&1; exit 0"
                        .formatted(ensemble.port(rank));
        return lab.machine(HOSTS.get(rank)).run("bash", "-c", ask);
    }
}
