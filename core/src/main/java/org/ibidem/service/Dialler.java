package org.ibidem.service;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Means;
import org.ibidem.connect.Unreachable;
import org.ibidem.link.Reach;
import org.ibidem.link.Tasks;
import org.ibidem.service.Deliberation.Tried;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// Makes proved connections to peers by the best method there is: those that usually are better get
/// a head start, and the first connection that proves itself wins. What worked is remembered for a
/// while and tried first the next time; where it is a relay only for a short while, and nothing
/// better has to wait for it.
final class Dialler {
    /// The purposes of connections between nodes.
    private static final List<Purpose> CONNECTIONS =
            List.of(Purpose.SERVICE, Purpose.DATA, Purpose.SHARED);

    private static final int MOST_REMEMBERED = 4096;
    private static final Duration REMEMBERED = Duration.ofMinutes(5);
    private static final Duration RELAY_REMEMBERED = Duration.ofSeconds(30);

    /// A plain connection that is to be takes no longer, usually.
    private static final Duration PLAIN_CONNECTION = Duration.ofMillis(1_200);

    private static final Set<String> PLAIN = Set.of("direct", "reverse");

    private final Handshake handshake;
    private final Policy policy;
    private final Brokering brokering;
    private final Tasks tasks;
    private final boolean open;
    private final Map<Towards, Worked> worked = Recent.map(MOST_REMEMBERED);
    private final Map<Towards, Deliberation> last = Recent.map(MOST_REMEMBERED);

    /// What worked last, however long ago: for people.
    private final Map<Towards, Worked> history = Recent.map(MOST_REMEMBERED);

    private record Towards(NodeId peer, Purpose purpose) {}

    private record Worked(String method, long when) {}

    /// @param open whether there is more than this host: else there is nothing but direct
    Dialler(Handshake handshake, Policy policy, Brokering brokering, boolean open) {
        this.handshake = handshake;
        this.policy = policy;
        this.brokering = brokering;
        this.tasks = brokering.tasks();
        this.open = open;
    }

    /// How the last connection to this peer came about.
    @Nullable Deliberation last(NodeId peer, Purpose purpose) {
        return last.get(new Towards(peer, purpose));
    }

    /// The peer is gone for good.
    void forget(NodeId peer) {
        for (var purpose : CONNECTIONS) {
            worked.remove(new Towards(peer, purpose));
            history.remove(new Towards(peer, purpose));
        }
    }

    /// What worked last towards a peer, for each purpose, the newest first.
    List<Acquaintance.Worked> history(NodeId peer) {
        long now = tasks.nanoTime();
        return CONNECTIONS.stream()
                .flatMap(purpose ->
                        Optional.ofNullable(history.get(new Towards(peer, purpose))).stream()
                                .map(it ->
                                        new Acquaintance.Worked(
                                                purpose,
                                                it.method,
                                                Duration.ofNanos(now - it.when))))
                .sorted(Comparator.comparing(Acquaintance.Worked::ago))
                .toList();
    }

    /// The peers of whom there is such a history.
    Set<NodeId> known() {
        synchronized (history) { // as its iterators want it
            return history.keySet().stream().map(Towards::peer).collect(Collectors.toSet());
        }
    }

    private void remember(Towards towards, String method) {
        history.remove(towards); // the oldest is the one used longest ago
        history.put(towards, new Worked(method, tasks.nanoTime()));
    }

    /// Connects.
    ///
    /// @throws Unreachable when no method does; says why of each
    Proved dial(Contact contact, Hello hello, Duration limit) {
        var purpose = hello.purpose();
        var means = brokering.means(contact.id(), limit);
        var wanted = policy.preferences().towards(policy.place(contact));
        var useful =
                wanted.orElse(policy.preferences().methods()).stream()
                        .filter(method -> useful(method, purpose, means))
                        .filter(method -> policy.whyNot(method, contact).isEmpty())
                        .toList();
        if (useful.isEmpty()) {
            throw none(contact, purpose);
        }
        if (!open) {
            var made = alone(useful.getFirst(), contact, hello, limit);
            remember(new Towards(contact.id(), purpose), useful.getFirst().name());
            return made;
        }
        var attempt = new Attempt(contact, hello, limit);
        var towards = new Towards(contact.id(), purpose);
        var known = known(towards, useful);
        try {
            var made = attempt.run(useful, known, wanted.isPresent());
            remember(towards, attempt.told().method());
            return made;
        } finally {
            var told = attempt.told();
            last.put(towards, told);
            if (told.method().isEmpty()) {
                worked.remove(towards);
            } else if (!known.equals(told.method())) {
                worked.put(towards, new Worked(told.method(), tasks.nanoTime()));
            }
        }
    }

