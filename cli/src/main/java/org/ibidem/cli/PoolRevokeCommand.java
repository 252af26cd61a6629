package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.authority.PoolAuthority;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem pool revoke`.
@Command(
        name = "revoke",
        mixinStandardHelpOptions = true,
        description = "Revokes certificates: makes the next list of revoked ones.",
        footer = {
            "",
            "Give the list to each hub: 'ibidem hub --revoked FILE'. The hub reads the file",
            "again when it changes, and tells all nodes. Without names it renews the list.",
            "When a list expires and no newer one exists, no node is admitted.",
            "",
            "Examples:",
            "  ibidem pool revoke --folder demo-authority worker1",
            "  ibidem pool revoke --folder demo-authority --out /etc/ibidem/revoked.pem"
        })
final class PoolRevokeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..*",
            description = "Names of issued certificates, or their files.")
    private List<String> who = List.of();

    @Option(
            names = "--folder",
            required = true,
            paramLabel = "DIR",
            description = "The authority's folder.")
    private Path folder = Path.of("");

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "30",
            description = "Days until the next list is issued (default: ${DEFAULT-VALUE}).")
    private int days;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = {
                "Also write the list to FILE.",
                "The list is always written to revoked.pem in the authority's folder."
            })
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
        PoolCommand.requireDays(spec, days);
        var authority = PoolCommand.open(spec, folder, passphrase);
        var numbers = who.stream().flatMap(each -> authority.numbers(each).stream()).toList();
        var list = authority.revoke(numbers, Duration.ofDays(days));
        var file = folder.resolve(PoolAuthority.REVOKED);
        if (out != null) {
            try {
                PoolAuthority.replace(out, list);
            } catch (IOException e) {
                throw new IbidemException(out + " cannot be written: " + e, e);
            }
        }
        var print = spec.commandLine().getOut();
        print.println("wrote " + (out == null ? file : out) + ": " + list);
        print.println("a hub takes it with --revoked, and again whenever the file changes");
        print.flush();
        return 0;
    }
}
