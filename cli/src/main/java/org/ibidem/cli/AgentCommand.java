package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.ibidem.IbidemException;
import org.ibidem.config.OwnFolder;
import org.ibidem.wrap.Launcher;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem agent`: carries the connections of any number of wrapped programs of this machine.
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        description = "Carries the connections of all wrapped programs on this machine.",
        footer = {
            "",
            "The agent is one node of a pool. It serves any number of programs, which",
            "'ibidem wrap --agent SOCKET' starts. When the agent ends, the programs continue;",
            "they use the agent again after it is restarted.",
            "",
            "Example:",
            "  ibidem agent --pool shop --rank 0 --open /run/user/1000/ibidem/shop"
        })
final class AgentCommand implements Callable<Integer> {
    @Mixin private final NodeOptions node = new NodeOptions();

    @Mixin private final AgentOptions agent = new AgentOptions();

    @Parameters(
            paramLabel = "SOCKET",
            description = "The Unix socket to listen on, in a folder of yours.")
    private Path socket = Path.of("agent");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var folder = socket.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IbidemException("a file is needed, not " + socket);
        }
        OwnFolder.make(folder);
        try (var joined = node.join();
                var _ = agent.start(joined, socket)) {
            agent.writeHosts(joined, hosts(socket));
            Files.writeString(build(socket), Launcher.build() + "\n");
            var rank = joined.member(joined.id()).map(member -> String.valueOf(member.rank()));
            var out = spec.commandLine().getOut();
            out.println(
                    "agent of rank %s of pool '%s' listens at %s"
                            .formatted(rank.orElse("?"), joined.pool(), socket));
            out.flush();
            var ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown, "end of the agent"));
            ended.await();
            return 0;
        } finally {
            Files.deleteIfExists(hosts(socket));
            Files.deleteIfExists(build(socket));
        }
    }

    /// What programs of this agent see as /etc/hosts.
    static Path hosts(Path socket) {
        return beside(socket, ".hosts");
    }

    /// Says of which build the agent is: `bin/wrap.sh` starts programs by the launcher of that.
    private static Path build(Path socket) {
        return beside(socket, ".build");
    }

    private static Path beside(Path socket, String suffix) {
        return socket.resolveSibling(socket.getFileName() + suffix);
    }
}
