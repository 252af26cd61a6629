package org.ibidem.dial;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.connect.ByDatagrams;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Unreachable;
import org.ibidem.dial.Experience.Towards;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.NotDirect;
import org.ibidem.handshake.Proved;
import org.ibidem.link.Reach;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.peer.Purpose;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// Makes proved connections to peers by the best method there is: those that usually are better get
/// a head start, and the first connection that proves itself wins. What worked is remembered for a
/// while and tried first the next time; where it is a relay only for a short while, and nothing
/// better has to wait for it.
public final class Dialler {
    private static final Duration REMEMBERED = Duration.ofMinutes(5);
    private static final Duration RELAY_REMEMBERED = Duration.ofSeconds(30);

    /// A plain connection that is to be takes no longer, usually.
    private static final Duration PLAIN_CONNECTION = Duration.ofMillis(1_200);

    /// A path within a site is there at once, or what stands in its way is silent.
    private static final Duration DIRECT_CONNECTION = Duration.ofSeconds(4);

    private static final Set<String> PLAIN = Set.of("direct", "reverse");

    private final Handshake handshake;
    private final Policy policy;
    private final Brokering brokering;
    private final Tasks tasks;
    private final boolean open;
    private final Experience experience;

    /// Those that are being made.
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();

    /// @param open whether there is more than this host: else there is nothing but direct
    public Dialler(Handshake handshake, Policy policy, Brokering brokering, boolean open) {
        this.handshake = handshake;
        this.policy = policy;
        this.brokering = brokering;
        this.tasks = brokering.tasks();
        this.open = open;
        this.experience = new Experience(tasks, LineFile.of(Settings.system()));
    }

    /// By which methods this node has connected to its peers.
    public Experience experience() {
        return experience;
    }

    /// The methods by which data links to this peer are being tried now.
    public List<String> trying(NodeId peer) {
        return attempts.stream()
                .filter(attempt -> attempt.contact.id().equals(peer))
                .filter(attempt -> attempt.hello.purpose() != Purpose.SERVICE)
                .flatMap(attempt -> attempt.tries.stream().filter(Attempt.Try::running))
                .map(each -> each.method.name())
                .distinct()
                .toList();
    }

    /// Connects.
    ///
    /// @throws Unreachable when no method does; says why of each
    /// @throws NotDirect instead, where only a direct path would do
    public Proved dial(Contact contact, Hello hello, Duration limit) {
        if (!handshake.mustBeDirect(hello)) {
            return connected(contact, hello, limit);
        }
        try {
            boolean brief = open && limit.compareTo(DIRECT_CONNECTION) > 0;
            return connected(contact, hello, brief ? DIRECT_CONNECTION : limit);
        } catch (IbidemException e) {
            throw new NotDirect(e);
        }
    }

