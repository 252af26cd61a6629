package org.ibidem.cli;

import java.lang.module.ModuleDescriptor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ibidem.IbidemException;
import org.ibidem.cli.run.Near;
import org.ibidem.cli.run.Run;
import org.ibidem.cli.run.Watch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// Where the `ibidem` command begins: reads the command line and calls the subcommand it names.
@Command(
        name = "ibidem",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Connects processes on any machines, by the fastest way that works.",
        footer = {
            "A source checkout also has: ./ibidem setup, test, format, docs, lab, networks.",
            "Example:",
            "  ibidem run -n 2 sor --size 64 --iterations 10"
        })
public final class Main implements Runnable {

    /// The subcommands by name: one class each, in the order in which `--help` shows them.
    private static final Map<String, Class<?>> SUBCOMMANDS = subcommands();

    /// These have to know all the others.
    private static final Set<String> OF_ALL = Set.of("completion", "man", "help");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    private Main() {}

    /// Runs one command and ends the process with its exit code: 0 done, 1 failed, 2 misused.
    public static void main(String[] args) {
        System.exit(commandLine(args).execute(args));
    }

    private static Map<String, Class<?>> subcommands() {
        var all = new LinkedHashMap<String, Class<?>>();
        all.put("run", Run.class);
        all.put("watch", Watch.class);
        all.put("hub", HubCommand.class);
        all.put("pool", PoolCommand.class);
        all.put("explain", ExplainCommand.class);
        all.put("counters", CountersCommand.class);
        all.put("ping", PingCommand.class);
        all.put("doctor", DoctorCommand.class);
        all.put("wrap", WrapCommand.class);
        all.put("agent", AgentCommand.class);
        all.put("rewrite", RewriteCommand.class);
        all.put("completion", Papers.Completion.class);
        all.put("man", Papers.Pages.class);
        all.put("version", Papers.Versions.class);
        all.put("help", HelpCommand.class);
        return all;
    }

    /// With all subcommands, or only the one that the arguments begin with: to find out by
    /// reflection what each of them understands takes a good part of a start.
    static CommandLine commandLine(String... arguments) {
        var line = new CommandLine(new Main());
        var first = arguments.length == 0 ? "" : arguments[0];
        boolean alone = SUBCOMMANDS.containsKey(first) && !OF_ALL.contains(first);
        SUBCOMMANDS.forEach((name, type) -> {
            if (!alone || name.equals(first)) {
                line.addSubcommand(type);
            }
        });
        line.getSubcommands()
                .forEach((name, each) -> {
                    if (name.equals("help")) {
                        each.getCommandSpec()
                                .usageMessage()
                                .description("Shows the help of a command.");
                    }
                    // What follows the first argument that is no option belongs to the program that
                    // is run.
                    if (name.equals("run") || name.equals("wrap")) {
                        each.setStopAtPositional(true);
                    }
                });
        line.setExecutionExceptionHandler((failure, command, _) -> explain(failure, command));
        line.setParameterExceptionHandler((misuse, _) -> explain(misuse));
        Screen.on(line);
        return line;
    }

    /// What Ibidem throws on purpose says all there is to say; a trace is for what nobody foresaw.
    private static int explain(Exception failure, CommandLine command) throws Exception {
        if (!(failure instanceof IbidemException)) {
            throw failure;
        }
        var name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + failure.getMessage());
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /// The error is the last line, and what there is stands in the help.
    private static int explain(ParameterException misuse) {
        var command = misuse.getCommandLine();
        var err = command.getErr();
        if (misuse instanceof UnmatchedArgumentException unknown) {
            var typed = unknown.getUnmatched().getFirst();
            var near =
                    unknown.isUnknownOption()
                            ? unknown.getSuggestions()
                            : Near.to(typed, command.getSubcommands().keySet());
            if (!near.isEmpty()) {
                err.println("Did you mean " + String.join(" or ", near) + "?");
            }
        }
        var name = command.getCommandSpec().qualifiedName();
        var why = String.valueOf(misuse.getMessage()).strip().replaceFirst("\\.$", "");
        err.println(name + ": " + why + " (" + name + " --help)");
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /// Called when no subcommand is named, which is a misuse: shows what there is.
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a subcommand.");
    }

    /// The version the compiler wrote into the module.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var module = Main.class.getModule().getDescriptor();
            var built = Optional.ofNullable(module).flatMap(ModuleDescriptor::rawVersion);
            return new String[] {
                "ibidem " + built.orElse("(not run as a module)"), "Java " + Runtime.version()
            };
        }
    }
}
