package org.ibidem.connect.routed;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ibidem.Visible;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Hearing;
import org.ibidem.connect.Heartbeat;
import org.ibidem.link.BargingLock;
import org.ibidem.link.FreeNumbers;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One connection that carries many streams: of a node to its hub, for all its routed streams, or
/// between two nodes, for the links they share it with. Whoever calls [#run] reads; one task writes
/// while there is something to write, one frame of each stream in turn.
///
/// What the peer sent and nobody has read here is bounded by each stream's window, and what waits
/// to be sent by each stream's queue: so the trunk itself never stands still for one of them.
public final class Trunk implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Trunk.class.getName());
    private static final int BATCH = 64 << 10;

    private static final Duration BEAT = Heartbeat.USUAL.interval();
    private static final Duration SILENCE = Heartbeat.USUAL.silence();

    private final StreamPath path;
    private final TrunkEnds ends;
    private final String other;
    private final Tasks tasks;
    private final Consumer<StreamPath> visitors;
    private final Carrier carrier;
    private final Map<Integer, RoutedStream> streams = new ConcurrentHashMap<>();
    private final ByteBuffer batch = RoutedFrames.memory(BATCH); // the writer's

    private final ReentrantLock lock = new BargingLock();
    private final Outbox outbox;
    private final TrunkWriter writer;
    private boolean writing;
    private final Condition changed = lock.newCondition();
    private final FreeNumbers numbers;
    private final AtomicLong opened = new AtomicLong();
    private volatile @Nullable String ended;
    private final Hearing hearing;
    private volatile long said;

    /// To a hub, over a connection that was proved; it belongs to the trunk from now on.
    ///
    /// @param path in blocking mode
    /// @param me this node
    /// @param visitors get the streams that others open to this node, in blocking mode
    public Trunk(StreamPath path, NodeId me, Tasks tasks, Consumer<StreamPath> visitors) {
        this(path, TrunkEnds.toHub(me), tasks, visitors);
    }

    /// Over a connection between such ends that was proved; it belongs to the trunk from now on.
    ///
    /// @param path in blocking mode
    /// @param visitors get the streams that the other end opens, in blocking mode
    public Trunk(StreamPath path, TrunkEnds ends, Tasks tasks, Consumer<StreamPath> visitors) {
        this.path = path;
        this.ends = ends;
        this.other = ends.other();
        this.numbers = new FreeNumbers(ends.opener() ? 1 : 2, 2);
        this.tasks = tasks;
        this.visitors = visitors;
        this.carrier =
                new Carrier(
                        ends.me(),
                        Carrier.MUCH,
                        ends.leadsOn(),
                        tasks,
                        this::ready,
                        this::forget,
                        this::confirmed);
        this.hearing = new Hearing(tasks, BEAT);
        this.writer = new TrunkWriter(tasks, ends.leadsOn(), this::write);
        this.outbox = new Outbox(lock, new Backlog(tasks::nanoTime));
        this.said = tasks.nanoTime();
    }

    /// Why it has ended, or null while it carries.
    public @Nullable String ending() {
        return ended;
    }

    /// How long nothing was heard over it.
    public Duration quiet() {
        return hearing.quiet();
    }

    /// Streams that it carries now.
    public int size() {
        return streams.size();
    }

    /// Streams it has carried so far: while this stays and [#size] is 0, nobody uses it.
    public long carried() {
        return opened.get();
    }

    /// Of the streams that this end opens.
    FreeNumbers numbers() {
        return numbers;
    }

    /// Opens a stream to a node: any that has a trunk to the same hub, or the one at the other end.
    ///
    /// @return in blocking mode; what comes out there is accepted as a connection to that node is
    /// @throws IOException when it is not reached, or too many are open; the message says why
    /// @throws InterruptedException when it is not wanted any more
    public StreamPath open(NodeId peer, Duration limit) throws IOException, InterruptedException {
        return answered(begin(peer), limit);
    }

    /// Opens the stream on which this node speaks with the hub itself. It goes before all others,
    /// and ends as the connection does: in order where that is ended in order. That the hub is
    /// silent is from now on for whoever uses this stream to judge.
    ///
    /// @throws IOException when the hub does not take it; the message says why
    /// @throws InterruptedException when it is not wanted any more
    public StreamPath openToHub(NodeId hub, Duration limit)
            throws IOException, InterruptedException {
        var stream = begin(hub);
        outbox.first(stream);
        return answered(stream, limit);
    }

    private static StreamPath answered(RoutedStream stream, Duration limit)
            throws IOException, InterruptedException {
        try {
            stream.awaitAnswer(limit);
            return new RoutedPath(stream);
        } catch (IOException | InterruptedException e) {
            stream.close();
            throw e;
        }
    }

    private RoutedStream begin(NodeId peer) throws IOException {
        lock.lock();
        try {
            if (ended != null) {
                throw new IOException(ended);
            }
            if (streams.size() >= ends.mostStreams()) {
                throw new IOException(
                        "the connection to "
                                + other
                                + " carries "
                                + ends.mostStreams()
                                + " streams already");
            }
            int number = numbers.take(streams::containsKey);
            var stream = new RoutedStream(carrier, number, peer, ends.window(streams.size()), 0);
            opened.incrementAndGet();
            streams.put(stream.number(), stream);
            // A hub is told whom to, a node who asks.
            var named = ends.leadsOn() ? peer : ends.me();
            outbox.add(RoutedFrames.open(stream.number(), named, stream.window()));
            startWriter();
            return stream;
        } finally {
            lock.unlock();
        }
    }

    /// Reads until the connection ends; then all its streams are over.
    public void run() {
        beatLater();
        var into = RoutedFrames.memory(BATCH);
        try {
            while (ended == null) {
                if (path.read(into) < 0) {
                    endedByPeer();
                    return;
                }
                heard();
                into.flip();
                takeAll(into);
                into.compact();
            }
        } catch (Malformed e) {
            fail(other + " sent garbage: " + e.getMessage());
        } catch (IOException e) {
            end("the connection to " + other + " broke: " + e.getMessage());
        } finally {
            fail(ended != null ? ended : "what came from " + other + " could not be taken");
        }
    }

    private void heard() {
        hearing.heard();
        var mine = outbox.first();
        if (mine != null) {
            mine.sign();
        }
    }

    private void endedByPeer() {
        var mine = outbox.first();
        if (mine != null) {
            mine.peerEnded();
        }
        end(other + " has ended it");
    }

    /// Takes the frames that have wholly come.
    ///
    /// @throws Malformed when nobody may send this
    void takeAll(ByteBuffer from) {
        RoutedFrames.takeAll(from, this::take);
    }

    private void take(int kind, int number, ByteBuffer payload) {
        var stream = streams.get(number);
        switch (kind) {
            case RoutedFrames.PING -> say(RoutedFrames.bare(RoutedFrames.PONG, 0));
            case RoutedFrames.OPEN -> opened(number, payload);
            case RoutedFrames.PONG -> answered();
            default -> {
                if (stream != null) {
                    take(kind, stream, payload);
                }
            }
        }
    }

    private void take(int kind, RoutedStream stream, ByteBuffer payload) {
        switch (kind) {
            case RoutedFrames.GRANT -> stream.granted(RoutedFrames.credit(payload.getInt()));
            case RoutedFrames.DATA -> stream.arrived(payload);
            case RoutedFrames.END -> stream.peerEnded();
            case RoutedFrames.RESET -> {
                forget(stream);
                stream.reset(Visible.of(StandardCharsets.UTF_8.decode(payload).toString()));
            }
            default -> throw new AssertionError("checked before: " + kind);
        }
    }

    private void opened(int number, ByteBuffer payload) {
        var peer = RoutedFrames.peer(payload);
        int credit = RoutedFrames.credit(payload.getInt());
        boolean theirs = (number & 1) == (ends.opener() ? 0 : 1);
        if (!theirs || streams.containsKey(number)) {
            throw new Malformed("stream " + number + " is not for " + other + " to open");
        }
        if (!ends.leadsOn() && !peer.equals(ends.peer())) {
            throw new Malformed("a stream of node " + peer.brief() + ", which is not there");
        }
        if (streams.size() >= ends.mostStreams()) {
            say(RoutedFrames.reset(number, "node " + ends.me().brief() + " has too many streams"));
            return;
        }
        var stream = new RoutedStream(carrier, number, peer, ends.window(streams.size()), credit);
        lock.lock();
        try {
            if (ended != null) {
                return;
            }
            opened.incrementAndGet();
            streams.put(number, stream);
        } finally {
            lock.unlock();
        }
        say(RoutedFrames.grant(number, stream.window()));
        visitors.accept(new RoutedPath(stream));
    }

    private void say(byte[] word) {
        boolean tooMany;
        lock.lock();
        try {
            tooMany = outbox.add(word) > 2 * ends.mostStreams();
            startWriter();
        } finally {
            lock.unlock();
        }
        if (tooMany) {
            fail(other + " asks for more answers than it takes");
        }
    }

    /// It has something to send, or may have.
    private void ready(RoutedStream stream) {
        lock.lock();
        try {
            outbox.add(stream);
            startWriter();
        } finally {
            lock.unlock();
        }
    }

    private void forget(RoutedStream stream) {
        if (streams.remove(stream.number(), stream)) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void startWriter() {
        if (!writing && ended == null) {
            try {
                writing = true;
                writer.start();
            } catch (IllegalStateException _) {
                ended = "this node is going down";
            }
        }
    }

    private void write() {
        try {
            while (collect()) {
                batch.flip();
                long begun = tasks.nanoTime(); // it may be heard long before this task goes on
                while (batch.hasRemaining()) {
                    path.write(batch);
                }
                said = begun;
            }
        } catch (IOException e) {
            end("the connection to " + other + " broke: " + e.getMessage());
        }
    }

    /// @return false: there is nothing to be sent now, and this writer ends
    private boolean collect() {
        outbox.fill(batch);
        return batch.position() > 0 || !rest();
    }

    private boolean rest() {
        lock.lock();
        try {
            writing = !outbox.isEmpty();
            if (!writing) {
                changed.signalAll();
            }
            return !writing;
        } finally {
            lock.unlock();
        }
    }

    private void answered() {
        lock.lock();
        try {
            outbox.answered();
            if (!outbox.isEmpty()) {
                startWriter();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean confirmed(Duration limit) {
        return outbox.confirmed(limit, this::startWriter, () -> ended != null);
    }

    private void ask() {
        lock.lock();
        try {
            outbox.ask();
            startWriter();
        } finally {
            lock.unlock();
        }
    }

    /// On time only where it is read and written on time, too: who cannot listen calls nobody
    /// silent.
    private void beatLater() {
        if (ends.leadsOn()) {
            tasks.alarm(BEAT, "heartbeat of the trunk", this::beat);
        } else {
            tasks.after(BEAT, "heartbeat of the trunk", this::beat);
        }
    }

    private void beat() {
        if (ended != null) {
            return;
        }
        var quiet = hearing.quiet();
        if (hearing.beat().compareTo(SILENCE) >= 0
                && outbox.first() == null
                && ends.elsewhere().get().compareTo(SILENCE) >= 0) {
            end(other + " was silent for " + quiet.toSeconds() + " s");
            return;
        }
        beatLater();
        // The hub too wants to hear something, also from who only reads.
        if (quiet.compareTo(BEAT) >= 0 || tasks.nanoTime() - said >= BEAT.toNanos()) {
            ask();
        }
    }

    /// Ends it by a reset where the hub would take an end in order for that of this process.
    private void fail(String why) {
        end(why, outbox.first() != null ? path::reset : path::close);
    }

    private void end(String why) {
        end(why, path::close);
    }

    /// @param last how the connection ends, unless somebody ends it already: an end in order that
    ///   overtakes a reset would say that this process has ended
    private void end(String why, Runnable last) {
        boolean first;
        lock.lock();
        try {
            first = ended == null;
            if (first) {
                ended = why;
            }
            changed.signalAll();
            outbox.ended();
        } finally {
            lock.unlock();
        }
        streams.values().forEach(stream -> stream.reset(why));
        streams.clear();
        writer.end();
        if (first) {
            last.run();
        }
    }

    /// Waits until it has ended and nothing more comes of it, or so long.
    public void awaitEnd(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (ended == null && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends it in order: what its streams have still to say is sent, and the other end hears of it
    /// behind that.
    ///
    /// @param limit so long at most; then it is ended as it is
    public void finish(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (ended == null && left > 0 && (writing || !streams.isEmpty())) {
                left = changed.awaitNanos(left);
            }
            if (ended == null && left > 0) {
                path.end();
            }
            while (ended == null && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "ending a trunk in order failed", e);
        } finally {
            lock.unlock();
            close();
        }
    }

    /// Ends it as one that is of no use any more, while this node goes on.
    public void giveUp() {
        fail("the connection to " + other + " was given up");
    }

    /// Ends it, and all its streams.
    @Override
    public void close() {
        end("this node has ended its connection to " + other);
    }
}
