package org.ibidem.cli;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.Hub;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `ibidem hub`: a hub in a process of its own, until it is ended.
@Command(
        name = "hub",
        mixinStandardHelpOptions = true,
        description = "Runs a hub: what the nodes of a pool find each other through.",
        footer = {
            "",
            "Prints one line with the addresses it listens on, then serves until Ctrl-C or",
            "SIGTERM. Its nodes live on without it, and return to it when it is started",
            "again on the same port.",
            "",
            "Examples:",
            "  ibidem hub",
            "  ibidem hub --open --port 9000"
        })
final class HubCommand implements Callable<Integer> {
    private static final int HIGHEST_PORT = 0xFFFF;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + Hub.DEFAULT_PORT,
            description = "The port to listen on; 0: any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--open",
            description =
                    "Listen on all interfaces: whoever reaches the port may join. Without it only"
                            + " processes on this machine can.")
    private boolean open;

    @Option(
            names = "--suspicion",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "How long a node without contact counts as alive (default: ${DEFAULT-VALUE}).")
    private long suspicion;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > HIGHEST_PORT || suspicion < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port is 0 to 65535 and --suspicion 1 or more, not "
                            + port
                            + " and "
                            + suspicion);
        }
        var bounds = Bounds.DEFAULT.suspicion(Duration.ofSeconds(suspicion));
        var hub = Hub.start(Hub.Options.DEFAULT.port(port).open(open).bounds(bounds));
        Runtime.getRuntime().addShutdownHook(new Thread(hub::close, "end of the hub"));
        var out = spec.commandLine().getOut();
        out.println(
                hub.addresses().stream()
                        .map(HubCommand::text)
                        .collect(Collectors.joining(" ", "hub listens on ", "")));
        out.flush();
        new CountDownLatch(1).await(); // a signal ends the process
        return 0;
    }

    private static String text(InetSocketAddress address) {
        var host = address.getAddress().getHostAddress();
        int zone = host.indexOf('%');
        host = zone < 0 ? host : host.substring(0, zone);
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
