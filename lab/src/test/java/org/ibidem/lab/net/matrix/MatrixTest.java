package org.ibidem.lab.net.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.matrix.MatrixPlan.Pair;
import org.ibidem.lab.net.plan.Family;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Whatever stands between two nodes, they reach each other, and directly where TCP can.
@Laboratory(MatrixPlan.class)
@Tag("turn1")
class MatrixTest {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Set<String> DIRECT = Set.of("direct", "reverse", "splice");

    /// After so long nodes try all ways again where the hub's relay has won.
    private static final Duration RELAY_FORGOTTEN = Duration.ofSeconds(31);

    /// At a time: this machine is all of theirs.
    private static final int PAIRS = 12;

    private final Map<String, Running> programs = new ConcurrentHashMap<>();
    private final Map<String, String> ids = new ConcurrentHashMap<>();

    /// What came of one pair.
    private record Outcome(Pair pair, Step bootstrap, Step data, String failure) {
        boolean connected() {
            return failure.isEmpty();
        }

        /// A machine that stood still for some seconds has let the relay begin, too, and win: such
        /// a pair is asked to connect once more.
        boolean overtaken() {
            return connected() && pair.direct() && !DIRECT.contains(data.method);
        }
    }

    /// One connection.
    private record Step(String method, int millis, String reasons) {
        static final Step NONE = new Step("-", 0, "");

        static Step of(String line) {
            var words = line.split(" ", 5);
            return new Step(words[2], Integer.parseInt(words[3]), words[4]);
        }
    }

    @Test
    void every_node_reaches_every_other_and_directly_where_tcp_can(Lab lab) throws IOException {
        var outcomes = reached(lab, "tcp");
        var written = table(outcomes);
        System.out.println(summary(outcomes));
        Files.writeString(Path.of("..", "docs", "matrix.md"), written);
        requireAll(outcomes);
    }

    @Test
    @Tag("full")
    void so_they_do_under_tls_on_every_data_connection(Lab lab) {
        var outcomes = reached(lab, "tls > tcp");
        System.out.println("tls " + summary(outcomes));
        requireAll(outcomes);
    }

    private List<Outcome> reached(Lab lab, String stack) {
        var hub = lab.machine(MatrixPlan.HUB + "1");
        programs.put("hub", hub.java(MatrixNode.class, "hub", MatrixPlan.PORT + ""));
        programs.get("hub").said("ready", LONG);
        startNodes(lab, "-Dlab.stack=" + stack);
        return connectAll();
    }

    private static void requireAll(List<Outcome> outcomes) {
        var softly = new SoftAssertions();
        for (var each : outcomes) {
            softly.assertThat(each.failure).as("%s", each.pair).isEmpty();
            if (each.pair.direct()) {
                softly.assertThat(DIRECT.contains(each.data.method)).as("%s", each).isTrue();
            }
        }
        softly.assertAll();
    }

    private void startNodes(Lab lab, String option) {
        var pool = Executors.newFixedThreadPool(4);
        var starting = new ArrayList<CompletableFuture<Void>>();
        for (var kind : MatrixPlan.KINDS) {
            for (var side : List.of("x", "y")) {
                var host = kind.name() + side + "1";
                starting.add(
                        CompletableFuture.runAsync(() -> start(lab, kind, host, option), pool));
            }
        }
        starting.forEach(CompletableFuture::join);
        pool.shutdown();
    }

    private void start(Lab lab, Site kind, String host, String option) {
        var options = new ArrayList<>(MatrixPlan.options(kind));
        options.add(option);
        var program =
                lab.machine(host)
                        .java(
                                options,
                                MatrixNode.class,
                                hub(lab, kind.family()) + ":" + MatrixPlan.PORT,
                                "matrix");
        programs.put(host, program);
        ids.put(host, program.said("id", LONG));
    }

    /// Its name stands for both of its addresses.
    private static String hub(Lab lab, Family family) {
        var name = MatrixPlan.HUB + "1";
        var addresses = lab.machine(name).addresses();
        return switch (family) {
            case IPV4 -> addresses.getFirst();
            case IPV6 -> "[" + addresses.getLast() + "]";
            case DUAL -> name;
        };
    }

