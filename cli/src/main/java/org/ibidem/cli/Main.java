package org.ibidem.cli;

import java.lang.module.ModuleDescriptor;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.ibidem.IbidemException;
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
        description = "Connects processes wherever they run, by the fastest way that works.",
        footer = {
            "In a checkout also: ./ibidem setup, test, format, docs, and lab, networks.",
            "Example:",
            "  ibidem run -n 2 sor --size 64 --iterations 10"
        })
public final class Main implements Runnable {

    /// The subcommands: one class each, in the order in which `--help` shows them.
    private static final List<Class<?>> SUBCOMMANDS =
            List.of(
                    Run.class,
                    Watch.class,
                    HubCommand.class,
                    PoolCommand.class,
                    ExplainCommand.class,
                    CountersCommand.class,
                    PingCommand.class,
                    DoctorCommand.class,
                    WrapCommand.class,
                    AgentCommand.class,
                    RewriteCommand.class,
                    Papers.Completion.class,
                    Papers.Pages.class,
                    Papers.Versions.class,
                    HelpCommand.class);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    private Main() {}

    /// Runs one command and ends the process with its exit code: 0 done, 1 failed, 2 misused.
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        var line = new CommandLine(new Main());
        SUBCOMMANDS.forEach(line::addSubcommand);
        Objects.requireNonNull(line.getSubcommands().get("help"))
                .getCommandSpec()
                .usageMessage()
                .description("Shows the help of a command.");
        // What follows the first argument that is no option belongs to the program that is run.
        for (var one : List.of("run", "wrap")) {
            Objects.requireNonNull(line.getSubcommands().get(one)).setStopAtPositional(true);
        }
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
        command.getErr()
                .println("ibidem " + command.getCommandName() + ": " + failure.getMessage());
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /// The error is the last line, and what there is stands in the help.
    private static int explain(ParameterException misuse) {
        var command = misuse.getCommandLine();
        var err = command.getErr();
        if (misuse instanceof UnmatchedArgumentException unknown) {
            var near = unknown.getSuggestions();
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
