package org.ibidem.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Node;
import org.ibidem.service.Deliberation.Tried;
import org.ibidem.service.Station;
import org.ibidem.topology.Egress;
import org.ibidem.topology.NodeId;
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
        description = "Says what kind of network this machine is in, and who can be reached how.",
        footer = {
            "",
            "Joins the pool for a moment, as any node does.",
            "",
            "Examples:",
            "  ibidem doctor --hub hub.example.org:8888",
            "  ibidem doctor --peer 3 --json"
        })
final class DoctorCommand implements Callable<Integer> {
    private static final Duration ASK_LIMIT = Duration.ofSeconds(10);
    private static final Duration EACH = Duration.ofSeconds(6);
    private static final int QUESTIONS = 3;

    @Option(
            names = "--peer",
            paramLabel = "NODE",
            description = "Try every connect method towards this member and from it, too.")
    private @Nullable String peer;

    @Option(names = "--json", description = "Say it in JSON.")
    private boolean json;

    @Mixin private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    /// What was found out of the network here.
    private record Findings(
            List<String> addresses,
            List<String> proxies,
            String seen,
            Egress egress,
            double joinedMillis,
            double answerMillis) {}

    /// What was found out about a peer: methods tried from here, and by it towards here.
    private record Trials(List<Tried> toPeer, List<Tried> fromPeer) {
        static final Trials NONE = new Trials(List.of(), List.of());
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        var out = spec.commandLine().getOut();
        long begin = System.nanoTime();
        try (var node = pool.join()) {
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
        var addresses = LocalAddresses.usable().stream().map(InetAddress::getHostAddress).toList();
        if (json) {
            out.println(
                    "{\"addresses\": %s, \"proxies\": %s, \"hub\": %s}"
                            .formatted(list(addresses), list(Station.proxies()), text(why)));
            return;
        }
        tellHere(out, addresses, Station.proxies());
        out.println("the hub:           " + why);
    }

    private static Findings findings(Node node, double joinedMillis) throws InterruptedException {
        var addresses =
                node.station().listener().addresses().stream()
                        .map(each -> each.getAddress().getHostAddress())
                        .toList();
        return new Findings(
                addresses,
                Station.proxies(),
                node.observedAddress(),
                node.egress(ASK_LIMIT),
                joinedMillis,
                answer(node));
    }

    /// How long the hub takes to answer: it is asked for somebody it does not know.
    private static double answer(Node node) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < QUESTIONS; i++) {
            long begin = System.nanoTime();
            node.contact(new NodeId(begin, i), ASK_LIMIT);
            best = Math.min(best, (System.nanoTime() - begin) / 1e6);
        }
        return best;
    }

    private Trials trials(Node node) {
        var to = peer;
        if (to == null) {
            return Trials.NONE;
        }
        var member = PoolOptions.member(node, to).id();
        return new Trials(
                node.station().explain(member, EACH).tried(),
                node.station().explain(member, node.id(), EACH).tried());
    }

    private static void tell(PrintWriter out, Findings found) {
        tellHere(out, found.addresses, found.proxies);
        out.println("the hub sees:      " + found.seen);
        out.println("the way out:       " + found.egress.meaning());
        out.printf(
                "the hub:           joined within %.1f ms; it answers within %.1f ms%n",
                found.joinedMillis, found.answerMillis);
    }

    private static void tellHere(PrintWriter out, List<String> addresses, List<String> proxies) {
        out.println("addresses here:    " + String.join(", ", addresses));
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
                    "  %-8s %-3s %8.1f ms  %s%n",
                    tried.method(),
                    tried.connected() ? "yes" : "no",
                    tried.took().toNanos() / 1e6,
                    tried.why());
        }
    }

    private static String json(Findings found, Trials trials) {
        return "{\"addresses\": "
                + list(found.addresses)
                + ", \"seen\": "
                + text(found.seen)
                + ", \"egress\": "
                + text(found.egress.name())
                + ", \"proxies\": "
                + list(found.proxies)
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

    private static String list(List<String> texts) {
        return texts.stream().map(DoctorCommand::text).collect(Collectors.joining(", ", "[", "]"));
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
