package org.ibidem.lab.net.wide;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.Lab;

/// A hub, an agent on each of two machines of a laboratory, and the ends that they make.
///
/// @param folder where the agents are found
record Agents(Lab lab, Path folder, List<String> hosts) {
    /// The network interface that has the address of a rank.
    static final String DEVICE = "ranks";

    /// Starts them, and waits until they are there; what goes by them is compressed and encrypted,
    /// where the options do not say over which stack.
    static Agents start(Lab lab, Path folder, int port, List<String> hosts, String... options) {
        Command.require();
        Command.hub(lab, port);
        var agents = new Agents(lab, folder, hosts);
        var running =
                hosts.stream()
                        .map(host -> {
                            var all = new ArrayList<>(List.of("agent", "--pool", "parallel"));
                            all.addAll(
                                    List.of("--hub", lab.machine("hub1").address() + ":" + port));
                            all.addAll(List.of("--open", "--rank", hosts.indexOf(host) + ""));
                            if (!List.of(options).contains("--over")) {
                                all.addAll(List.of("--over", "compress > tls > tcp"));
                            }
                            all.addAll(List.of(options));
                            all.add(agents.socket(host));
                            return Command.start(lab, host, all.toArray(String[]::new));
                        })
                        .toList();
        running.forEach(each -> each.any(line -> line.startsWith("agent of rank "), Town.LONG));
        return agents;
    }

    private String socket(String host) {
        return folder.resolve(host).resolve("agent").toString();
    }

    /// How programs of a host are wrapped.
    List<String> wrap(String host, String... more) {
        var all = new ArrayList<>(List.of("--agent", socket(host)));
        all.addAll(List.of(more));
        return all;
    }

    /// A rank at whose end programs are wrapped.
    End end(int rank, String... more) {
        var host = hosts.get(rank);
        return new End(host, rank + ".parallel.ibidem", address(rank), DEVICE, wrap(host, more));
    }

    private static String address(int rank) {
        return "127.80.0." + rank;
    }

    /// Both kinds of MPI look for an interface that has the address they shall be known under.
    void haveAddresses() {
        for (int rank = 0; rank < hosts.size(); rank++) {
            var script =
                    "ip link add ranks type veth peer name ranks2 && ip link set ranks2 up && ip address add %s/32 dev ranks && ip link set ranks up && mount -t sysfs sysfs /sys"
                            .formatted(address(rank));
            lab.machine(hosts.get(rank)).run("sh", "-c", script);
        }
    }

    /// Takes them away.
    void haveNone() {
        for (var host : hosts) {
            lab.machine(host).run("sh", "-c", "umount /sys; ip link del ranks");
        }
    }
}