    private List<Outcome> connectAll() {
        var pool = Executors.newFixedThreadPool(PAIRS);
        var running = new ArrayList<CompletableFuture<Outcome>>();
        int number = 0;
        for (var pair : MatrixPlan.pairs()) {
            running.add(connect(number++, pair, pool));
        }
        var outcomes = new ArrayList<>(running.stream().map(CompletableFuture::join).toList());
        pool.shutdown();
        if (outcomes.stream().anyMatch(Outcome::overtaken)) {
            LockSupport.parkNanos(RELAY_FORGOTTEN.toNanos());
        }
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i).overtaken()) {
                outcomes.set(i, connect(number++, outcomes.get(i).pair, Runnable::run).join());
            }
        }
        return outcomes;
    }

    /// From the kind's site `x` to the other's site `y`: so both ways of a pair are two pairs of
    /// nodes that do not know each other yet.
    private CompletableFuture<Outcome> connect(int number, Pair pair, Executor pool) {
        return CompletableFuture.supplyAsync(
                () -> {
                    var from = programs.get(pair.from().name() + "x1");
                    var host = pair.to().name() + "y1";
                    from.say(number + " connect " + ids.get(host));
                    var first =
                            from.any(line -> line.matches(number + " (bootstrap|failed) .*"), LONG);
                    if (first.startsWith(number + " failed")) {
                        return new Outcome(pair, Step.NONE, Step.NONE, first);
                    }
                    var then = from.any(line -> line.matches(number + " (data|failed) .*"), LONG);
                    if (then.startsWith(number + " failed")) {
                        return new Outcome(pair, Step.of(first), Step.NONE, then);
                    }
                    programs.get(host).any(line -> line.equals("heard " + number), LONG);
                    return new Outcome(pair, Step.of(first), Step.of(then), "");
                },
                pool);
    }

    private static String summary(List<Outcome> outcomes) {
        return "matrix "
                + outcomes.stream().filter(Outcome::connected).count()
                + " of "
                + outcomes.size()
                + " connected, "
                + outcomes.stream().filter(each -> DIRECT.contains(each.data.method)).count()
                + " direct";
    }

    private static String table(List<Outcome> outcomes) {
        var text = new StringBuilder();
        text.append("# Who reaches whom, and how\n\n");
        text.append(
                """
                Written by `MatrixTest` in the [laboratory](lab.md): every kind of site (rows ask, columns are asked), and how a data
                connection of ports came about between hosts that had never spoken to each other. Times are milliseconds from the
                request to the first message, all pairs at once on one small machine: they say what is slow, not how fast it is.

                Most kinds are those of the laboratory, with IPv4 alone. `double` is a NAT behind a NAT, `six` a firewall with IPv6 alone,
                `dual` and `dualsym` have both, with a NAT and a symmetric NAT for IPv4 and a firewall for IPv6; out of `severe` and
                `severebind` nothing gets but through a SOCKS proxy, the latter's with BIND.

                """);
        text.append(summary(outcomes)).append("\n\n");
        rows(text, outcomes, Outcome::data);
        firstWords(text, outcomes);
        obstacles(text, outcomes);
        return text.toString();
    }

    private static void rows(
            StringBuilder text, List<Outcome> outcomes, Function<Outcome, Step> step) {
        text.append("| from, to |");
        MatrixPlan.KINDS.forEach(kind -> text.append(' ').append(kind.name()).append(" |"));
        text.append("\n|---|").append("---|".repeat(MatrixPlan.KINDS.size())).append('\n');
        for (var from : MatrixPlan.KINDS) {
            text.append("| **").append(from.name()).append("** |");
            outcomes.stream()
                    .filter(each -> each.pair.from().equals(from))
                    .map(step)
                    .forEach(each ->
                            text.append(' ')
                                    .append(each.method)
                                    .append(' ')
                                    .append(each.millis)
                                    .append(" |"));
            text.append('\n');
        }
    }

    private static void firstWords(StringBuilder text, List<Outcome> outcomes) {
        text.append(
                """

                ## First words

                How the service link of the same pair came about, before any other connection; over it the data connection is agreed on.

                """);
        rows(text, outcomes, Outcome::bootstrap);
        var counts =
                outcomes.stream()
                        .collect(
                                Collectors.groupingBy(
                                        each -> each.bootstrap.method, Collectors.counting()));
        text.append(
                counts.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", ", "\nAltogether: ", ".")));
    }

    private static void obstacles(StringBuilder text, List<Outcome> outcomes) {
        text.append(
                "\n\n## Why not directly\n\n| from | to | obstacle | what was tried |\n|---|---|---|---|\n");
        for (var each : outcomes) {
            if (!DIRECT.contains(each.data.method)) {
                text.append("| ")
                        .append(each.pair.from().name())
                        .append(" | ")
                        .append(each.pair.to().name())
                        .append(" | ")
                        .append(each.pair.obstacle())
                        .append(" | ")
                        .append(inTable(each.failure.isEmpty() ? each.data.reasons : each.failure))
                        .append(" |\n");
            }
        }
    }

    private static String inTable(String reasons) {
        return reasons.replaceAll("[0-9a-f]{32}", "…").replace("|", "/");
    }
}
