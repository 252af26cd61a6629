package org.ibidem.lab.net.keeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ibidem.lab.net.plan.Addresses;
import org.ibidem.lab.net.plan.Network;

/// Builds the machines of a [Blueprint].
///
/// Each machine is a sleeping process with namespaces of its own, which it keeps alive: it dies
/// with the keeper, and they with it. What others do in a machine they do by entering its
/// namespaces.
final class Builder {
    /// What only this laboratory sees: a file system in memory.
    private static final Path RUN = Path.of("/run");

    private static final Path MACHINES = RUN.resolve("machines");

    private final Blueprint blueprint;
    private final Network network;
    private final Map<String, Long> pids = new LinkedHashMap<>();

    Builder(Network network) {
        this.network = network;
        this.blueprint = new Blueprint(network);
    }

    /// The machines' processes, by name.
    Map<String, Long> pids() {
        return pids;
    }

    /// Builds all of it.
    ///
    /// @param devices the emulator's, in the order of the sites
    void build(String[] devices) throws IOException {
        prepare();
        for (var space : blueprint.spaces()) {
            settle(space.name());
        }
        Shell.run(cables(devices), List.of("ip", "-batch", "-"));
        inParallel(blueprint.hosts());
        inParallel(blueprint.gateways());
    }

    /// Files of the machine that are other ones in here: names of hosts, and no name server.
    private void prepare() throws IOException {
        var names = new StringBuilder("127.0.0.1 localhost\n::1 localhost\n");
        var addresses = new Addresses(network);
        for (var space : blueprint.spaces()) {
            for (var address : addresses.of(space.name())) {
                // A private address is a different host at every site: no name can stand for it.
                if (!address.startsWith(Addresses.PRIVATE)) {
                    names.append(address).append(' ').append(space.name()).append('\n');
                }
            }
        }
        Shell.run("", List.of("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", RUN.toString()));
        Files.createDirectories(MACHINES);
        replace("/etc/hosts", names.toString());
        replace("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
    }

    private static void replace(String file, String text) throws IOException {
        var own = RUN.resolve(Path.of(file).getFileName().toString());
        Files.writeString(own, text);
        if (Files.exists(Path.of(file))) {
            Shell.run(
                    "",
                    List.of(
                            "mount",
                            "--bind",
                            own.toString(),
                            Path.of(file).toRealPath().toString()));
        }
    }

    /// Starts the process that is a machine. JVMs keep files there by the number of their process,
    /// which outside of the laboratory is another's: they would warn.
    private void settle(String name) throws IOException {
        var id = Files.writeString(MACHINES.resolve(name), UUID.randomUUID() + "\n");
        var process =
                new ProcessBuilder(
                                "unshare",
                                "-m",
                                "-u",
                                "-n",
                                "sh",
                                "-ec",
                                """
                                mount -t tmpfs -o mode=1777 tmpfs /dev/shm
                                mount --bind "$1" /proc/sys/kernel/random/boot_id
                                hostname "$2"
                                own=/tmp/hsperfdata_$(id -un)
                                mkdir -p "$own" && mount -t tmpfs -o mode=755 tmpfs "$own"
                                echo settled
                                exec sleep infinity >/dev/null 2>&1
                                """,
                                "sh",
                                id.toString(),
                                name)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectErrorStream(true)
                        .start();
        var said = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (!"settled".equals(said)) {
            throw new IOException("the machine " + name + " cannot be made: " + said);
        }
        pids.put(name, process.pid());
    }

    private String cables(String[] devices) {
        var lines = new StringBuilder();
        // Of two ends with the same number in their networks the kernel takes its time to notice
        // that they are up.
        int number = 1000;
        for (var cable : blueprint.cables()) {
            lines.append("link add ")
                    .append(cable.oneDevice())
                    .append(" index ")
                    .append(number++)
                    .append(" netns ")
                    .append(pids.get(cable.one()))
                    .append(" type veth peer name ")
                    .append(cable.otherDevice())
                    .append(" netns ")
                    .append(pids.get(cable.other()))
                    .append('\n');
        }
        for (int i = 0; i < devices.length; i++) {
            lines.append("link set ")
                    .append(devices[i])
                    .append(" netns ")
                    .append(pids.get(blueprint.outermost().get(i)))
                    .append(" name ")
                    .append(Blueprint.WAN)
                    .append('\n');
        }
        return lines.toString();
    }

    private void inParallel(List<Space> spaces) throws IOException {
        try (var executor = Executors.newFixedThreadPool(4)) {
            var running = new ArrayList<Future<?>>();
            for (var space : spaces) {
                running.add(
                        executor.submit(() -> {
                            furnish(space);
                            return null;
                        }));
            }
            for (var each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void furnish(Space space) throws IOException {
        var script = new StringBuilder("set -e\n");
        if (!space.rules().isEmpty()) {
            script.append("nft -f - <<'END'\n").append(space.rules()).append("END\n");
        }
        for (var setting : space.kernel()) {
            var parts = setting.split("=", 2);
            var file = "/proc/sys/net/" + parts[0];
            script.append("[ ! -e " + file + " ] || echo " + parts[1] + " >" + file + "\n");
        }
        for (var device : space.awaited()) {
            script.append("ip link set " + device + " up\n")
                    .append("looks=0\n")
                    .append("until ip -o link show " + device + " | grep -q 'state UP'; do\n")
                    .append("looks=$((looks + 1)); [ $looks -lt 5000 ]\ndone\n");
        }
        script.append("ip -batch - <<'END'\n");
        space.ip().forEach(line -> script.append(line).append('\n'));
        script.append("END\n");
        try {
            Shell.run(script.toString(), inside(space.name(), "sh"));
        } catch (IOException e) {
            throw new IOException(space.name() + " cannot be furnished: " + e.getMessage(), e);
        }
    }

    /// The command that runs another in a machine.
    List<String> inside(String name, String... command) {
        var all = new ArrayList<>(List.of("nsenter", "-t", String.valueOf(pids.get(name))));
        all.addAll(List.of("-m", "-u", "-n", "--"));
        all.addAll(List.of(command));
        return all;
    }
}
