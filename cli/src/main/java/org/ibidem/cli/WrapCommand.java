package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.wrap.Launcher;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem wrap`: a program of any language, whose TCP connections and datagrams go through Ibidem.
@Command(
        name = "wrap",
        mixinStandardHelpOptions = true,
        description = "Runs a program whose connections and datagrams go to a pool.",
        footer = {
            "",
            "The program sees rank 3 of pool 'shop' as the host 3.shop.ibidem, 127.80.0.3.",
            "A server sees the rank of its client in the same way. Connections to all other",
            "hosts are unchanged.",
            "",
            "Examples:",
            "  ibidem wrap --pool shop --rank 0 --open -- nginx -g 'daemon off;'",
            "  ibidem wrap --pool shop --open -- curl http://0.shop.ibidem:8080/"
        })
final class WrapCommand implements Callable<Integer> {
    @Mixin private final NodeOptions node = new NodeOptions();

    @Mixin private final AgentOptions agent = new AgentOptions();

    @Group("Connections")
    @Option(
            names = "--agent",
            paramLabel = "SOCKET",
            description = "Use the agent on this socket; do not join as a node.")
    private @Nullable Path running;

    @Group("Connections")
    @Option(
            names = "--preload",
            description = "Intercept calls by a preloaded library, not seccomp.")
    private boolean preload;

    @Parameters(
            paramLabel = "PROGRAM",
            arity = "1..*",
            description = "The program to run, and its arguments.")
    private List<String> program = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    private volatile @Nullable Process started;
    private volatile @Nullable WrapFolder own;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Launcher.find();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end of the program"));
        if (running != null && !Files.exists(running)) { // it may begin later
            var err = spec.commandLine().getErr();
            err.println(
                    "ibidem wrap: no agent listens at %s: until one does ('ibidem agent %s'), all connections are the kernel's"
                            .formatted(running, running));
            err.flush();
        }
        return running == null ? withAgent() : with(running);
    }

    private int withAgent() throws IOException, InterruptedException {
        try (var folder = WrapFolder.make()) {
            own = folder;
            var socket = folder.socket();
            try (var joined = node.join();
                    var _ = agent.start(joined, socket)) {
                agent.writeHosts(joined, AgentCommand.hosts(socket));
                return with(socket);
            }
        }
    }

    private int with(Path socket) throws InterruptedException {
        var hosts = AgentCommand.hosts(socket);
        var seen = Files.exists(hosts) ? hosts : Path.of("-");
        var command = Launcher.command(socket, seen, preload, program);
        try {
            var process = new ProcessBuilder(command).inheritIO().start();
            started = process;
            return process.waitFor();
        } catch (IOException e) {
            throw new IbidemException("the launcher cannot be started: " + e.getMessage(), e);
        }
    }

    /// What ends this process ends the program, which may take its time. The thread that awaits the
    /// program's end does not come to tidy up any more, or it may not have come so far yet.
    private void end() {
        var process = started;
        if (process != null) {
            process.destroy();
            try {
                process.waitFor();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        var folder = own;
        if (folder != null) {
            folder.close();
        }
    }
}
