package org.ibidem.lab.net;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The [Probe]s of a laboratory, one on each host that is asked.
final class Probes {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final Map<Lab, Probes> KEPT = new HashMap<>();

    private final Lab lab;
    private final Map<String, Running> probes = new ConcurrentHashMap<>();
    private final AtomicInteger tasks = new AtomicInteger();
    private volatile boolean keep;

    Probes(Lab lab) {
        this.lab = lab;
    }

    /// Those of all tests in this laboratory; they run on, and have nothing open.
    static synchronized Probes of(Lab lab) {
        KEPT.keySet().removeIf(each -> !each.isAlive());
        var probes = KEPT.computeIfAbsent(lab, Probes::new);
        probes.keep = true;
        probes.close();
        return probes;
    }

    /// What a probe says to a task: `ok RESULT` or `no REASON`.
    String ask(String host, String task) {
        var probe = probes.computeIfAbsent(host, this::start);
        var number = tasks.incrementAndGet() + "";
        probe.say(number + " " + task);
        return probe.any(line -> line.startsWith(number + " "), LONG)
                .substring(number.length() + 1);
    }

    /// Starts the probes of these hosts, side by side.
    Probes startAll(Collection<String> hosts) {
        hosts.stream()
                .map(host -> Meanwhile.start(() -> probes.computeIfAbsent(host, this::start)))
                .toList()
                .forEach(CompletableFuture::join);
        return this;
    }

    /// Has all probes close what they have open.
    void close() {
        probes.keySet().forEach(host -> get(host, "close"));
    }

    /// The result of a task that must succeed.
    String get(String host, String task) {
        var answer = ask(host, task);
        if (!answer.startsWith("ok")) {
            throw new AssertionError(host + " " + task + ": " + answer);
        }
        return answer.substring("ok".length()).strip();
    }

    private Running start(String host) {
        var probe = lab.machine(host).java(Probe.class, host);
        probe.said("probing", LONG);
        return keep ? probe.keep() : probe;
    }
}
