package org.ibidem.lab.net.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.LabFailed;
import org.ibidem.lab.net.LabRefused;
import org.ibidem.lab.net.plan.Site;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `./ibidem lab`: builds a network laboratory, runs programs in it, changes it, ends it.
@Command(
        name = "ibidem lab",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT, // each command has --help
        description = "Sites behind firewalls, NATs and proxies, built on this machine alone.",
        subcommands = {
            LabCommand.Up.class,
            LabCommand.Exec.class,
            LabCommand.Set.class,
            LabCommand.Show.class,
            LabCommand.Down.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class LabCommand {
    private static final PrintStream OUT = System.out;

    private LabCommand() {}

    /// Runs one command and ends the process with its exit code: 0 done, 1 failed, 2 misused, 3
    /// when this machine cannot have a laboratory.
    public static void main(String[] args) {
        var line = new CommandLine(new LabCommand());
        Objects.requireNonNull(line.getSubcommands().get("exec")).setStopAtPositional(true);
        line.setExecutionExceptionHandler((failure, command, _) -> explain(failure));
        System.exit(line.execute(args));
    }

    private static int explain(Exception failure) throws Exception {
        if (failure instanceof LabRefused
                || failure instanceof LabFailed
                || failure instanceof IllegalArgumentException) {
            System.err.println("ibidem lab: " + failure.getMessage());
            return failure instanceof LabRefused ? 3 : 1;
        }
        throw failure;
    }

    /// Which laboratory is meant, where several are up.
    static final class Which {
        @Option(
                names = {"--lab", "--name"},
                paramLabel = "NAME",
                description = "the laboratory, if several are up")
        private @Nullable String name;

        Lab find() {
            if (name != null) {
                return Lab.find(name);
            }
            var names = Lab.names();
            if (names.size() != 1) {
                throw new LabFailed(
                        names.isEmpty()
                                ? "no laboratory is up: build one with ./ibidem lab up FILE"
                                : "several are up: say which with --lab: " + names);
            }
            return Lab.find(names.getFirst());
        }
    }

    /// Builds one.
    @Command(
            name = "up",
            description = {
                "Builds the network that a Java class describes, and leaves it up.",
                "FILE holds a class of the same name that implements org.ibidem.lab.net.plan.Plan."
            })
    static final class Up implements Callable<Integer> {
        @Parameters(paramLabel = "FILE")
        private Path file = Path.of("");

        @Option(
                names = {"--name", "--lab"},
                paramLabel = "NAME",
                description = "what it is called; by default as the class, in small letters")
        private @Nullable String name;

        @Override
        public Integer call() throws IOException {
            var plan = new PlanFile(file);
            var called = name != null ? name : plan.className().toLowerCase(Locale.ROOT);
            var lab = Lab.stay(plan.network(), called);
            OUT.println("laboratory '" + called + "' is up (first process " + lab.pid() + ")");
            if (!lab.exact()) {
                OUT.println("its delays are exact only while the machine is not busy");
            }
            machines(lab);
            return 0;
        }
    }

    /// Runs a program.
    @Command(
            name = "exec",
            description = "Runs a program on a host or a gateway.",
            customSynopsis = "ibidem lab exec [--lab=NAME] HOST COMMAND...")
    static final class Exec implements Callable<Integer> {
        /// Also where this process is killed, and can end nothing itself.
        private static final List<String> DIES_WITH_US =
                List.of("setpriv", "--pdeathsig", "KILL", "--");

        private static final int PATIENCE_SECONDS = 3;

        @CommandLine.Mixin private Which which = new Which();

        @Parameters(index = "0", paramLabel = "HOST")
        private String host = "";

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND")
        private List<String> program = List.of();

        @Override
        public Integer call() throws Exception {
            var machine = which.find().machine(host);
            var command = new ArrayList<>(DIES_WITH_US);
            command.addAll(machine.command(program.toArray(String[]::new)));
            var process = new ProcessBuilder(command).inheritIO().start();
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> end(process)));
            return process.waitFor();
        }

        /// As this one ends by a signal, so does the program; one that does not listen is killed.
        private static void end(Process process) {
            try {
                process.children().forEach(ProcessHandle::destroy); // its own are for it to end
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                process.destroy();
            }
        }
    }

    /// Changes lines.
    @Command(
            name = "set",
            description = {
                "Changes lines while they are in use.",
                "LINK: home-office (both directions), 'home>office' (one), home-* (all of home's),"
                        + " home (up and down, shared by all of the site), 'home>' (up), '>home'"
                        + " (down).",
                "SETTING: delay=20ms jitter=2ms rate=10mbit queue=64k loss=1%%; rate=none for no"
                        + " limit."
            })
    static final class Set implements Callable<Integer> {
        @CommandLine.Mixin private Which which = new Which();

        @Parameters(index = "0", paramLabel = "LINK")
        private String link = "";

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "SETTING")
        private List<String> settings = List.of();

        @Override
        public Integer call() {
            which.find().set(link, String.join(" ", settings)).forEach(LabCommand::line);
            return 0;
        }
    }

    /// Says what is up.
    @Command(
            name = "show",
            description =
                    "Shows machines, and the lines that were set or used: settings, packets, bytes,"
                            + " lost, dropped for want of room.")
    static final class Show implements Callable<Integer> {
        @CommandLine.Mixin private Which which = new Which();

        @Override
        public Integer call() {
            var lab = which.find();
            machines(lab);
            lab.lines()
                    .forEach((way, state) -> {
                        var described = lab.network().line(way);
                        if (state.tally().packets() + state.tally().lost() > 0
                                || !state.line().equals(described)
                                || lab.network().settings().containsKey(way)) {
                            line(way, state);
                        }
                    });
            return 0;
        }
    }

    /// Ends one.
    @Command(name = "down", description = "Ends a laboratory and everything that runs in it.")
    static final class Down implements Callable<Integer> {
        @CommandLine.Mixin private Which which = new Which();

        @Override
        public Integer call() {
            which.find().close();
            return 0;
        }
    }

    private static void machines(Lab lab) {
        for (var site : lab.network().sites()) {
            OUT.printf("%-12s %s%n", site.name(), describe(site));
            for (var name : lab.machines().keySet()) {
                if (lab.network().siteOf(name).equals(site)) {
                    OUT.printf(
                            "  %-10s %s%n", name, String.join("  ", lab.machine(name).addresses()));
                }
            }
        }
    }

    private static String describe(Site site) {
        var text = new StringBuilder(site.kind().toString());
        if (site.behind() != null) {
            text.append(" behind ").append(site.behind());
        }
        text.append(", ").append(site.family().toString().toLowerCase(Locale.ROOT));
        for (var proxy : site.proxies()) {
            text.append(", ")
                    .append(proxy.protocol().toString().toLowerCase(Locale.ROOT))
                    .append(" proxy at ")
                    .append(proxy.port());
        }
        return text.toString();
    }

    private static void line(org.ibidem.lab.net.plan.Way way, Lab.State state) {
        var tally = state.tally();
        OUT.printf(
                Locale.ROOT,
                "%-16s %s  %d packets, %d bytes, %d lost, %d dropped%n",
                way,
                state.line(),
                tally.packets(),
                tally.bytes(),
                tally.lost(),
                tally.overflowed());
    }
}
