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
        description = "Says whose certificates count no more: makes the next list.",
        footer = {
            "",
            "Give it to a hub, ibidem hub --revoked FILE: it is read again when it changes,",
            "and told to all nodes. Without WHO it only lasts longer: when the last one is",
            "over, nobody is let in any more.",
            "",
            "Examples:",
            "  ibidem pool revoke --folder demo-authority worker1",
            "  ibidem pool revoke --folder demo-authority --out /etc/ibidem/revoked.pem"
        })
final class PoolRevokeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "WHO",
            arity = "0..*",
            description = "Names as issued, or files with certificates.")
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
            description = "Until when there is another one (${DEFAULT-VALUE}).")
    private int days;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Put it there, too; it is DIR/revoked.pem.")
    private @Nullable Path out;

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
