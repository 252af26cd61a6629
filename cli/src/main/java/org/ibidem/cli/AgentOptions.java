package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.personality.sockets.BadRule;
import org.ibidem.registry.Node;
import org.ibidem.wrap.Agent;
import org.ibidem.wrap.Launcher;
import picocli.CommandLine.Option;

/// How an agent carries the connections of wrapped programs.
final class AgentOptions {
    private static final String UDP = "/udp";
    private static final int LAST_PORT = 65_535;

    @Group("Connections")
    @Option(
            names = "--rules",
            paramLabel = "RULES",
            defaultValue = "",
            description = {
                "Which addresses and names lead to nodes, or @FILE.",
                "For example '10.1.0.0/16 -> rank 2'; a semicolon separates rules.",
                "docs/guide/sockets.md lists all forms. Default: no rules."
            })
    private String rules = "";

    @Group("Connections")
    @Option(
            names = "--over",
            paramLabel = "STACK",
            description = "Stack to peers (default: ibidem.stack, or auto).")
    private String stack = "";

    @Group("Connections")
    @Option(
            names = "--serve",
            paramLabel = "PORTS",
            split = ",",
            description = "Ports of unwrapped programs to offer: 5432,514/udp.")
    private List<String> served = List.of();

    /// Starts it.
    Agent start(Node node, Path socket) {
        for (var each : served) {
            port(each); // before anything is there that would have to be closed
        }
        try {
            var agent = Agent.start(node, rules, stack(), socket);
            for (var each : served) {
                if (each.endsWith(UDP)) {
                    agent.serveDatagrams(port(each));
                } else {
                    agent.serve(port(each));
                }
            }
            return agent;
        } catch (BadRule e) {
            throw new IbidemException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new IbidemException("the agent cannot listen at " + socket + ": " + e, e);
        }
    }

    private static int port(String served) {
        var digits =
                served.endsWith(UDP) ? served.substring(0, served.length() - UDP.length()) : served;
        int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > LAST_PORT) {
            throw new IbidemException(
                    "--serve takes ports from 1 to 65535, also with '/udp', such as 5432,514/udp; not '%s'"
                            .formatted(served));
        }
        return port;
    }

    /// Writes what its programs see as /etc/hosts.
    void writeHosts(Node node, Path file) throws IOException {
        Launcher.writeHosts(file, node.pool(), node.size(), rules);
    }

    private String stack() {
        return stack.isEmpty() ? Settings.system().value("ibidem.stack", "auto") : stack;
    }
}
