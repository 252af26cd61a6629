package org.ibidem.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.config.Setting;
import org.ibidem.config.Settings;
import org.ibidem.peer.Deliberation;
import org.ibidem.registry.Member;
import org.ibidem.registry.Visitor;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.topology.Surroundings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem explain`: why things are as they are.
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Explains how one node reaches another, or the settings.",
        footer = {
            "",
            "With two nodes, A and B, the command visits their pool without becoming a",
            "member. A tries each connect method and each network driver to B, one after the",
            "other. Both nodes report their network. A also lists the ports, circuits and",
            "vlinks that it has to B now, and the path of each.",
            "",
            "Examples:",
            "  ibidem explain 0 1 --hub hub.example.org:8888",
            "  ibidem explain config"
        },
        subcommands = ExplainCommand.Config.class)
final class ExplainCommand implements Runnable {
    private static final Duration EACH = Duration.ofSeconds(6);

    @Parameters(
            arity = "0..2",
            paramLabel = "NODE",
            description = "Two members, each by rank or first digits of its id.")
    private List<String> nodes = List.of();

    @Mixin private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        if (nodes.size() != 2) {
            throw new ParameterException(
                    spec.commandLine(), "Name two nodes, or what else to explain.");
        }
        try (var node = pool.visit()) {
            var from = PoolOptions.member(node, nodes.getFirst());
            var to = PoolOptions.member(node, nodes.getLast());
            var out = spec.commandLine().getOut();
            tell(out, node, from);
            tell(out, node, to);
            out.println("how node " + from + " reaches node " + to + ":");
            out.flush(); // the rest takes its time
            for (var tried : Diagnosis.of(node).explain(from.id(), to.id(), EACH).tried()) {
                out.println();
                tell(out, tried);
                out.printf(Locale.ROOT, "%-8s %s%n", "", traits(node, tried.method()));
            }
            out.println();
            out.println("over what its messages get there (a stack 'auto' takes the first yes):");
            out.println();
            out.flush();
            tellDrivers(out, node, from, to);
            out.println();
            tellWays(out, node, from, to);
            out.flush();
        }
    }

    /// An older node cannot say it: that is no reason to fail.
    private static void tellDrivers(PrintWriter out, Visitor node, Member from, Member to) {
        try {
            var trials = Diagnosis.of(node).trials(from.id(), to.id(), EACH);
            trials.tried().forEach(tried -> tell(out, tried));
        } catch (IbidemException e) {
            out.println("node " + from + " cannot say it: " + e.getMessage());
        }
    }

    /// What is there now, of which nothing is tried.
    private static void tellWays(PrintWriter out, Visitor node, Member from, Member to) {
        out.println("what goes there now:");
        try {
            var now = Diagnosis.of(node).ways(from.id(), to.id(), EACH).tried();
            out.println(now.isEmpty() ? "nothing" : "");
            now.forEach(way -> out.printf(Locale.ROOT, "%-8s %s%n", way.method(), way.why()));
        } catch (IbidemException e) {
            out.println("node " + from + " cannot say it: " + e.getMessage());
        }
    }

    private static void tell(PrintWriter out, Deliberation.Tried tried) {
        out.printf(
                Locale.ROOT,
                "%-8s %-3s %8.1f ms  %s%n",
                tried.method(),
                tried.connected() ? "yes" : "no",
                tried.took().toNanos() / 1e6,
                tried.why());
    }

    /// What a node knows of itself: what is declared at its end goes before what it found.
    private static void tell(PrintWriter out, Visitor node, Member member) {
        out.println("node " + member + " says of itself:");
        node.surroundings(member.id())
                .map(Surroundings::inWords)
                .orElse(List.of("nothing: it did not answer the hub"))
                .forEach(line -> out.println("  " + line));
        out.println();
    }

    private static String traits(Visitor node, String method) {
        return Runtimes.of(node).methods().stream()
                .filter(each -> each.name().equals(method))
                .map(each -> each.traits().inWords())
                .findAny()
                .orElse("(not known here)");
    }

    /// `ibidem explain config`: each setting, its value, and where that comes from.
    @Command(
            name = "config",
            mixinStandardHelpOptions = true,
            description = "Lists all settings, their values and where each is set.",
            footer = {"Example:", "  ibidem explain config"})
    static final class Config implements Callable<Integer> {
        private static final String ANY = "*";

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before run()
        private CommandSpec spec;

        private int refused;

        @Override
        public Integer call() {
            var out = spec.commandLine().getOut();
            var settings = Settings.system();
            var checks = new SettingChecks(settings);
            order(out, settings);
            for (var setting : Setting.ALL) {
                if (!setting.name().endsWith(ANY)) {
                    show(checks, setting.name(), setting, settings.given(setting.name()));
                } else {
                    show(checks, setting.name(), setting, Optional.empty());
                    var prefix = setting.name().substring(0, setting.name().length() - 1);
                    for (var given : settings.under(prefix)) {
                        show(checks, given.name(), setting, Optional.of(given));
                    }
                }
            }
            var strangers = settings.strangers();
            strangers.forEach(text -> out.println("NOT KNOWN: " + text));
            out.flush();
            return refused == 0 && strangers.isEmpty() ? 0 : spec.exitCodeOnExecutionException();
        }

        private static void order(PrintWriter out, Settings settings) {
            out.println("A setting is looked for in this order; the first that has it counts:");
            out.println("  1  the system property, such as -Dibidem.wait=spin");
            out.println("  2  the environment variable, such as IBIDEM_WAIT=spin");
            out.println(
                    "  3  the configuration file: "
                            + settings.file()
                                    .map(Object::toString)
                                    .orElse(
                                            "none (-Dibidem.config=FILE, IBIDEM_CONFIG, or"
                                                    + " ~/.ibidem/config.properties)"));
            out.println(
                    "  4  what the program says, such as PortType.stack (ibidem.wait: before 1)");
            out.println("  5  the default");
            out.println(
                    "A stack set for the port types of a name (ibidem.stack.NAME) goes before one for"
                            + " all,");
            out.println("wherever the two are set.");
            out.println();
        }

        private void show(
                SettingChecks checks,
                String name,
                Setting setting,
                Optional<Settings.Given> given) {
            var out = spec.commandLine().getOut();
            var value =
                    given.map(Settings.Given::value)
                            .orElse(setting.byDefault().isEmpty() ? "-" : setting.byDefault());
            var from = given.map(Settings.Given::place).orElse("not set");
            out.printf(Locale.ROOT, "%-18s %-16s %s%n", name, value, from);
            out.printf(Locale.ROOT, "%-18s   %s%n", "", setting.meaning());
            var problem = given.flatMap(set -> checks.problem(setting.name(), set));
            problem.ifPresent(why -> out.printf(Locale.ROOT, "%-18s   REFUSED: %s%n", "", why));
            refused += problem.isPresent() ? 1 : 0;
        }
    }
}
