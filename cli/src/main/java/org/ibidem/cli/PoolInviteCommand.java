package org.ibidem.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.ibidem.arbitration.Threads;
import org.ibidem.authority.Invitation;
import org.ibidem.trust.Standing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem pool invite`.
@Command(
        name = "invite",
        mixinStandardHelpOptions = true,
        description = "Prints a one-time code, with which one node gets its certificate.",
        footer = {
            "",
            "Stays until the code was used or counts no more: its time is over, or three",
            "wrong ones were tried. The hub learns nothing by which it could get in.",
            "",
            "Examples:",
            "  ibidem pool invite --folder demo-authority --hub hub.example.org:8888 worker1"
        })
final class PoolInviteCommand implements Callable<Integer> {
    private static final int LONGEST = 24 * 60;

    @Parameters(paramLabel = "NAME", description = "Of the node, for people.")
    private String name = "";

    @Option(
            names = "--folder",
            required = true,
            paramLabel = "DIR",
            description = "The authority's folder.")
    private Path folder = Path.of("");

    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The pool's (ibidem.hub, else localhost:8888).")
    private String hub = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "node",
            description = "node, hub or admin (${DEFAULT-VALUE}).")
    private String role = "node";

    @Option(
            names = "--site",
            paramLabel = "SITE",
            description = "Where it is; by default: nowhere.")
    private String site = "";

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "90",
            description = "How long the certificate counts (${DEFAULT-VALUE}).")
    private int days;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "10",
            description = "How long the code does (${DEFAULT-VALUE}).")
    private int minutes;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "Where the authority's passphrase stands.")
    private @Nullable Path passphrase;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        PoolCommand.requireDays(spec, days);
        if (minutes < 1 || minutes > LONGEST) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes is 1 to " + LONGEST + ", not " + minutes);
        }
        var place = PoolCommand.hub(spec, hub);
        var authority = PoolCommand.open(spec, folder, passphrase);
        var guest =
                new Invitation.Guest(
                        name,
                        new Standing(authority.pool(), PoolCommand.role(spec, role), site),
                        Duration.ofDays(days),
                        Duration.ofMinutes(minutes));
        var out = spec.commandLine().getOut();
        try (var tasks = new Threads("invite");
                var invitation = Invitation.offer(authority, place, guest, tasks)) {
            out.println("there: ibidem pool join --hub " + place + " " + invitation.code());
            out.println("the code counts once, for " + minutes + " minutes; waiting");
            out.flush();
            invitation.await();
            out.println(name + " is let in: " + guest.standing().uri());
            out.flush();
        }
        return 0;
    }
}
