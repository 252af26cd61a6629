package org.ibidem.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.accept.HubPlace;
import org.ibidem.authority.Delegate;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.registry.Join;
import org.ibidem.trust.Pem;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem pool`: who may be in a pool.
@Command(
        name = "pool",
        mixinStandardHelpOptions = true,
        description = "Decides which nodes a pool admits, by certificates.",
        footer = {
            "",
            "A pool with an authority admits only nodes that the authority has certified. It",
            "encrypts data that leave a machine, except within a site. The authority is a",
            "folder on the administrator's machine; no hub needs it.",
            "",
            "Examples:",
            "  ibidem help pool create",
            "  ibidem help pool invite",
            "  ibidem help pool revoke"
        },
        subcommands = {
            PoolCommand.Create.class,
            PoolCommand.Issue.class,
            PoolInviteCommand.class,
            PoolJoinCommand.class,
            PoolRevokeCommand.class
        })
final class PoolCommand implements Runnable {
    private static final int USUAL_DAYS = 90;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Say what to do: create, issue, invite, join, revoke.");
    }

    /// What a passphrase is read from: never the command line, which others of the machine see.
    static char[] passphrase(@Nullable Path file) {
        if (file == null) {
            return new char[0];
        }
        try {
            return Files.readString(file).strip().toCharArray();
        } catch (IOException e) {
            throw new IbidemException("the passphrase in " + file + " cannot be read: " + e, e);
        }
    }

    /// `ibidem pool create`.
    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Makes the authority of a pool, in a folder only you can read.",
            footer = {
                "",
                "Keep the folder on the administrator's machine: anyone who has it can admit",
                "nodes. The file authority.pem in it is no secret; each node and hub of the pool",
                "needs a copy.",
                "",
                "Examples:",
                "  ibidem pool create demo",
                "  ibidem pool create demo --folder ~/demo --passphrase-file secret.txt"
            })
    static final class Create implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "The pool's name.")
        private String name = "";

        @Option(
                names = "--folder",
                paramLabel = "DIR",
                description = "The folder to make (default: NAME-authority here).")
        private @Nullable Path folder;

        @Option(
                names = "--passphrase-file",
                paramLabel = "FILE",
                description = "Encrypt its key with the passphrase in this file.")
        private @Nullable Path passphrase;

        @Option(
                names = "--days",
                paramLabel = "N",
                defaultValue = "3650",
                description = "Days the authority is valid (default: ${DEFAULT-VALUE}).")
        private int days;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private CommandSpec spec;

        @Override
        public Integer call() {
            requireDays(spec, days);
            var where = folder == null ? Path.of(name + "-authority") : folder;
            PoolAuthority.create(where, name, passphrase(passphrase), Duration.ofDays(days));
            var out = spec.commandLine().getOut();
            out.println("the authority of pool '" + name + "' is in " + where);
            out.println("all its nodes and hubs need " + where.resolve(PoolAuthority.CERTIFICATE));
            out.println("now: ibidem pool issue --folder " + where + " --role hub hub");
            out.flush();
            return 0;
        }
    }

    static void requireDays(CommandSpec spec, int days) {
        if (days < 1 || days > 36500) {
            throw new ParameterException(spec.commandLine(), "--days is 1 to 36500, not " + days);
        }
    }

    /// How long a certificate counts: as said, or else long for members and short for delegates.
    static int days(CommandSpec spec, @Nullable Integer said, Role role) {
        int usual = role == Role.DELEGATE ? (int) Delegate.LASTS.toDays() : USUAL_DAYS;
        int days = said == null ? usual : said;
        requireDays(spec, days);
        return days;
    }

    /// What `--role` says.
    static Role role(CommandSpec spec, String text) {
        for (var each : Role.values()) {
            if (each.toString().equals(text.toLowerCase(Locale.ROOT))) {
                return each;
            }
        }
        throw new ParameterException(
                spec.commandLine(), "--role is node, hub, admin or delegate, not " + text);
    }

    /// The hub that `--hub` names, or else the environment.
    static String hub(CommandSpec spec, String text) {
        try {
            var hub = text.isEmpty() ? Join.fromEnvironment().hubs().getFirst() : text;
            return HubPlace.parse(hub).toString();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /// The authority in a folder.
    static PoolAuthority open(CommandSpec spec, Path folder, @Nullable Path passphrase) {
        if (passphrase == null && PoolAuthority.needsPassphrase(folder)) {
            throw new ParameterException(
                    spec.commandLine(), "the authority's key is encrypted: give --passphrase-file");
        }
        return PoolAuthority.open(folder, passphrase(passphrase));
    }

    /// `ibidem pool issue`.
    @Command(
            name = "issue",
            mixinStandardHelpOptions = true,
            description = "Issues a key and a certificate with which a node can join.",
            footer = {
                "",
                "The command writes NAME.pem with both, a secret of the node. With --key it",
                "writes only a certificate, and the key stays where it is.",
                "",
                "Examples:",
                "  ibidem pool issue --folder demo-authority --role hub hub",
                "  ibidem pool issue --folder demo-authority --site lyon worker1"
            })
    static final class Issue implements Callable<Integer> {
        @Parameters(
                paramLabel = "NAME",
                description = "A name for the node, to tell it from others.")
        private String name = "";

        @Option(
                names = "--folder",
                required = true,
                paramLabel = "DIR",
                description = "The authority's folder.")
        private Path folder = Path.of("");

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                defaultValue = "node",
                description = "Role: node, hub, admin or delegate (default: ${DEFAULT-VALUE}).")
        private String role = "node";

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
                names = "--key",
                paramLabel = "FILE",
                description = "Certify the PUBLIC KEY in this file; make no key.")
        private @Nullable Path key;

        @Option(
                names = "--out",
                paramLabel = "FILE",
                description = "The file to write (default: NAME.pem).")
        private @Nullable Path out;

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
            var as = role(spec, role);
            int count = days(spec, days, as);
            var authority = open(spec, folder, passphrase);
            var standing = new Standing(authority.pool(), as, site);
            var lasts = Duration.ofDays(count);
            var text =
                    key == null
                            ? authority.issue(name, standing, lasts)
                            : authority.certify(name, standing, publicKey(key), lasts);
            var file = out == null ? Path.of(name + ".pem") : out;
            write(file, text);
            spec.commandLine()
                    .getOut()
                    .println("wrote " + file + " for " + count + " days: " + standing.uri());
            tell(file, standing);
            return 0;
        }

        private static void write(Path file, String text) {
            try {
                PoolAuthority.write(file, text);
            } catch (FileAlreadyExistsException e) {
                throw new IbidemException(
                        file + " is there already: remove it, or give another --out", e);
            } catch (IOException e) {
                throw new IbidemException(file + " cannot be written: " + e, e);
            }
        }

        private static byte[] publicKey(Path file) {
            try {
                var found =
                        Pem.sections("PUBLIC KEY", Files.readString(file, StandardCharsets.UTF_8));
                if (found.isEmpty()) {
                    throw new IbidemException(file + " has no section 'PUBLIC KEY'");
                }
                return found.getFirst();
            } catch (IOException | IllegalArgumentException e) {
                throw new IbidemException("the key in " + file + " cannot be read: " + e, e);
            }
        }

        private void tell(Path file, Standing standing) {
            var authority = folder.resolve(PoolAuthority.CERTIFICATE);
            var print = spec.commandLine().getOut();
            var files = (key == null ? file : key + " --certificate " + file) + " --authority ";
            List<String> how =
                    switch (standing.role()) {
                        case HUB ->
                                List.of("start with: ibidem hub --identity " + files + authority);
                        case DELEGATE ->
                                List.of(
                                        "invite with: ibidem pool invite --identity "
                                                + (files + authority + " NAME"));
                        case NODE, ADMIN ->
                                List.of(
                                        "join with: IBIDEM_POOL=" + standing.pool(),
                                        "           IBIDEM_AUTHORITY=" + authority,
                                        (key == null
                                                        ? "           IBIDEM_IDENTITY="
                                                        : "           IBIDEM_CERTIFICATE=")
                                                + file);
                    };
            how.forEach(print::println);
            print.flush();
        }
    }
}
