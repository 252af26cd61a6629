package org.ibidem.lab.family;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Machines with IP addresses of one family alone: namespaces with networks of their own, which
/// have a loopback interface and another one.
enum OneFamily {
    /// As where the kernel's switch is off: no interface has an address of IPv6, and the JDK takes
    /// the kernel to have none.
    IPV4(
            """
            for each in /proc/sys/net/ipv6/conf/*/disable_ipv6; do
                [ ! -e "$each" ] || echo 1 >"$each"
            done
            ip link set lo up
            ip link add one type bridge
            ip address add 192.0.2.7/24 dev one
            ip link set one up
            exec "$0" "$@"
            """),

    /// The JDK's sockets can have IPv4 addresses, but there is none, not even 127.0.0.1.
    IPV6(
            """
            ip link set lo up
            ip address del 127.0.0.1/8 dev lo
            ip link add one type bridge
            ip address add 2001:db8::7/64 dev one nodad
            ip link set one up
            exec "$0" "$@"
            """);

    private final String script;

    OneFamily(String script) {
        this.script = script;
    }

    /// The command that runs another on such a machine. The test is skipped where there can be
    /// none.
    List<String> command(List<String> program) {
        var reasons = new ArrayList<String>();
        for (var unshare :
                List.of(List.of("unshare", "-n"), List.of("unshare", "-U", "-r", "-n"))) {
            var why = complaint(within(unshare, List.of("true")));
            if (why.isEmpty()) {
                return within(unshare, program);
            }
            reasons.add(why);
        }
        assumeTrue(false, "this machine allows no network with " + this + " alone: " + reasons);
        throw new AssertionError();
    }

    private List<String> within(List<String> unshare, List<String> program) {
        var command = new ArrayList<>(unshare);
        command.addAll(List.of("--", "sh", "-ec", script));
        command.addAll(program);
        return command;
    }

    /// What went wrong; empty: nothing.
    private static String complaint(List<String> command) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var in = process.getInputStream()) {
                var said = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
                return process.waitFor() == 0 ? "" : command.getFirst() + ": " + said;
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