    private Proved connected(Contact contact, Hello hello, Duration limit) {
        var purpose = hello.purpose();
        var context = brokering.context(contact.id(), limit);
        var wanted = policy.preferences().towards(policy.place(contact));
        boolean direct = handshake.mustBeDirect(hello);
        var useful =
                wanted.orElse(policy.preferences().methods()).stream()
                        .filter(method -> useful(method, purpose, context))
                        .filter(method -> !direct || PLAIN.contains(method.name()))
                        .filter(method -> policy.whyNot(method, contact).isEmpty())
                        .toList();
        if (useful.isEmpty()) {
            throw none(contact, purpose);
        }
        if (!open) {
            var made = alone(useful.getFirst(), contact, hello, limit);
            var method = useful.getFirst().name();
            experience.made(new Towards(contact.id(), purpose), method);
            return made.by(method);
        }
        var attempt = new Attempt(contact, hello, limit);
        var towards = new Towards(contact.id(), purpose);
        var known = known(towards, useful);
        attempts.add(attempt);
        try {
            var made = attempt.run(useful, known, wanted.isPresent());
            experience.made(towards, attempt.told().method());
            return made.by(attempt.told().method());
        } finally {
            attempts.remove(attempt);
            experience.told(towards, attempt.told(), known);
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
        var known = experience.worked(towards);
        if (known == null) {
            return "";
        }
        boolean relay =
                useful.stream()
                        .anyMatch(each ->
                                each.name().equals(known.method()) && DialSchedule.relays(each));
        var longest = relay ? RELAY_REMEMBERED : REMEMBERED;
        return tasks.nanoTime() - known.when() < longest.toNanos() ? known.method() : "";
    }

    private boolean useful(ConnectMethod method, Purpose purpose, MethodContext context) {
        if (purpose.byDatagrams()
                && (context.datagrams() == null || !(method instanceof ByDatagrams))) {
            return false;
        }
        if (!open) {
            return method.name().equals("direct");
        }
        return purpose == Purpose.SERVICE
                ? method.traits().bootstrap()
                        && (context.relay() != null || !DialSchedule.relays(method))
                : context.relay() != null || !DialSchedule.relays(method);
    }

    private Proved alone(ConnectMethod method, Contact contact, Hello hello, Duration limit) {
        if (method.reach(contact) instanceof Reach.No(var why)) {
            throw new Unreachable(
                    "node " + contact.id().brief() + " cannot be reached: " + why, List.of());
        }
        Check<Proved> check = path -> handshake.begin(path, hello)::finish;
        return connect(method, contact, check, hello, brokering.alone(limit));
    }

    /// By a path of the kind that the purpose needs.
    private static Proved connect(
            ConnectMethod method,
            Contact contact,
            Check<Proved> check,
            Hello hello,
            MethodContext context) {
        return hello.purpose().byDatagrams()
                ? ((ByDatagrams) method).connectByDatagrams(contact, check, context)
                : method.connect(contact, check, context);
    }

    /// One connection to be made.
    private final class Attempt {
        private final Contact contact;
        private final Hello hello;
        private final Duration limit;
        private final long began = tasks.nanoTime();
        private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
        private final AtomicBoolean decided = new AtomicBoolean();
        private final List<Try> tries = new CopyOnWriteArrayList<>(); // others look, too
        private final DialSchedule schedule;
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
            this.schedule =
                    new DialSchedule(
                            hello.purpose() == Purpose.SERVICE,
                            policy.costs(contact),
                            brokering.reports().lately(contact.id()).stream()
                                    .anyMatch(Attempt::unforeseeable));
        }

        private static boolean unforeseeable(Surroundings said) {
            return DialSchedule.unforeseeable(said, LocalAddresses.mine());
        }

        /// @param ordered whether somebody has said in which order
        Proved run(List<ConnectMethod> useful, String first, boolean ordered) {
            schedule.of(useful, first, ordered)
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
            proved.path().close();
        }

        private Proved decide() throws InterruptedException {
            while (true) {
                switch (events.take()) {
                    case Begins(var what) -> what.begin();
                    case TimeIsUp() -> throw lost("was not done in time");
                    case Made(var by, var proved) -> {
                        by.over(true, "connected");
                        tries.forEach(each -> each.over(false, each.late(by)));
                        return proved;
                    }
                    case Failed(var what, var why) -> {
                        what.cause = why;
                        what.over(false, String.valueOf(why.getMessage()));
                        if (NotDirect.said(why)) {
                            throw lost("was not tried to the end"); // no other way is better
                        }
                        hurry();
                    }
                }
            }
        }

        /// When nobody runs any more the next begins at once; the relay also when those that are
        /// left are only plain connections, which come about soon or never.
        private void hurry() {
            var relay = tries.stream().filter(each -> DialSchedule.relays(each.method)).findAny();
            boolean hope = tries.stream().anyMatch(Try::hopeful);
            if (relay.isPresent() && !hope && !schedule.declared(relay.get().method)) {
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
                each.over(false, each.begun ? why : "was not tried");
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
            private volatile boolean begun;
            private volatile boolean over;
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
                        && !DialSchedule.relays(method)
                        && !PLAIN.contains(method.name())
                        && !schedule.doubtful(method);
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
                        brokering.reports().ask(contact.id()); // there may be something between
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
                    var context = brokering.context(contact.id(), left);
                    tell(new Made(this, connect(method, contact, check(), hello, context)));
                } catch (IbidemException e) {
                    events.add(new Failed(this, e));
                } catch (RuntimeException | Error e) { // a class is missing, say
                    events.add(new Failed(this, new IbidemException("it failed: " + e, e)));
                }
            }

            /// Of all connections of all methods one goes on.
            private Check<Proved> check() {
                return path -> {
                    var opening = handshake.begin(path, hello);
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
