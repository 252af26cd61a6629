package org.ibidem.lab.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Proxy;

/// How a laboratory is kept apart from the rest of the machine.
public enum Isolation {
    /// Namespaces made by root: exact delays.
    ROOT,

    /// Namespaces within a user namespace, in which any user is root. The emulator may not run
    /// before all others then, so delays are less exact on a busy machine.
    USER;

    /// What everything here needs, and the package it comes in.
    private static final List<String> TOOLS =
            List.of(
                    "unshare util-linux",
                    "nsenter util-linux",
                    "setpriv util-linux",
                    "mount mount",
                    "ip iproute2",
                    "nft nftables");

    private static final String SMALLEST_LABORATORY =
            """
            mount -t tmpfs tmpfs /run
            ip link add bridge1 type bridge
            ip tuntap add tun1 mode tun
            nft add table inet works
            """;

    /// The best one that this machine allows.
    ///
    /// @throws LabRefused when it allows none, with what was tried and what the machine said
    public static Isolation best() {
        require(TOOLS);
        var reasons = new ArrayList<String>();
        for (var each : isRoot() ? List.of(ROOT, USER) : List.of(USER)) {
            var complaint = each.complaint();
            if (complaint.isEmpty()) {
                return each;
            }
            reasons.add("as " + each + ": " + complaint);
        }
        throw new LabRefused(
                "this machine allows no namespaces with networks of their own ("
                        + String.join("; ", reasons)
                        + ")");
    }

    /// The best one for this network, whose sites may need more programs.
    ///
    /// @throws LabRefused when this machine allows none, or cannot have such sites
    static Isolation best(Network network) {
        var tools = new ArrayList<>(TOOLS);
        network.sites().stream()
                .flatMap(site -> site.proxies().stream())
                .forEach(proxy -> {
                    if (proxy.protocol() == Proxy.Protocol.SOCKS) {
                        tools.add("danted dante-server");
                    }
                    if (proxy.login() != null) {
                        tools.add("perl perl-base");
                    }
                });
        require(tools);
        return best();
    }

    /// Checks that programs are there, and names all that are not.
    ///
    /// @param tools each with the package it comes in
    /// @throws LabRefused when one is not
    static void require(List<String> tools) {
        var missing =
                tools.stream().distinct().filter(tool -> !has(tool.split(" ", -1)[0])).toList();
        if (!missing.isEmpty()) {
            throw new LabRefused(
                    (missing.size() == 1 ? "a program is" : "programs are")
                            + " missing: "
                            + words(missing, 0)
                            + "; install "
                            + words(missing, 1)
                            + ", or run ./ibidem setup");
        }
    }

    private static String words(List<String> tools, int which) {
        return tools.stream()
                .map(tool -> tool.split(" ", -1)[which])
                .distinct()
                .collect(Collectors.joining(which == 0 ? ", " : " "));
    }

    /// Is there such a program?
    public static boolean has(String tool) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }

    /// The command that runs another so.
    List<String> command() {
        var command = new ArrayList<>(List.of("unshare"));
        command.addAll(this == USER ? List.of("-U", "-r") : List.of());
        command.addAll(List.of("-m", "-n", "-p", "-f", "--kill-child", "--mount-proc", "--"));
        if (this == ROOT) {
            command.addAll(List.of("nice", "-n", "-10"));
        }
        return command;
    }

    /// The beginning of a command that enters a laboratory.
    ///
    /// @param keeper its first process, as seen from outside
    List<String> entry(long keeper) {
        var command = new ArrayList<>(List.of("nsenter", "-t", String.valueOf(keeper)));
        if (this == USER) {
            command.addAll(List.of("-U", "--preserve-credentials"));
        }
        command.addAll(List.of("-m", "-p", "--"));
        return command;
    }

    /// Why it is not to be had here; empty when it is.
    private String complaint() {
        var command = new ArrayList<>(command());
        command.addAll(List.of("sh", "-ec", SMALLEST_LABORATORY));
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : said.strip().replace('\n', ' ');
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
