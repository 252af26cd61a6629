package org.ibidem.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.arbitration.Clock;
import org.ibidem.cli.run.Listening;
import org.ibidem.config.Settings;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.ConnectionUse;
import org.ibidem.hub.Hub;
import org.ibidem.hub.RelayUse;
import org.ibidem.identity.Identity;
import org.ibidem.trust.Trust;
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
        description = "Runs a hub, through which the nodes of a pool find each other.",
        footer = {
            "",
            "The hub prints the addresses it listens on, then serves until Ctrl-C or",
            "SIGTERM. Its nodes continue without it, and reconnect when it is started again",
            "on the same port. With --state it then resumes from its last state; without",
            "--state, it asks its nodes what they remember.",
            "",
            "Examples:",
            "  ibidem hub --open --port 9000 --state /var/lib/ibidem"
        })
final class HubCommand implements Callable<Integer> {
    private static final int HIGHEST_PORT = 0xFFFF;

    @Group("Listening")
    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + Hub.DEFAULT_PORT,
            description = "Port to listen on; 0: any free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Group("Listening")
    @Option(
            names = "--observer-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = {
                "Port that tells nodes their address (default: any).",
                "A node asks there from which address the hub sees it, to learn the kind of its",
                "NAT. A firewall in front of the hub should admit both ports."
            })
    private int observerPort;

    @Group("Listening")
    @Option(
            names = "--open",
            description = {
                "Listen on all interfaces (default: this machine).",
                "Without --open, only processes on this machine can connect.",
                "With --open but without --authority, every process that reaches the port can",
                "join; the hub prints a warning."
            })
    private boolean open;

    @Group("Members")
    @Option(
            names = "--suspicion",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Silence until a node counts as dead (default: ${DEFAULT-VALUE}).")
    private long suspicion;

    @Group("Members")
    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = {
                "Keep the hub's state here (default: in memory only).",
                "The state is the members of each pool, and what they agreed on. The folder is",
                "made if its parent exists. Only one hub at a time can use it."
            })
    private @Nullable Path state;

    @Group("Trust")
    @Option(
            names = "--authority",
            paramLabel = "FILE",
            description = {
                "Admit only nodes that this authority has certified.",
                "Give the certificate of the pool's authority; repeat the option for each pool.",
                "The hub needs a certificate of each of these pools: --identity, --certificate.",
                "It refuses all other pools, unless --other-pools is given."
            })
    private List<Path> authorities = List.of();

    @Group("Trust")
    @Option(
            names = "--other-pools",
            description = {
                "Also take pools that have no --authority.",
                "Every process that reaches the port can join these pools, in clear text.",
                "They take no room from the pools with an authority."
            })
    private boolean otherPools;

    @Group("Trust")
    @Option(
            names = "--identity",
            paramLabel = "FILE",
            description = {
                "The hub's key and its certificate.",
                "The command 'ibidem pool issue --role hub' writes this file."
            })
    private @Nullable Path identity;

    @Group("Trust")
    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "The hub's certificate, if not in --identity.")
    private List<Path> certificates = List.of();

    @Group("Trust")
    @Option(
            names = "--revoked",
            paramLabel = "FILE",
            description = {
                "List of revoked certificates, read when it changes.",
                "The command 'ibidem pool revoke' writes this file; repeat the option for each",
                "authority."
            })
    private List<Path> revoked = List.of();

    @Group("Limits")
    @Option(
            names = "--relay-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = {
                "Bytes/s relayed for one node (default: 0, no limit).",
                "All bytes that the node sends on its connection count, including its messages",
                "to the hub."
            })
    private long relayRate;

    @Group("Limits")
    @Option(
            names = "--relay-pool-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "Bytes/s relayed for one pool (default: 0, no limit).")
    private long relayPoolRate;

    @Group("Limits")
    @Option(
            names = "--relay-idle",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Idle time that ends a stream (default: 0, never).")
    private long relayIdle;

    @Group("Limits")
    @Option(
            names = "--pool-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Most connections of one pool (default: ${DEFAULT-VALUE}).")
    private int poolConnections;

    @Group("Limits")
    @Option(
            names = "--node-connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Most connections of one node (default: ${DEFAULT-VALUE}).")
    private int nodeConnections;

    @Group("Limits")
    @Option(
            names = "--address-connections",
            paramLabel = "N",
            defaultValue = "0",
            description = {
                "Most unjoined of an address (default: 0, no limit).",
                "The limit is for connections that have not joined a pool yet. Without it, one",
                "address can use all the room there is. When others need room, the hub closes the",
                "oldest connections of the address that has the most."
            })
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
                                    poolConnections,
                                    nodeConnections,
                                    addressConnections,
                                    otherPools));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private void requirePort(String option, int value) {
        if (value < 0 || value > HIGHEST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), option + " is 0 to 65535, not " + value);
        }
    }

    /// What kind of hub was asked for.
    ///
    /// @throws ParameterException when there is none such
    Hub.Options options() {
        requirePort("--observer-port", observerPort);
        requirePort("--port", port);
        if (suspicion < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--suspicion is 1 or more, not " + suspicion);
        }
        if (otherPools && authorities.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--other-pools needs --authority: without one a hub takes every pool");
        }
        var options =
                limited(
                        Hub.Options.DEFAULT
                                .port(port)
                                .open(open)
                                .bounds(
                                        Bounds.of(Settings.system())
                                                .suspicion(Duration.ofSeconds(suspicion)))
                                .observer(observerPort));
        var kept = state == null ? options : options.state(state);
        var who = identity();
        return who == null ? kept : kept.identity(who);
    }

    /// Who it is, and whom it trusts.
    private @Nullable Identity identity() {
        if (identity == null) {
            if (!authorities.isEmpty() || !certificates.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "--authority needs --identity, the hub's own key");
            }
            return null;
        }
        if (authorities.isEmpty() && !certificates.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--certificate needs --authority, its issuer");
        }
        var own = Identity.stored(identity);
        return authorities.isEmpty()
                ? own
                : own.trusting(
                        Trust.read(
                                authorities,
                                certificates.isEmpty() ? List.of(identity) : certificates,
                                Clock.TIME_OF_DAY));
    }

    /// A hub of that kind, listening.
    private Hub started() {
        var options = options();
        if (!revoked.isEmpty() && authorities.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--revoked needs --authority, which signed the list");
        }
        var hub = Hub.start(options);
        try {
            revoked.forEach(hub::revoked);
            return hub;
        } catch (RuntimeException e) {
            hub.close();
            throw e;
        }
    }

    /// As a job of `ibidem run --open` does.
    private void warn(int at) {
        if (open && (authorities.isEmpty() || otherPools)) {
            var err = spec.commandLine().getErr();
            err.println(
                    otherPools
                            ? "ibidem hub: WARNING: --open with --other-pools: any user on any machine"
                                    + " that reaches port "
                                    + at
                                    + " may join pools that have no authority; ibidem pool create"
                                    + " makes one"
                            : "ibidem hub: WARNING: --open without --authority: any user on any"
                                    + " machine that reaches port "
                                    + at
                                    + " may join its pools; ibidem pool create makes an authority");
            err.flush();
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        var hub = started();
        Runtime.getRuntime().addShutdownHook(new Thread(hub::close, "end of the hub"));
        warn(hub.port());
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
