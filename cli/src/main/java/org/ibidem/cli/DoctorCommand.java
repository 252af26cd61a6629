package org.ibidem.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.Inet6Address;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Node;
import org.ibidem.registry.Outlook;
import org.ibidem.registry.Visitor;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.ProbeResult;
import org.ibidem.topology.Surroundings;
import org.ibidem.topology.Surroundings.Interface;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `ibidem doctor`: what kind of network this machine is in.
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Tests what this network lets out and in, and which peers answer.",
        footer = {
            "",
            "The command visits the pool without becoming a member. It asks the hub to",
            "connect back to the address that the hub sees, to test what gets in.",
            "Without --peer no pool is needed.",
            "",
            "Examples:",
            "  ibidem doctor --hub hub.example.org:8888",
            "  ibidem doctor --peer 1 --json"
        })
final class DoctorCommand implements Callable<Integer> {
    private static final Duration ASK_LIMIT = Duration.ofSeconds(10);
    private static final Duration EACH = Duration.ofSeconds(6);
    private static final int QUESTIONS = 3;

    @Option(
            names = "--peer",
            paramLabel = "NODE",
            description = "Try each connect method to this member and back.")
    private @Nullable String peer;

    @Option(names = "--json", description = "Print the report as JSON.")
    private boolean json;

    @Mixin private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    /// What was found out of the network here.
    private record Findings(
            Surroundings here, Outlook outlook, double joinedMillis, double answerMillis) {}

    /// What was found out about a peer: methods tried from here, and by it towards here.
    private record Trials(List<Tried> toPeer, List<Tried> fromPeer) {
        static final Trials NONE = new Trials(List.of(), List.of());
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        var out = spec.commandLine().getOut();
        long begin = System.nanoTime();
        try (var node = peer == null ? pool.visitIfThere() : pool.visit()) {
            double millis = (System.nanoTime() - begin) / 1e6;
            var found = findings(node, millis);
            if (!json) {
                tell(out, found);
                out.flush(); // the rest takes its time
            }
            var trials = trials(node);
            if (json) {
                out.println(json(found, trials));
            } else {
                tell(out, "from here to the peer", trials.toPeer);
                tell(out, "from the peer to here", trials.fromPeer);
            }
            return 0;
        } catch (HubUnreachable e) {
            withoutHub(out, String.valueOf(e.getMessage()));
            return 1;
        } finally {
            out.flush();
        }
    }

    /// Much is known without a hub, and may be why there is none.
    private void withoutHub(PrintWriter out, String why) throws IOException {
        var faces = LocalAddresses.interfaces();
        var ways = Node.outlook(pool.hubs());
        if (json) {
            out.println(
                    "{\"addresses\": %s, \"interfaces\": %s, \"proxies\": %s, \"out\": %s, \"hub\": %s}"
                            .formatted(
                                    list(addresses(faces)),
                                    list(faces),
                                    list(NodeRuntime.proxies()),
                                    outJson(ways),
                                    text(why)));
            return;
        }
        tellHere(out, faces, NodeRuntime.proxies());
        tellOut(out, ways);
        out.println("the hub:           " + why);
        if (!ways.isEmpty() && ways.stream().allMatch(DoctorCommand::refused)) {
            out.println(
                    "so:                the network is not known to be at fault: start a hub there, or"
                            + " name another");
        }
    }

    private static Findings findings(Visitor node, double joinedMillis)
            throws InterruptedException {
        var outlook = node.outlook();
        return new Findings(node.surroundings(), outlook, joinedMillis, answer(node));
    }

