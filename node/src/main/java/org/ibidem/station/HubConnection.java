package org.ibidem.station;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.accept.HubLine;
import org.ibidem.accept.HubPlace;
import org.ibidem.accept.Observation;
import org.ibidem.accept.Observer;
import org.ibidem.config.AddressFamilies;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Relay;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Egress;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The one connection of a node that is open to others to its hub: a trunk, which carries what the
/// two say to each other and the node's routed streams; and what the hub does for the node's
/// connections besides telling who is there: it carries, and it observes.
public final class HubConnection implements HubLine, Relay, Observer, AutoCloseable {
    /// For so long a peer that has no trunk yet is asked for again: it may just be joining.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration ASK_AGAIN = Duration.ofMillis(100);

    private final String pool;
    private final NodeRuntime runtime;
    private final Tasks tasks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Made made;
    private @Nullable Trunk trunk;
    private boolean asked;
    private String why = "there was no time yet to connect to it";
    private volatile boolean closed;
    private volatile @Nullable HubPlace hub;
    private volatile Egress egress = Egress.UNKNOWN;

    /// The connection made last; what it carries goes over it once the hub has welcomed the node.
    private record Made(Trunk trunk, Proved hub, HubPlace place) {}

    /// For a node of this pool.
    public HubConnection(String pool, NodeRuntime runtime) {
        this.pool = pool;
        this.runtime = runtime;
        this.tasks = runtime.tasks();
    }

    /// Begins to serve the node's connections.
    public void start() {
        runtime.relayedBy(() -> this);
        runtime.observedBy(this);
        runtime.egress(() -> egress);
    }

    /// Makes the trunk, in the place of the one before, which is of no use any more; what is
    /// returned is its stream to the hub itself.
    @Override
    public Proved dial(HubPlace place, Duration limit) throws IOException {
        long end = tasks.nanoTime() + limit.toNanos();
        replace(null);
        hub = place;
        var hello = Hello.routed(pool, null);
        var proved = place.dial(runtime.handshake(), hello, tasks, limit);
        var made = new Trunk(proved.stream(), runtime.id(), tasks, runtime.listener()::visit);
        replace(new Made(made, proved, place));
        tasks.vital("trunk", () -> run(made));
        try {
            var left = Duration.ofNanos(Math.max(1, end - tasks.nanoTime()));
            var own = made.openToHub(proved.peer(), left);
            return new Proved(own, proved.key(), proved.hello(), proved.version(), true);
        } catch (IOException e) {
            made.giveUp();
            throw e;
        } catch (InterruptedException _) {
            made.giveUp();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the hub was connected to");
        }
    }

    @Override
    public StreamPath under(Proved hub) {
        lock.lock();
        try {
            return made == null ? hub.stream() : made.hub.stream();
        } finally {
            lock.unlock();
        }
    }

    private void replace(@Nullable Made by) {
        lock.lock();
        try {
            if (made != null) {
                made.trunk.giveUp();
            }
            made = by;
            trunk = null;
            why = "it is being made";
            if (by != null && closed) {
                by.trunk.close();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void welcomed() {
        lock.lock();
        try {
            var there = made;
            if (there != null && there.trunk.ending() == null) {
                trunk = there.trunk;
                changed.signalAll();
                tasks.start(
                        "find the way out",
                        () -> found(Observation.egress(there.hub, there.place, tasks)));
            }
        } finally {
            lock.unlock();
        }
    }

    private void run(Trunk over) {
        over.run();
        lock.lock();
        try {
            if (over.equals(trunk)) {
                trunk = null;
                why = String.valueOf(over.ending());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public StreamPath open(NodeId peer, Duration limit) throws IOException, InterruptedException {
        long end = tasks.nanoTime() + limit.toNanos();
        long patience = tasks.nanoTime() + Math.min(limit.toNanos(), PATIENCE.toNanos());
        while (true) {
            var over = trunk(end);
            try {
                return over.open(peer, Duration.ofNanos(end - tasks.nanoTime()));
            } catch (IOException e) {
                if (tasks.nanoTime() - patience > 0) {
                    throw e;
                }
                tasks.pause(ASK_AGAIN);
            }
        }
    }

    private Trunk trunk(long end) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (trunk == null) {
                long left = end - tasks.nanoTime();
                if (left <= 0 || closed) {
                    throw new IOException(
                            "there is no connection to it for routed streams: " + why);
                }
                changed.awaitNanos(left);
            }
            return trunk;
        } finally {
            lock.unlock();
        }
    }

    private void found(Egress way) {
        lock.lock();
        try {
            egress = way;
            asked = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// How this node's connections get out; waits until the hub was asked.
    public Egress egress(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (!asked && left > 0) {
                left = changed.awaitNanos(left);
            }
            return egress;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public InetSocketAddress address() {
        var at = hub;
        return at == null
                ? InetSocketAddress.createUnresolved("(no hub)", 0)
                : InetSocketAddress.createUnresolved(at.host(), at.port());
    }

    @Override
    public @Nullable InetSocketAddress observe(SocketChannel socket, Duration limit)
            throws IOException {
        var at = hub;
        var addresses = at == null ? List.<InetSocketAddress>of() : at.addresses(tasks, limit);
        // What IPv6 addresses are is known without asking: nobody translates them.
        boolean six = LocalAddresses.mine().stream().allMatch(mine -> mine instanceof Inet6Address);
        for (var address : addresses) {
            boolean same = address.getAddress() instanceof Inet6Address == six;
            if (same && AddressFamilies.has(address.getAddress())) {
                return Observation.ask(socket, address, limit).seen();
            }
        }
        return null;
    }

    /// Ends the trunk.
    @Override
    public void close() {
        closed = true;
        lock.lock();
        try {
            if (made != null) {
                made.trunk.close();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
