package org.ibidem.lab.net.connect;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;

/// [MethodNode]s on hosts of a laboratory, and the broker between them.
final class Meeting {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Lab lab;
    private final int port;
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    private record Node(Running program, String id) {}

    /// How one connection is to be made.
    ///
    /// @param method its name
    /// @param limitMillis for it
    /// @param delayMillis how long what is asked waits before it begins
    /// @param observer `host:port` of who tells addresses, or `-`
    /// @param addresses of the one asked, `host:port`, with blanks between
    record Way(String method, int limitMillis, int delayMillis, String observer, String addresses) {
        Way(String method, int limitMillis, String observer) {
            this(method, limitMillis, 0, observer, "");
        }
    }

    /// @param port at which the nodes listen too; 0: they do not
    Meeting(Lab lab, int port) {
        this.lab = lab;
        this.port = port;
    }

    /// Starts a node with these options for its JVM, or variables for its environment.
    Meeting start(String host, String... options) {
        nodes.put(host, start(host, List.of(options)));
        return this;
    }

    /// Starts nodes, side by side.
    Meeting startAll(Collection<String> hosts) {
        hosts.stream()
                .map(host ->
                        CompletableFuture.runAsync(() -> node(host), Thread::startVirtualThread))
                .toList()
                .forEach(CompletableFuture::join);
        return this;
    }

    private Node node(String host) {
        return nodes.computeIfAbsent(host, _ -> start(host, List.of()));
    }

    private Node start(String host, List<String> options) {
        var program = lab.machine(host).java(options, MethodNode.class, port + "");
        return new Node(program, program.said("id", LONG));
    }

    /// Has one host connect to another.
    ///
    /// @return `connected`, or `failed` and why
    String connect(String from, String to, Way way) {
        var one = node(from);
        var other = node(to);
        var number = numbers.incrementAndGet() + "";
        var terms = way.limitMillis + " " + way.delayMillis + " " + way.observer;
        var addresses = way.addresses.isEmpty() ? "" : " " + way.addresses;
        one.program.say(
                number + " connect " + way.method + " " + other.id + " " + terms + addresses);
        Predicate<String> outcome = line -> line.matches(number + " (connected|failed .*)");
        for (int question = 1; ; question++) {
            var asks = number + "." + question;
            var said =
                    one.program.any(
                            line -> line.startsWith(asks + " propose ") || outcome.test(line),
                            LONG);
            if (outcome.test(said)) {
                return said.substring(number.length() + 1);
            }
            var proposal = said.substring(said.lastIndexOf(' ') + 1);
            var order = " join " + way.method + " " + one.id + " " + terms + " " + proposal;
            Thread.startVirtualThread(() -> one.program.say(answer(other, asks, order)));
        }
    }

    /// The numbers of the connections that a host was asked for and has got, those of [#connect].
    List<String> taken(String host) {
        return node(host).program.lines().stream()
                .filter(line -> line.endsWith(" taken"))
                .map(line -> line.substring(0, line.indexOf('.')))
                .toList();
    }

    private static String answer(Node other, String question, String order) {
        other.program.say(question + order);
        return other.program
                .any(line -> line.startsWith(question + " answer") || refused(line, question), LONG)
                .replaceFirst("^(\\S+) refused", "$1 refuse");
    }

    private static boolean refused(String line, String question) {
        return line.startsWith(question + " refused ");
    }
}
