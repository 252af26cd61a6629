package org.ibidem.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.ibidem.cli.run.Listening;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.ConnectionUse;
import org.ibidem.hub.Hub;
import org.ibidem.hub.RelayUse;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `ibidem hub`: a hub in a process of its own, until it is ended.
@Command(
        name = "hub",
        mixinStandardHelpOptions = true,
        description = "Runs a hub: what the nodes of a pool find each other through.",
        footer = {
            "",
            "Prints one line with the addresses it listens on, then serves until Ctrl-C or",
            "SIGTERM. Its nodes live on without it, and return to it when it is started",
            "again on the same port. With --state it is the same hub then; without, it asks",
            "its nodes what they remember.",
            "",
            "Examples:",
            "  ibidem hub",
            "  ibidem hub --open --port 9000 --state /var/lib/ibidem"
        })
final class HubCommand implements Callable<Integer> {
    private static final int HIGHEST_PORT = 0xFFFF;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + Hub.DEFAULT_PORT,
            description = "The port to listen on; 0: any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--observer-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description =
                    "The second port, at which nodes ask as whom they are seen; 0: any free one. A"
                            + " firewall before the hub should let in both.")
    private int observerPort;

    @Option(
            names = "--open",
            description =
                    "Listen on all interfaces: whoever reaches the port may join. Without it only"
                            + " processes on this machine can.")
    private boolean open;

    @Option(
            names = "--suspicion",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "How long a node without contact counts as alive (default: ${DEFAULT-VALUE}).")
    private long suspicion;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Keep who is in which pool, and what its members agreed on, in this folder; made"
                            + " if its parent is there. Only one hub at a time may use it.")
    private @Nullable Path state;

    @Option(
            names = "--relay-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description =
                    "Take at most so many bytes a second from one node over the connection that"
                            + " carries its streams, what it says to the hub included; 0: as many"
                            + " as go.")
    private long relayRate;

    @Option(
            names = "--relay-pool-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "The same for all nodes of a pool together.")
    private long relayPoolRate;

    @Option(
            names = "--relay-idle",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "End a stream that carries nothing for so long; 0: never.")
    private long relayIdle;

    @Option(
            names = "--pool-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description =
                    "Take at most so many connections for one pool (default: ${DEFAULT-VALUE}).")
    private int poolConnections;

    @Option(
            names = "--node-connections",
            paramLabel = "N",
            defaultValue = "64",
            description =
                    "The same for one node, in all its pools together (default: ${DEFAULT-VALUE}).")
    private int nodeConnections;

    @Option(
            names = "--address-connections",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "The same for one address, of those that have not joined a pool yet; 0: as many"
                            + " as there is room for, which it shares with others when they come.")
    private int addressConnections;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    /// What was given, checked by what it is for.
    private Hub.Options limited(Hub.Options options) {
        try {
            return options.relaying(
                            new RelayUse(relayRate, relayPoolRate, Duration.ofSeconds(relayIdle)))
                    .connecting(
                            new ConnectionUse(
                                    poolConnections, nodeConnections, addressConnections));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /// What kind of hub was asked for.
    ///
    /// @throws ParameterException when there is none such
    Hub.Options options() {
        if (observerPort < 0 || observerPort > HIGHEST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), "--observer-port is 0 to 65535, not " + observerPort);
        }
        if (port < 0 || port > HIGHEST_PORT || suspicion < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port is 0 to 65535 and --suspicion 1 or more, not "
                            + port
                            + " and "
                            + suspicion);
        }
        var options =
                limited(
                        Hub.Options.DEFAULT
                                .port(port)
                                .open(open)
                                .bounds(Bounds.DEFAULT.suspicion(Duration.ofSeconds(suspicion)))
                                .observer(observerPort));
        return state == null ? options : options.state(state);
    }

    @Override
    public Integer call() throws InterruptedException {
        var hub = Hub.start(options());
        Runtime.getRuntime().addShutdownHook(new Thread(hub::close, "end of the hub"));
        var out = spec.commandLine().getOut();
        out.println("hub listens on " + Listening.at(hub));
        if (!hub.state().isEmpty()) {
            out.println(hub.state());
        }
        out.flush();
        hub.awaitEnd(); // a signal ends the process, a broken disk the hub
        return 0;
    }
}
