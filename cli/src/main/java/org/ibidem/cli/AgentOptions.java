package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.personality.sockets.BadRule;
import org.ibidem.registry.Node;
import org.ibidem.wrap.Agent;
import org.ibidem.wrap.Launcher;
import picocli.CommandLine.Option;

/// How an agent carries the connections of wrapped programs.
final class AgentOptions {
    @Group("Connections")
    @Option(
            names = "--rules",
            paramLabel = "RULES",
            defaultValue = "",
            description = {
                "Which other addresses and names are nodes, or @FILE.",
                "Such as '10.1.0.0/16 -> rank 2; ...': docs/guide/sockets.md has the forms."
            })
    private String rules = "";

    @Group("Connections")
    @Option(
            names = "--over",
            paramLabel = "STACK",
            description = "Between nodes (ibidem.stack, else auto).")
    private String stack = "";

    /// Starts it.
    Agent start(Node node, Path socket) {
        try {
            return Agent.start(node, rules, stack(), socket);
        } catch (BadRule e) {
            throw new IbidemException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new IbidemException("the agent cannot listen at " + socket + ": " + e, e);
        }
    }

    /// Writes what its programs see as /etc/hosts.
    void writeHosts(Node node, Path file) throws IOException {
        Launcher.writeHosts(file, node.pool(), node.size(), rules);
    }

    private String stack() {
        return stack.isEmpty() ? Settings.system().value("ibidem.stack", "auto") : stack;
    }
}