    /// How long the hub takes to answer: it is asked for somebody it does not know.
    private static double answer(Visitor node) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < QUESTIONS; i++) {
            long begin = System.nanoTime();
            node.contact(new NodeId(begin, i), ASK_LIMIT);
            best = Math.min(best, (System.nanoTime() - begin) / 1e6);
        }
        return best;
    }

    private Trials trials(Visitor node) {
        var to = peer;
        if (to == null) {
            return Trials.NONE;
        }
        var member = PoolOptions.member(node, to).id();
        return new Trials(
                Diagnosis.of(node).explain(member, EACH).tried(),
                Diagnosis.of(node).explain(member, node.id(), EACH).tried());
    }

    private static void tell(PrintWriter out, Findings found) {
        var here = found.here;
        tellHere(out, here.interfaces(), here.proxies());
        out.println("the hub sees:      " + here.seen());
        out.println(
                "the way out:       "
                        + found.outlook.egress().meaning()
                        + (found.outlook.isWithin() && here.declared().isEmpty()
                                ? ": the hub is on this machine, too"
                                : "")
                        + (here.declared().isEmpty() ? "" : ", as declared by " + here.declared()));
        tellOut(out, found.outlook.out());
        tellIn(out, found.outlook.in());
        out.println("so:                " + found.outlook.summary());
        out.printf(
                Locale.ROOT,
                "the hub:           joined within %.1f ms; it answers within %.1f ms%n",
                found.joinedMillis,
                found.answerMillis);
    }

    private static void tellOut(PrintWriter out, List<Outlook.Out> ways) {
        for (var way : ways) {
            out.printf(
                    Locale.ROOT,
                    "out over %s:     %s: a connection to the hub's %s %s%n",
                    family(way.to().getAddress() instanceof Inet6Address),
                    refused(way)
                            ? "refused, as where nobody listens, or by a firewall"
                            : way.passage().meaning(),
                    way.to().toString().replaceFirst("^.*/", ""),
                    way.passage() == ProbeResult.OPEN
                            ? String.format(Locale.ROOT, "took %.1f ms", way.took().toNanos() / 1e6)
                            : "(" + way.why() + ")");
        }
    }

    private static boolean refused(Outlook.Out way) {
        return way.passage() == ProbeResult.REFUSED;
    }

    private static void tellIn(PrintWriter out, List<Outlook.In> ways) {
        for (var way : ways) {
            out.printf(
                    Locale.ROOT,
                    "in over %s:      %s: a connection from the hub %s%s%s%n",
                    family(way.six()),
                    way.passage().meaning(),
                    way.port().meaning(),
                    way.at().isEmpty() ? "" : ", " + way.at(),
                    way.why().isEmpty() ? "" : " (" + way.why() + ")");
        }
    }

    private static String family(boolean six) {
        return six ? "IPv6" : "IPv4";
    }

    private static List<String> addresses(List<Interface> faces) {
        return faces.stream().map(face -> face.subnet().address().getHostAddress()).toList();
    }

    private static void tellHere(PrintWriter out, List<Interface> faces, List<String> proxies) {
        out.println(
                "addresses here:    "
                        + faces.stream()
                                .map(Interface::toString)
                                .collect(Collectors.joining(", ")));
        out.println(
                "proxies known:     " + (proxies.isEmpty() ? "none" : String.join(", ", proxies)));
    }

    private static void tell(PrintWriter out, String whither, List<Tried> methods) {
        if (!methods.isEmpty()) {
            out.println();
            out.println(whither + ":");
        }
        for (var tried : methods) {
            out.printf(
                    Locale.ROOT,
                    "  %-8s %-3s %8.1f ms  %s%n",
                    tried.method(),
                    tried.connected() ? "yes" : "no",
                    tried.took().toNanos() / 1e6,
                    tried.why());
        }
    }

    private static String json(Findings found, Trials trials) {
        return "{\"addresses\": "
                + list(addresses(found.here.interfaces()))
                + ", \"interfaces\": "
                + list(found.here.interfaces())
                + ", \"seen\": "
                + text(found.here.seen())
                + ", \"egress\": "
                + text(found.outlook.egress().name())
                + ", \"declared\": "
                + text(found.here.declared())
                + ", \"proxies\": "
                + list(found.here.proxies())
                + ", \"out\": "
                + outJson(found.outlook.out())
                + ", \"in\": "
                + inJson(found.outlook.in())
                + ", \"summary\": "
                + text(found.outlook.summary())
                + ", \"joined_ms\": "
                + found.joinedMillis
                + ", \"answer_ms\": "
                + found.answerMillis
                + ", \"to_peer\": "
                + json(trials.toPeer)
                + ", \"from_peer\": "
                + json(trials.fromPeer)
                + "}";
    }

    private static String json(List<Tried> methods) {
        return methods.stream()
                .map(each ->
                        "{\"method\": %s, \"connected\": %s, \"ms\": %s, \"why\": %s}"
                                .formatted(
                                        text(each.method()),
                                        each.connected(),
                                        each.took().toNanos() / 1e6,
                                        text(each.why())))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String outJson(List<Outlook.Out> ways) {
        return ways.stream()
                .map(each ->
                        "{\"to\": %s, \"passage\": %s, \"ms\": %s, \"why\": %s}"
                                .formatted(
                                        text(each.to().toString().replaceFirst("^.*/", "")),
                                        text(each.passage().name()),
                                        each.took().toNanos() / 1e6,
                                        text(each.why())))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String inJson(List<Outlook.In> ways) {
        return ways.stream()
                .map(each ->
                        "{\"port\": %s, \"family\": %s, \"at\": %s, \"passage\": %s, \"why\": %s}"
                                .formatted(
                                        text(each.port().name()),
                                        text(family(each.six())),
                                        text(each.at()),
                                        text(each.passage().name()),
                                        text(each.why())))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String list(List<?> things) {
        return things.stream()
                .map(each -> text(each.toString()))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String text(String text) {
        var quoted = new StringBuilder("\"");
        text.chars()
                .forEach(each -> {
                    if (each == '"' || each == '\\') {
                        quoted.append('\\').append((char) each);
                    } else if (each < ' ') {
                        quoted.append(String.format("\\u%04x", each));
                    } else {
                        quoted.append((char) each);
                    }
                });
        return quoted.append('"').toString();
    }
}
