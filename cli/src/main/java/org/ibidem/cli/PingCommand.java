package org.ibidem.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.config.NotationException;
import org.ibidem.config.Settings;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Purpose;
import org.ibidem.port.Way;
import org.ibidem.registry.Member;
import org.ibidem.registry.Visitor;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.selector.Selector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem ping`: the path of data to a node, and how long it takes to answer.
@Command(
        name = "ping",
        mixinStandardHelpOptions = true,
        description = "Shows the path of data to a node, and times round trips.",
        footer = {
            "",
            "The first line shows the path of data: the stack, the connect method and the",
            "peer's address. The next lines show round trips over the control connection,",
            "which another connect method may have made.",
            "",
            "Example:",
            "  ibidem ping 1 --hub hub.example.org:8888"
        })
final class PingCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Parameters(
            paramLabel = "NODE",
            description = "The node's rank, or the first digits of its id.")
    private String name = "";

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of round trips (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--stack",
            paramLabel = "STACK",
            description = "Stack for data (default: ibidem.stack, or auto).")
    private @Nullable String stack;

    @Mixin private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (var node = pool.visit()) {
            var member = PoolOptions.member(node, name);
            var out = spec.commandLine().getOut();
            tellWay(out, node, member);
            for (int i = 0; i < count; i++) {
                var took = Diagnosis.of(node).ping(member.id(), LIMIT);
                out.printf(
                        Locale.ROOT,
                        "answers in %.3f ms (control, %s)%n",
                        took.toNanos() / 1e6,
                        Diagnosis.of(node)
                                .deliberation(member.id(), Purpose.SERVICE)
                                .map(Deliberation::method)
                                .orElse("direct"));
                out.flush();
            }
            return 0;
        }
    }

    /// That there is none is worth knowing, and no reason not to ask whether the node is there.
    private void tellWay(PrintWriter out, Visitor node, Member member) {
        try {
            var way = way(node, member);
            out.println("data to " + member + " goes over " + way);
        } catch (NotationException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        } catch (IbidemException e) {
            out.println("data to " + member + " does not get there: " + e.getMessage());
        }
        out.flush();
    }

    private Way way(Visitor node, Member member) {
        var diagnosis = Diagnosis.of(node);
        var notation =
                stack != null ? stack : Settings.system().value("ibidem.stack", Selector.AUTO);
        var found = diagnosis.course(member.id(), notation, LIMIT);
        var others = List.copyOf(diagnosis.trying(member.id()));
        var made = found.stack().toString();
        var decisions = Way.decisions(made, found.decided(), diagnosis.line(member.id()));
        return new Way(made, found.what(), others, found.passedOver(), decisions);
    }
}