    private Unreachable none(Contact contact, Purpose purpose) {
        return new Unreachable(
                "node "
                        + contact.id().brief()
                        + " cannot be reached: of the connect methods allowed none is of use for "
                        + purpose
                        + "; "
                        + policy.preferences().methods().stream()
                                .map(method -> policy.whyNot(method, contact))
                                .filter(why -> !why.isEmpty())
                                .distinct()
                                .collect(Collectors.joining("; ")),
                List.of());
    }

    /// The method that worked lately, or an empty text.
    private String known(Towards towards, List<ConnectMethod> useful) {
        var known = worked.get(towards);
        if (known == null) {
            return "";
        }
        boolean relay =
                useful.stream()
                        .anyMatch(each -> each.name().equals(known.method) && Turns.relays(each));
        var longest = relay ? RELAY_REMEMBERED : REMEMBERED;
        return tasks.nanoTime() - known.when < longest.toNanos() ? known.method : "";
    }

    private boolean useful(ConnectMethod method, Purpose purpose, Means means) {
        if (!open) {
            return method.name().equals("direct");
        }
        return purpose == Purpose.SERVICE
                ? method.traits().bootstrap() && (means.relay() != null || !Turns.relays(method))
                : means.relay() != null || !Turns.relays(method);
    }

    private Proved alone(ConnectMethod method, Contact contact, Hello hello, Duration limit) {
        if (method.reach(contact) instanceof Reach.No(var why)) {
            throw new Unreachable(
                    "node " + contact.id().brief() + " cannot be reached: " + why, List.of());
        }
        Check<Proved> check = channel -> handshake.begin(channel, hello)::finish;
        return method.connect(contact, check, new Means(tasks, limit));
    }

    /// One connection to be made.
    private final class Attempt {
        private final Contact contact;
        private final Hello hello;
        private final Duration limit;
        private final long began = tasks.nanoTime();
        private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
        private final AtomicBoolean decided = new AtomicBoolean();
        private final List<Try> tries = new ArrayList<>();
        private final Turns turns;
        private boolean left;

        private sealed interface Event {}

        private record Begins(Try what) implements Event {}

        private record Made(Try by, Proved proved) implements Event {}

        private record Failed(Try what, IbidemException why) implements Event {}

        private record TimeIsUp() implements Event {}

        Attempt(Contact contact, Hello hello, Duration limit) {
            this.contact = contact;
            this.hello = hello;
            this.limit = limit;
            this.turns =
                    new Turns(
                            hello.purpose() == Purpose.SERVICE,
                            policy.costs(contact),
                            brokering.hearsay().lately(contact.id()).stream()
                                    .anyMatch(Attempt::unforeseeable));
        }

        private static boolean unforeseeable(Surroundings said) {
            return Turns.unforeseeable(said, LocalAddresses.mine());
        }

        /// @param ordered whether somebody has said in which order
        Proved run(List<ConnectMethod> useful, String first, boolean ordered) {
            turns.of(useful, first, ordered)
                    .forEach((method, at) -> tries.add(new Try(method, at)));
            tries.sort(Comparator.comparing(each -> each.at));
            var clock = tasks.after(limit, "limit to connect", () -> events.add(new TimeIsUp()));
            tries.forEach(Try::await);
            if (tries.stream().noneMatch(Try::running)) {
                tries.getFirst().begin(); // there is nobody whom it would give a head start
            }
            try {
                return decide();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw lost("the thread was interrupted");
            } finally {
                clock.stop();
                tries.forEach(Try::stop);
                leave();
            }
        }

        /// What still comes finds nobody: connections that nobody gets are closed.
        private void leave() {
            synchronized (events) {
                left = true;
            }
            for (var late = events.poll(); late != null; late = events.poll()) {
                if (late instanceof Made(_, var proved)) {
                    close(proved);
                }
            }
        }

        private void tell(Event what) {
            synchronized (events) {
                if (!left) {
                    events.add(what);
                    return;
                }
            }
            if (what instanceof Made(_, var proved)) {
                close(proved);
            }
        }

        private static void close(Proved proved) {
            try {
                proved.channel().close();
            } catch (IOException _) {
                // nobody has it
            }
        }

        private Proved decide() throws InterruptedException {
            while (true) {
                switch (events.take()) {
                    case Begins(var what) -> what.begin();
                    case TimeIsUp() ->
                            throw lost("was not done within " + limit.toMillis() + " ms");
                    case Made(var by, var proved) -> {
                        by.over(true, "connected");
                        tries.forEach(each -> each.over(false, each.late(by)));
                        return proved;
                    }
                    case Failed(var what, var why) -> {
                        what.cause = why;
                        what.over(false, String.valueOf(why.getMessage()));
                        hurry();
                    }
                }
            }
        }

