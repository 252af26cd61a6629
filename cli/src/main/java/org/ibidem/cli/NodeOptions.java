package org.ibidem.cli;

import java.util.List;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import picocli.CommandLine.Option;

/// As which node a command joins which pool: what is not said here is as the settings have it.
final class NodeOptions {
    private static final int ANY = -1;

    @Group("Node")
    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The hub (default: ibidem.hub, or localhost:8888).")
    private List<String> hubs = List.of();

    @Group("Node")
    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "The pool (default: ibidem.pool, or 'default').")
    private String pool = "";

    @Group("Node")
    @Option(
            names = "--rank",
            paramLabel = "N",
            defaultValue = "" + ANY,
            description = "The rank to take (default: ibidem.rank, or any).")
    private int rank;

    @Group("Node")
    @Option(names = "--open", description = "Let nodes on other machines connect (default: no).")
    private boolean open;

    /// Joins.
    Node join() {
        set("ibidem.hub", String.join(",", hubs));
        set("ibidem.pool", pool);
        set("ibidem.rank", rank < 0 ? "" : String.valueOf(rank));
        set("ibidem.open", open ? "true" : "");
        return Node.join(Join.fromEnvironment());
    }

    private static void set(String name, String value) {
        if (!value.isEmpty()) {
            System.setProperty(name, value);
        }
    }
}
