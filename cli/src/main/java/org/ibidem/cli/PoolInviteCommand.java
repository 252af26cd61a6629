package org.ibidem.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.ibidem.arbitration.Threads;
import org.ibidem.authority.Delegate;
import org.ibidem.authority.Invitation;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.service.HubPlace;
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
        description = "Prints a one-time code, with which one node gets its certificate.",
        footer = {
            "",
            "Stays until the code was used, or its time is over. A delegate lets in nodes in",
            "the authority's place, by --identity; they count no longer than it does.",
            "",
            "Examples:",
            "  ibidem pool invite --folder demo-authority --hub hub.example.org:8888 worker1",
            "  ibidem pool invite --folder demo-authority --delegate front",
            "  ibidem pool invite --identity delegate.pem worker2"
        })
final class PoolInviteCommand implements Callable<Integer> {
    private static final int LONGEST = 24 * 60;

    @Parameters(paramLabel = "NAME", description = "Of the node, for people.")
    private String name = "";

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "The authority's folder; or else a delegate's files:")
    private @Nullable Path folder;

    @Option(
            names = "--identity",
            paramLabel = "FILE",
            description = "its key and certificate, as pool join wrote them,")
    private @Nullable Path identity;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "its certificate, if that is elsewhere,")
    private @Nullable Path certificate;

    @Option(
            names = "--authority",
            paramLabel = "FILE",
            defaultValue = PoolAuthority.CERTIFICATE,
            description = "and the authority's (${DEFAULT-VALUE}).")
    private Path authority = Path.of("");

    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The pool's (ibidem.hub, else localhost:8888).")
    private String hub = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "node",
            description = "node, hub, admin or delegate (${DEFAULT-VALUE}).")
    private String role = "node";

    @Option(names = "--delegate", description = "Who may invite in turn: --role delegate.")
    private boolean delegate;

    @Option(
            names = "--site",
            paramLabel = "SITE",
            description = "Where it is; by default: nowhere.")
    private String site = "";

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "How long the certificate counts (90; delegates 1).")
    private @Nullable Integer days;

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
            out.println("the code counts once, for " + minutes + " minutes; waiting");
            out.flush();
            invitation.await();
            out.println(name + " is let in: " + invitation.guest().standing().uri());
            out.flush();
        }
        return 0;
    }

    private Invitation offer(HubPlace place, Threads tasks) {
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
