package org.ibidem.hub;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.hub.relay.Limits;
import org.ibidem.hub.relay.Relay;
import org.ibidem.service.Admission;
import org.ibidem.service.ControlLink;
import org.ibidem.service.Handshake;
import org.ibidem.service.Hello;
import org.ibidem.service.Identity;
import org.ibidem.service.Listener;
import org.ibidem.service.NodeKey;
import org.ibidem.service.Proved;
import org.ibidem.service.Purpose;
import org.ibidem.service.Refusal;
import org.ibidem.topology.NodeId;

/// A hub: nodes join pools through it, hear who else is there, and learn how each can be reached.
/// Runs in any JVM; several may.
///
/// ```java
/// try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
///     var node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
/// }
/// ```
///
/// Nobody needs it for connections that are made already: they outlive it.
public final class Hub implements AutoCloseable {
    /// The port where nothing else is said.
    public static final int DEFAULT_PORT = 8888;

    private static final int MOST_STRANGERS = 1024;
    private static final Logger LOG = System.getLogger(Hub.class.getName());
    private static final Duration GOODBYE = Duration.ofSeconds(2);
    private static final Duration LONGEST_SWEEP = Duration.ofMillis(500);

    private final Options options;
    private final Threads tasks;
    private final Handshake handshake;
    private final Listener listener;
    private final Register register;
    private final Prober prober;
    private final Relay relay;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    /// How a hub runs.
    ///
    /// @param port to listen on; 0: any free one
    /// @param open true: on all interfaces, so that whoever reaches the port may join; false:
    ///   loopback only
    /// @param bounds what it holds, and how long it waits
    /// @param rhythm bounds and heartbeat of its connections
    public record Options(int port, boolean open, Bounds bounds, ControlLink.Limits rhythm) {
        /// Port 8888, loopback only.
        public static final Options DEFAULT =
                new Options(DEFAULT_PORT, false, Bounds.DEFAULT, ControlLink.Limits.DEFAULT);

        /// The same on another port.
        public Options port(int another) {
            return new Options(another, open, bounds, rhythm);
        }

        /// The same, open or not.
        public Options open(boolean toAll) {
            return new Options(port, toAll, bounds, rhythm);
        }

        /// The same, with other bounds.
        public Options bounds(Bounds others) {
            return new Options(port, open, others, rhythm);
        }

        /// The same, with another rhythm of connections.
        public Options rhythm(ControlLink.Limits another) {
            return new Options(port, open, bounds, another);
        }
    }

    private Hub(Options options, Clock clock) {
        this.options = options;
        this.tasks = new Threads("hub", clock);
        this.handshake = new Handshake(Identity.create(), tasks, Handshake.LIMIT);
        this.prober = new Prober(handshake, tasks);
        this.register = new Register(new Pools(epoch(), options.bounds), tasks);
        this.relay =
                new Relay(
                        Limits.DEFAULT,
                        tasks,
                        (pool, node) -> register.contact(pool, node).isPresent());
        this.listener = listen();
    }

    /// Starts a hub; it listens when this returns.
    ///
    /// @throws org.ibidem.service.CannotListen when the port is taken or may not be used
    public static Hub start(Options options) {
        return start(options, Clock.SYSTEM);
    }

    static Hub start(Options options, Clock clock) {
        var hub = new Hub(options, clock);
        hub.sweepLater();
        hub.listener.serve(Purpose.BOOTSTRAP, hub::judge, hub::serve);
        hub.listener.serve(Purpose.ROUTED, hub.relay::judge, hub.relay::serve);
        return hub;
    }

    /// Who it is; new each time a hub is started.
    public NodeId id() {
        return handshake.identity().id();
    }

    /// The port it listens on.
    public int port() {
        return listener.port();
    }

    /// Where nodes may reach it, best first.
    public List<InetSocketAddress> addresses() {
        return listener.addresses();
    }

    /// What became of the connections to its port so far.
    public Listener.Tally tally() {
        return listener.tally();
    }

    /// Ends the hub. Its nodes keep their connections to each other, and look for it until it is
    /// back.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            listener.close();
            relay.close();
            sayGoodbye();
            tasks.close();
        }
    }

    private void sayGoodbye() {
        var sessions = register.all();
        var said = new CountDownLatch(sessions.size());
        for (var session : sessions) {
            tasks.start(
                    "goodbye",
                    () -> {
                        session.end("the hub was ended");
                        said.countDown();
                    });
        }
        try {
            if (!said.await(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.DEBUG, "{0} nodes did not hear the hub's goodbye", said.getCount());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Listener listen() {
        try {
            return Listener.open(options.port, options.open, handshake, tasks);
        } catch (RuntimeException e) {
            tasks.close();
            throw e;
        }
    }

    private Admission.Verdict judge(NodeKey claimed, Hello hello) {
        if (hello.pool().isEmpty()) {
            return new Admission.Refused(Refusal.POOL, "a pool has a name: say which one to join");
        }
        if (connections.get() >= options.bounds.members() + MOST_STRANGERS) {
            return new Admission.Refused(
                    Refusal.FULL, "this hub serves as many connections as it can");
        }
        return new Admission.Welcome();
    }

    private void serve(Proved proved) {
        connections.incrementAndGet();
        try {
            var link = ControlLink.over(proved, tasks, options.rhythm);
            new Session(register, prober, link, tasks).run();
        } finally {
            connections.decrementAndGet();
        }
    }

    private void sweepLater() {
        var often = options.bounds.suspicion().dividedBy(10);
        var next = often.compareTo(LONGEST_SWEEP) < 0 ? often : LONGEST_SWEEP;
        tasks.after(
                next,
                "sweep",
                () -> {
                    register.sweep();
                    sweepLater();
                });
    }

    private static long epoch() {
        var random = new SecureRandom();
        long epoch = 0;
        while (epoch == 0) {
            epoch = random.nextLong();
        }
        return epoch;
    }
}
