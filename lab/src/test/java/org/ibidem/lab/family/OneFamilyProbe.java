package org.ibidem.lab.family;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ibidem.accept.ReachabilityProbe;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.AddressFamilies;
import org.ibidem.connect.direct.Direct;
import org.ibidem.hub.Hub;
import org.ibidem.link.Catalog;
import org.ibidem.link.Datagrams;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.wrap.Agent;

/// A program that tries to reach peers at addresses of both families, and says what came of it: a
/// line for each try.
final class OneFamilyProbe {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final NodeId PEER = new NodeId(1, 2);

    private final Threads tasks = new Threads("probe");

    private OneFamilyProbe() {}

    /// Tries all.
    ///
    /// @param args addresses at which nobody is
    public static void main(String[] args) {
        var probe = new OneFamilyProbe();
        say("loopbacks", AddressFamilies::loopbacks);
        say("a hub", probe::joinsHere);
        for (var address : args) {
            probe.tries(new InetSocketAddress(InetAddress.ofLiteral(address), 9));
        }
        System.exit(0);
    }

    private void tries(InetSocketAddress there) {
        var contact = new Contact(PEER, List.of(there), Map.of());
        say("reach", () -> new Direct().reach(contact));
        say("connect", () -> race(List.of(there)));
        say("probe", () -> ReachabilityProbe.at(there, new byte[16], LIMIT, tasks));
        say("udp", () -> datagrams(there));
        var hub = "[" + there.getAddress().getHostAddress() + "]:9";
        say("join", () -> Node.join(Join.pool("demo").hub(hub).limit(LIMIT)));
    }

    private String joinsHere() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()))) {
            say("wrap", () -> wraps(node));
            return "joined by rank " + node.rank() + " at " + hub.addresses();
        }
    }

    private static String wraps(Node node) throws Exception {
        var folder = Files.createTempDirectory("one-family-");
        try (var _ = Agent.start(node, "", "auto", folder.resolve("agent"))) {
            return "started";
        } finally {
            Files.delete(folder);
        }
    }

    private Object race(List<InetSocketAddress> addresses) {
        return Direct.race("node x", addresses, path -> () -> path, tasks, LIMIT);
    }

    private Object datagrams(InetSocketAddress there) throws Exception {
        var udp = Catalog.found().driver("udp").orElseThrow();
        try (var domain = udp.domain(tasks, false)) {
            return ((Datagrams) domain).begin(there);
        }
    }

    private static void say(String what, Callable<?> tried) {
        String said;
        try {
            said = String.valueOf(tried.call());
        } catch (Exception e) {
            said = "failed: " + e;
        }
        System.out.println(what + ": " + said.replace('\n', ' '));
    }
}
