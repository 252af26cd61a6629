package org.ibidem.service;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.ibidem.IbidemException;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Relay;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.link.Tasks;
import org.ibidem.topology.Egress;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What the hub does for a node's connections, besides telling who is there: it carries routed
/// streams, over a trunk that is kept and made again when it is lost; and it observes.
public final class Hubward implements Relay, Observer, AutoCloseable {
    private static final Logger LOG = System.getLogger(Hubward.class.getName());
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration DIAL_LIMIT = Duration.ofSeconds(10);

    /// For so long a peer that has no trunk yet is asked for again: it may just be joining.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration ASK_AGAIN = Duration.ofMillis(100);

    private final String pool;
    private final Station station;
    private final Tasks tasks;
    private final Supplier<@Nullable At> hub;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Trunk trunk;
    private boolean asked;
    private String why = "there was no time yet to connect to it";
    private volatile boolean closed;
    private volatile Egress egress = Egress.UNKNOWN;

    /// The hub that this node is attached to.
    ///
    /// @param place where it is
    /// @param id who it has proved to be
    public record At(HubPlace place, NodeId id) {}

    /// For a node of this pool.
    ///
    /// @param hub the hub it is attached to now, or null
    public Hubward(String pool, Station station, Supplier<@Nullable At> hub) {
        this.pool = pool;
        this.station = station;
        this.tasks = station.tasks();
        this.hub = hub;
    }

    /// Begins to keep a trunk.
    public void start() {
        station.relayedBy(() -> this);
        station.observedBy(this);
        station.egress(() -> egress);
        tasks.start("trunk", () -> keep(FIRST_PAUSE));
    }

    private void keep(Duration pause) {
        if (closed) {
            return;
        }
        var next = pause;
        var at = hub.get();
        if (at != null) {
            try {
                carry(at);
                next = FIRST_PAUSE;
            } catch (IOException | RuntimeException e) {
                if (!(e instanceof IOException || e instanceof IbidemException)) {
                    LOG.log(
                            Level.ERROR,
                            "the trunk of node " + station.id().brief() + " failed",
                            e);
                }
                lost(String.valueOf(e.getMessage()));
            }
        }
        var longer = next.multipliedBy(2);
        var then = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        if (!closed) {
            tasks.after(next, "trunk", () -> keep(then));
        }
    }

    private void carry(At at) throws IOException {
        var hello = Hello.routed(pool, at.id);
        var proved = at.place.dial(station.handshake(), hello, tasks, DIAL_LIMIT);
        tasks.start("find the way out", () -> found(Observation.egress(proved, at.place)));
        var made = new Trunk(proved.channel(), station.id(), tasks, station.listener()::visit);
        set(made);
        if (closed) {
            made.close();
        }
        made.run();
        lost(String.valueOf(made.ending()));
    }

    private void set(Trunk made) {
        lock.lock();
        try {
            trunk = made;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void lost(String reason) {
        lock.lock();
        try {
            trunk = null;
            why = reason;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SocketChannel open(NodeId peer, Duration limit)
            throws IOException, InterruptedException {
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
                Thread.sleep(ASK_AGAIN);
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
        var at = hub.get();
        return at == null
                ? InetSocketAddress.createUnresolved("(no hub)", 0)
                : InetSocketAddress.createUnresolved(at.place.host(), at.place.port());
    }

    @Override
    public @Nullable InetSocketAddress observe(SocketChannel socket, Duration limit)
            throws IOException {
        var at = hub.get();
        var addresses = at == null ? List.<InetSocketAddress>of() : at.place.addresses();
        // What IPv6 addresses are is known without asking: nobody translates them.
        boolean six = LocalAddresses.mine().stream().allMatch(mine -> mine instanceof Inet6Address);
        for (var address : addresses) {
            if (address.getAddress() instanceof Inet6Address == six) {
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
            var mine = trunk;
            if (mine != null) {
                mine.close();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
