package org.ibidem.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.ibidem.arbitration.Threads;
import org.ibidem.authority.Delegate;
import org.ibidem.authority.Invitation;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.trust.Role;
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
        description = "Prints a one-time code, by which one node gets a certificate.",
        footer = {
            "",
            "The command runs until the code is used or expires. With --identity, a delegate",
            "invites for the authority; such certificates expire with the delegate's own.",
            "",
            "Examples:",
            "  ibidem pool invite --folder demo-authority --hub hub.example.org:8888 worker1",
            "  ibidem pool invite --folder demo-authority --delegate front",
            "  ibidem pool invite --identity delegate.pem worker2"
        })
final class PoolInviteCommand implements Callable<Integer> {
    private static final int LONGEST = 24 * 60;

    @Parameters(paramLabel = "NAME", description = "A name for the node, to tell it from others.")
    private String name = "";

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "The authority's folder; a delegate has --identity.")
    private @Nullable Path folder;

    @Option(
            names = "--identity",
            paramLabel = "FILE",
            description = "The delegate's key and certificate, of pool join.")
    private @Nullable Path identity;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "The delegate's certificate, if not in --identity.")
    private @Nullable Path certificate;

    @Option(
            names = "--authority",
            paramLabel = "FILE",
            defaultValue = PoolAuthority.CERTIFICATE,
            description = "The authority's certificate (${DEFAULT-VALUE}).")
    private Path authority = Path.of("");

    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The hub (default: ibidem.hub, or localhost:8888).")
    private String hub = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "node",
            description = "Role: node, hub, admin or delegate (default: ${DEFAULT-VALUE}).")
    private String role = "node";

    @Option(
            names = "--delegate",
            description = "Let the node invite others; same as --role delegate.")
    private boolean delegate;

    @Option(
            names = "--site",
            paramLabel = "SITE",
            description = "The site where the node is (default: none).")
    private String site = "";

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "Days the certificate is valid (90; delegates: 1).")
    private @Nullable Integer days;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "10",
            description = "Minutes the code is valid (default: ${DEFAULT-VALUE}).")
    private int minutes;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "The file with the authority's passphrase, if any.")
    private @Nullable Path passphrase;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (minutes < 1 || minutes > LONGEST) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes is 1 to " + LONGEST + ", not " + minutes);
        }
        if ((folder == null) == (identity == null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Give the authority's --folder, or a delegate's --identity.");
        }
        var place = PoolCommand.hub(spec, hub);
        var out = spec.commandLine().getOut();
        try (var tasks = new Threads("invite");
                var invitation = offer(place, tasks)) {
            out.println("there: ibidem pool join --hub " + place + " " + invitation.code());
            out.println("the code is valid once, for " + minutes + " minutes; waiting");
            out.flush();
            invitation.await();
            out.println(name + " was admitted: " + invitation.guest().standing().uri());
            out.flush();
        }
        return 0;
    }

    private Invitation offer(String place, Threads tasks) {
        var own = identity;
        if (own != null) {
            var who = Delegate.open(own, certificate == null ? own : certificate, authority);
            var where = site.isEmpty() ? who.standing().site() : site;
            return Invitation.offer(who, place, guest(who.standing().pool(), where), tasks);
        }
        var by = PoolCommand.open(spec, Objects.requireNonNull(folder, "checked"), passphrase);
        return Invitation.offer(by, place, guest(by.pool(), site), tasks);
    }

    private Invitation.Guest guest(String pool, String where) {
        var as = delegate ? Role.DELEGATE : PoolCommand.role(spec, role);
        return new Invitation.Guest(
                name,
                new Standing(pool, as, where),
                Duration.ofDays(PoolCommand.days(spec, days, as)),
                Duration.ofMinutes(minutes));
    }
}
