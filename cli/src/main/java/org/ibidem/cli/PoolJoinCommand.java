package org.ibidem.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.ibidem.authority.Joining;
import org.ibidem.authority.OneTimeCode;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.identity.Identity;
import org.ibidem.trust.Pem;
import org.ibidem.trust.Role;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem pool join`.
@Command(
        name = "join",
        mixinStandardHelpOptions = true,
        description = "Gets this node a certificate, by a code of 'ibidem pool invite'.",
        footer = {
            "",
            "The command makes a key, which never leaves this machine, has it certified, and",
            "writes both files. Without CODE it asks for the code, so that other users of",
            "this machine cannot see it.",
            "",
            "Examples:",
            "  ibidem pool join --hub hub.example.org:8888 4711-k7x-m2q",
            "  ibidem pool join --identity ~/demo.pem --authority ~/demo-authority.pem"
        })
final class PoolJoinCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Parameters(
            paramLabel = "CODE",
            arity = "0..1",
            description = "The one-time code you were given.")
    private String code = "";

    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The hub (default: ibidem.hub, or localhost:8888).")
    private String hub = "";

    @Option(
            names = "--identity",
            paramLabel = "FILE",
            defaultValue = "node.pem",
            description = "The node's key; made if missing (default: ${DEFAULT-VALUE}).")
    private Path identity = Path.of("");

    @Option(
            names = "--authority",
            paramLabel = "FILE",
            defaultValue = PoolAuthority.CERTIFICATE,
            description = "File of the authority's certificate (${DEFAULT-VALUE}).")
    private Path authority = Path.of("");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        var place = PoolCommand.hub(spec, hub);
        requireRoom();
        var said = code();
        var who = Identity.stored(identity);
        try (var tasks = new Threads("join")) {
            var got = Joining.by(said, place, who, tasks, LIMIT);
            got.write(identity, authority);
            tell(got);
        } catch (IOException e) {
            throw new IbidemException("what was issued cannot be written: " + e, e);
        }
        return 0;
    }

    private void requireRoom() {
        try {
            if (Files.exists(authority)) {
                throw new IbidemException(
                        authority + " is there already: remove it, or give another --authority");
            }
            if (Files.exists(identity)
                    && !Pem.sections("CERTIFICATE", Files.readString(identity)).isEmpty()) {
                throw new IbidemException(
                        identity + " has a certificate already: give another --identity");
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new IbidemException(identity + " cannot be read: " + e, e);
        }
    }

    private OneTimeCode code() {
        try {
            return OneTimeCode.parse(code.isEmpty() ? asked() : code);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private String asked() {
        var out = spec.commandLine().getOut();
        out.print("code: ");
        out.flush();
        try {
            var in = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
            var line = in.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new IbidemException("no code can be read: " + e, e);
        }
    }

    private void tell(Joining got) {
        var out = spec.commandLine().getOut();
        out.println("let in as " + got.name() + ", until " + got.own().until());
        if (got.standing().role() == Role.DELEGATE) {
            out.println("lets nodes into pool '" + got.pool() + "': " + got.standing().uri());
            out.println(
                    "invite with: ibidem pool invite --identity "
                            + identity
                            + " --authority "
                            + authority
                            + " NAME");
            out.flush();
            return;
        }
        out.println("join with: IBIDEM_POOL=" + got.pool());
        out.println("           IBIDEM_AUTHORITY=" + authority);
        out.println("           IBIDEM_IDENTITY=" + identity);
        out.flush();
    }
}
