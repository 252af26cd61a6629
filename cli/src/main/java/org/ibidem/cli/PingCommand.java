package org.ibidem.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.config.NotationException;
import org.ibidem.config.Settings;
import org.ibidem.port.Way;
import org.ibidem.registry.Member;
import org.ibidem.registry.Visitor;
import org.ibidem.selector.Alternatives;
import org.ibidem.selector.Selector;
import org.ibidem.service.Deliberation;
import org.ibidem.service.Purpose;
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
        description = "Says over what data gets from here to a node, and its round trip.",
        footer = {
            "",
            "The first line is the path of data: the stack, the connect method that made",
            "its connection, and with whom. Then so many round trips of the control",
            "connection, which may be made by another method.",
            "",
            "Example:",
            "  ibidem ping 1 --hub hub.example.org:8888"
        })
final class PingCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Parameters(paramLabel = "NODE", description = "Its rank, or the first digits of its id.")
    private String name = "";

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many round trips (${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--stack",
            paramLabel = "STACK",
            description = "Over what (as set by ibidem.stack, else auto).")
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
                var took = node.station().ping(member.id(), LIMIT);
                out.printf(
                        Locale.ROOT,
                        "answers in %.3f ms (control, %s)%n",
                        took.toNanos() / 1e6,
                        node.station()
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
        var station = node.station();
        var notation =
                stack != null ? stack : Settings.system().value("ibidem.stack", Selector.AUTO);
        var found =
                new Alternatives(
                                new Selector(
                                        station.catalog(), station.domains(), station.secrecy()),
                                station.tasks(),
                                station::line)
                        .first(
                                notation,
                                station.contact(member.id(), LIMIT),
                                LIMIT,
                                (each, left) -> station.course(member.id(), each, left));
        var others = List.copyOf(station.trying(member.id()));
        var made = found.stack().toString();
        var decisions = Way.decisions(made, found.decided(), station.line(member.id()));
        return new Way(made, found.what(), others, found.passedOver(), decisions);
    }
}
