package org.ibidem.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ibidem.service.Deliberation;
import org.ibidem.service.Purpose;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem ping`: the path to a node, and how long it is.
@Command(
        name = "ping",
        mixinStandardHelpOptions = true,
        description = "Says how a node is reached from here, and its round trip.")
final class PingCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Parameters(paramLabel = "NODE", description = "Its rank, or the first digits of its id.")
    private String name = "";

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many times (default: ${DEFAULT-VALUE}).")
    private int count;

    @Mixin private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (var node = pool.visit()) {
            var member = PoolOptions.member(node, name);
            var out = spec.commandLine().getOut();
            for (int i = 0; i < count; i++) {
                var took = node.station().ping(member.id(), LIMIT);
                var way =
                        node.station()
                                .deliberation(member.id(), Purpose.SERVICE)
                                .map(Deliberation::method)
                                .orElse("direct");
                out.printf(Locale.ROOT, "%s %s %.3f ms%n", member, way, took.toNanos() / 1e6);
                out.flush();
            }
            return 0;
        }
    }
}