        /// When nobody runs any more the next begins at once; the relay also when those that are
        /// left are only plain connections, which come about soon or never.
        private void hurry() {
            var relay = tries.stream().filter(each -> Turns.relays(each.method)).findAny();
            boolean hope = tries.stream().anyMatch(Try::hopeful);
            if (relay.isPresent() && !hope && !turns.declared(relay.get().method)) {
                var elapsed = Duration.ofNanos(tasks.nanoTime() - began);
                relay.get().sooner(PLAIN_CONNECTION.minus(elapsed));
            }
            if (tries.stream().noneMatch(Try::running)) {
                var next = tries.stream().filter(each -> !each.begun).findFirst();
                if (next.isEmpty()) {
                    throw lost("");
                }
                next.get().begin();
            }
        }

        private Unreachable lost(String why) {
            for (var each : tries) {
                each.over(false, each.begun ? why : "was not tried any more");
            }
            var unreachable =
                    new Unreachable(
                            "node "
                                    + contact.id().brief()
                                    + " cannot be reached: "
                                    + told().reasons(),
                            List.of());
            tries.stream()
                    .map(each -> each.cause)
                    .filter(Objects::nonNull)
                    .forEach(unreachable::addSuppressed);
            return unreachable;
        }

        Deliberation told() {
            return new Deliberation(
                    contact.id(),
                    hello.purpose(),
                    tries.stream().filter(each -> each.begun).map(Try::told).toList());
        }

        /// One method.
        private final class Try {
            private final ConnectMethod method;
            private final Duration at;
            private boolean begun;
            private boolean over;
            private boolean connected;
            private long begin;
            private long end;
            private String why = "";
            private @Nullable IbidemException cause;
            private Tasks.@Nullable Task waiting;
            private Tasks.@Nullable Task task;

            Try(ConnectMethod method, Duration at) {
                this.method = method;
                this.at = at;
            }

            void await() {
                if (at.isZero()) {
                    begin();
                } else {
                    waiting =
                            tasks.after(
                                    at,
                                    "turn of " + method.name(),
                                    () -> events.add(new Begins(this)));
                }
            }

            /// Whether it may still connect, although not at once.
            boolean hopeful() {
                return !over
                        && !Turns.relays(method)
                        && !PLAIN.contains(method.name())
                        && !turns.doubtful(method);
            }

            void sooner(Duration delay) {
                if (delay.isPositive()) {
                    tasks.after(
                            delay, "turn of " + method.name(), () -> events.add(new Begins(this)));
                } else {
                    begin();
                }
            }

            void begin() {
                if (!begun) {
                    begun = true;
                    if (!at.isZero()) {
                        brokering.hearsay().ask(contact.id()); // there may be something between
                    }
                    begin = tasks.nanoTime();
                    task = tasks.start(method.name(), this::run);
                }
            }

            private void run() {
                try {
                    if (method.reach(contact) instanceof Reach.No(var reason)) {
                        throw new Unreachable(reason, List.of());
                    }
                    var left = limit.minusNanos(tasks.nanoTime() - began);
                    var means = brokering.means(contact.id(), left);
                    tell(new Made(this, method.connect(contact, check(), means)));
                } catch (IbidemException e) {
                    events.add(new Failed(this, e));
                } catch (RuntimeException e) {
                    events.add(new Failed(this, new IbidemException("it failed: " + e, e)));
                }
            }

            /// Of all connections of all methods one goes on.
            private Check<Proved> check() {
                return channel -> {
                    var opening = handshake.begin(channel, hello);
                    return () -> {
                        if (!decided.compareAndSet(false, true)) {
                            throw new IOException("was not needed: another way was faster");
                        }
                        try {
                            return opening.finish();
                        } catch (RuntimeException e) {
                            decided.set(false);
                            throw e;
                        }
                    };
                };
            }

            boolean running() {
                return begun && !over;
            }

            void over(boolean successful, String reason) {
                if (!over) {
                    over = true;
                    connected = successful;
                    why = reason;
                    end = tasks.nanoTime();
                }
            }

            void stop() {
                if (waiting != null) {
                    waiting.stop();
                }
                if (task != null && !connected) {
                    task.stop();
                }
                over(false, "was given up");
            }

            /// What to say of it when another was faster.
            private String late(Try winner) {
                return "had not connected yet when " + winner.method.name() + " had";
            }

            Tried told() {
                return new Tried(
                        method.name(),
                        Duration.ofNanos(begin - began),
                        Duration.ofNanos(end - begin),
                        connected,
                        why);
            }
        }
    }
}
