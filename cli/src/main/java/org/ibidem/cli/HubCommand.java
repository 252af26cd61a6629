package org.ibidem.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.arbitration.Clock;
import org.ibidem.cli.run.Listening;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.ConnectionUse;
import org.ibidem.hub.Hub;
import org.ibidem.hub.RelayUse;
import org.ibidem.service.Identity;
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
        description = "Runs a hub: what the nodes of a pool find each other through.",
        footer = {
            "",
            "Prints one line with the addresses it listens on, then serves until Ctrl-C or",
            "SIGTERM. Its nodes live on without it, and return to it when it is started",
            "again on the same port. With --state it is the same hub then; without, it asks",
            "its nodes what they remember.",
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
            description = "To listen on; 0: any free one (${DEFAULT-VALUE}).")
    private int port;

    @Group("Listening")
    @Option(
            names = "--observer-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = {
                "At which nodes ask as whom they are seen; 0: any.",
                "A firewall before the hub should let in both ports."
            })
    private int observerPort;

    @Group("Listening")
    @Option(
            names = "--open",
            description = {
                "Let in other machines: on all interfaces.",
                "Without --authority whoever reaches the port may join; it warns of that.",
                "Without --open only processes on this machine can."
            })
    private boolean open;

    @Group("Members")
    @Option(
            names = "--suspicion",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long one without contact is alive (${DEFAULT-VALUE}).")
    private long suspicion;

    @Group("Members")
    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = {
                "Keep who is in which pool in this folder.",
                "And what its members agreed on. It is made if its parent is there. Only one hub at",
                "a time may use it."
            })
    private @Nullable Path state;

    @Group("Trust")
    @Option(
            names = "--authority",
            paramLabel = "FILE",
            description = {
                "Take only whom this certificate vouches for.",
                "In the pools that it, and --identity, are for; give one for each pool."
            })
    private List<Path> authorities = List.of();

    @Group("Trust")
    @Option(
            names = "--identity",
            paramLabel = "FILE",
            description = {
                "The hub's key, and its certificate in such a pool.",
                "As ibidem pool issue --role hub writes it."
            })
    private @Nullable Path identity;

    @Group("Trust")
    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "Its certificate, where that is another file.")
    private List<Path> certificates = List.of();

    @Group("Trust")
    @Option(
            names = "--revoked",
            paramLabel = "FILE",
            description = {
                "Certificates that count no more; read on change.",
                "As ibidem pool revoke writes it; give one for each authority."
            })
    private List<Path> revoked = List.of();

    @Group("Limits")
    @Option(
            names = "--relay-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = {
                "Bytes a second relayed of one node; 0: what goes.",
                "All that its connection carries counts, what it says to the hub included."
            })
    private long relayRate;

    @Group("Limits")
    @Option(
            names = "--relay-pool-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "The same of all nodes of a pool together.")
    private long relayPoolRate;

    @Group("Limits")
    @Option(
            names = "--relay-idle",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "End a stream that is idle for so long; 0: never.")
    private long relayIdle;

    @Group("Limits")
    @Option(
            names = "--pool-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description = "At most so many of one pool (${DEFAULT-VALUE}).")
    private int poolConnections;

    @Group("Limits")
    @Option(
            names = "--node-connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Of one node, in all its pools (${DEFAULT-VALUE}).")
    private int nodeConnections;

    @Group("Limits")
    @Option(
            names = "--address-connections",
            paramLabel = "N",
            defaultValue = "0",
            description = {
                "Of one address, not joined yet; 0: as there is room.",
                "That room it shares with others when they come."
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
                                    poolConnections, nodeConnections, addressConnections));
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
        var options =
                limited(
                        Hub.Options.DEFAULT
                                .port(port)
                                .open(open)
                                .bounds(Bounds.DEFAULT.suspicion(Duration.ofSeconds(suspicion)))
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
                    spec.commandLine(), "--certificate needs --authority, whose it is");
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
                    spec.commandLine(), "--revoked needs --authority, whose list it is");
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
        if (open && authorities.isEmpty()) {
            var err = spec.commandLine().getErr();
            err.println(
                    "ibidem hub: WARNING: --open without --authority: whoever reaches port "
                            + at
                            + ", any user on any machine, may join its pools; ibidem pool create"
                            + " makes an authority");
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
