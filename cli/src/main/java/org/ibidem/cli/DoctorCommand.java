package org.ibidem.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.ibidem.registry.Node;
import org.ibidem.service.Deliberation.Tried;
import org.ibidem.topology.Egress;
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

    @Option(
            names = "--peer",
            paramLabel = "NODE",
            description = "Try every connect method towards this member, too.")
    private @Nullable String peer;

    @Option(names = "--json", description = "Say it in JSON.")
    private boolean json;

    @Mixin private final PoolOptions pool = new PoolOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    /// What was found out.
    private record Findings(
            List<String> addresses,
            String seen,
            Egress egress,
            List<String> proxies,
            double joinedMillis,
            List<Tried> methods) {}

    @Override
    public Integer call() throws InterruptedException {
        long begin = System.nanoTime();
        try (var node = pool.join()) {
            double millis = (System.nanoTime() - begin) / 1e6;
            var findings = findings(node, millis);
            var out = spec.commandLine().getOut();
            if (json) {
                out.println(json(findings));
            } else {
                tell(out, findings);
            }
            out.flush();
            return 0;
        }
    }

    private Findings findings(Node node, double millis) throws InterruptedException {
        var addresses =
                node.station().listener().addresses().stream()
                        .map(each -> each.getAddress().getHostAddress())
                        .toList();
        var to = peer;
        return new Findings(
                addresses,
                node.observedAddress(),
                node.egress(ASK_LIMIT),
                node.station().proxies(),
                millis,
                to == null
                        ? List.of()
                        : node.station().explain(PoolOptions.member(node, to).id(), EACH).tried());
    }

    private static void tell(PrintWriter out, Findings found) {
        out.println("addresses here:    " + String.join(", ", found.addresses));
        out.println("the hub sees:      " + found.seen);
        out.println("the way out:       " + found.egress.meaning());
        out.println(
                "proxies known:     "
                        + (found.proxies.isEmpty() ? "none" : String.join(", ", found.proxies)));
        out.printf("joined the pool:   within %.1f ms%n", found.joinedMillis);
        for (var tried : found.methods) {
            out.printf(
                    "%-8s %-3s %8.1f ms  %s%n",
                    tried.method(),
                    tried.connected() ? "yes" : "no",
                    tried.took().toNanos() / 1e6,
                    tried.why());
        }
    }

    private static String json(Findings found) {
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
                + ", \"methods\": "
                + found.methods.stream()
                        .map(each ->
                                "{\"method\": %s, \"connected\": %s, \"ms\": %s, \"why\": %s}"
                                        .formatted(
                                                text(each.method()),
                                                each.connected(),
                                                each.took().toNanos() / 1e6,
                                                text(each.why())))
                        .collect(Collectors.joining(", ", "[", "]"))
                + "}";
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
