package org.ibidem.cli.run;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.cli.PoolOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem watch`: a page on this machine that shows what a running application computes, wherever
/// it runs.
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        description = "Shows on a web page what a running application computes.",
        footer = {
            "",
            "Only browsers on this machine can open the page. Start the application with",
            "--serve. Watching never slows it down.",
            "Exit code: 0 when the job has ended, 1 when it cannot be watched.",
            "",
            "Example:",
            "  ibidem watch sor --hub gate:8888 --pool heat"
        })
public final class Watch implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Parameters(
            paramLabel = "APPLICATION",
            description = "The application's name, of 'ibidem run --list'.")
    private String name = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the web page (default: any free one).")
    private int port;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Time to wait for the job (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Mixin private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    /// For picocli.
    public Watch() {}

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > MOST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), "--port is 0 to " + MOST_PORT + ", not " + port);
        }
        if (limit < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--limit is 0 seconds or more, not " + limit);
        }
        try {
            return watch(Program.watching(name));
        } catch (CannotRun e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int watch(Program program) throws InterruptedException {
        var words = List.of(name, String.valueOf(port), String.valueOf(limit));
        var command = Jvm.command(program, options(), words);
        Process process;
        try {
            process = new ProcessBuilder(command).inheritIO().start();
        } catch (IOException e) {
            throw new CannotRun("cannot start " + command.getFirst() + ": " + e.getMessage(), e);
        }
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
        return process.waitFor();
    }

    private List<String> options() {
        try {
            return pool.asProperties();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--hub: " + e.getMessage(), e);
        }
    }
}
