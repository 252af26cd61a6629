package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;

/// [WideNode]s on hosts of a laboratory, and their hub on `hub1`.
final class Town {
    static final int PORT = 8888;
    static final Duration LONG = Duration.ofSeconds(45);

    /// For whoever needs some of what there is.
    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("home", Kind.NAT),
                    Site.of("office", Kind.FIREWALL).hosts(1),
                    Site.of("hotel", Kind.NAT_SYMMETRIC).hosts(1),
                    Site.of("flat", Kind.NAT_RANDOM).hosts(1),
                    Site.of("garden", Kind.FIREWALL).hosts(1),
                    Site.of("square", Kind.OPEN).hosts(1),
                    Site.of("crowd", Kind.OPEN).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    private final Lab lab;
    private final Map<String, Running> programs = new ConcurrentHashMap<>();
    private final Map<String, String> ids = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    Town(Lab lab) {
        this.lab = lab;
        startHub();
    }

    void startHub() {
        var hub = lab.machine("hub1").java(WideNode.class, "hub", PORT + "");
        programs.put("hub1", hub);
        hub.said("ready", LONG);
    }

    /// Starts nodes, at once; waits until all have joined.
    ///
    /// @param option for their JVMs
    Town start(String option, String... hosts) {
        var starting =
                Arrays.stream(hosts)
                        .map(host ->
                                CompletableFuture.runAsync(
                                        () -> start(option, host), Thread::startVirtualThread))
                        .toList();
        starting.forEach(CompletableFuture::join);
        return this;
    }

    private void start(String option, String host) {
        var hub = lab.machine("hub1").address() + ":" + PORT;
        var program = lab.machine(host).java(List.of(option), WideNode.class, hub, "town");
        programs.put(host, program);
        ids.put(host, program.said("id", LONG));
    }

    Running program(String host) {
        return programs.get(host);
    }

    String id(String host) {
        return ids.get(host);
    }

    /// Has a host do something.
    ///
    /// @return what it says of it, without its number
    String ask(String host, String number, String order) {
        var program = programs.get(host);
        int before = program.lines().size();
        program.say(number + " " + order);
        var words = "(pinged|tried|offered|opened|goes|wrote|elected|failed) .*";
        // What was said before is of another order with this number.
        var all = program.any(new Later(before, number + " " + words), LONG);
        return all.substring(number.length() + 1);
    }

    /// Lines behind so many that match.
    private static final class Later implements Predicate<String> {
        private int left;
        private final String pattern;

        Later(int before, String pattern) {
            this.left = before;
            this.pattern = pattern;
        }

        @Override
        public boolean test(String line) {
            return left-- <= 0 && line.matches(pattern);
        }
    }

    /// A connection from one host to another.
    final class Stream {
        final String number = "" + numbers.incrementAndGet();
        final String from;
        final String to;
        private final String stack;
        private int sent;

        Stream(String from, String to, String stack) {
            this.from = from;
            this.to = to;
            this.stack = stack;
        }

        /// Makes it.
        ///
        /// @return the method
        String open() {
            if (!stack.isEmpty()) {
                assertThat(ask(to, number, "offer " + stack)).isEqualTo("offered " + stack);
            }
            var said = ask(from, number, ("open " + id(to) + " " + stack).strip());
            assertThat(said).startsWith("opened ");
            return said.substring("opened ".length());
        }

        /// What its link is made of.
        String way() {
            return ask(from, number, "way").substring("goes ".length());
        }

        /// Sends messages, and waits until the other end has got them all, in order.
        void carry(int count, int bytes) {
            assertThat(ask(from, number, "write " + count + " " + bytes))
                    .isEqualTo("wrote " + count);
            sent += count;
            var last = "got " + number + " " + (sent - 1);
            programs.get(to).any(line -> line.equals(last), LONG);
            var got =
                    programs.get(to).lines().stream()
                            .filter(line -> line.startsWith("got " + number + " "))
                            .toList();
            for (int i = 0; i < sent; i++) {
                assertThat(got.get(i)).isEqualTo("got " + number + " " + i);
            }
        }

        /// Writes until it fails.
        ///
        /// @return why
        String fail() {
            while (true) {
                var said = ask(from, number, "write 1 200000");
                if (said.startsWith("failed ")) {
                    return said;
                }
            }
        }
    }

    Stream stream(String from, String to) {
        return new Stream(from, to, "");
    }

    /// With ports of their own, of such a stack; one each way for a stack.
    Stream stream(String from, String to, String stack) {
        return new Stream(from, to, stack);
    }

    /// How often a host has said that a connection to it was lost.
    long losses(String host) {
        return programs.get(host).lines().stream().filter(line -> line.startsWith("gone ")).count();
    }

    /// Waits until it says so once more.
    void awaitLoss(String host, long before) {
        withinAMinute(host + " has lost one", () -> losses(host) > before);
    }

    /// What a program holds in its heap.
    long memory(String host) {
        var program = programs.get(host);
        program.say("memory");
        return Long.parseLong(program.said("memory", LONG));
    }
}
