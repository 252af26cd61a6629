package org.ibidem.connect.routed;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Heartbeat;
import org.ibidem.connect.Relay;
import org.ibidem.link.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A node's connection to its hub that carries all its routed streams. Whoever calls [#run] reads;
/// one task writes while there is something to write, one frame of each stream in turn.
///
/// What the peer sent and nobody has read here is bounded by each stream's window, and what waits
/// to be sent by each stream's queue: so the trunk itself never stands still for one of them.
public final class Trunk implements Relay, AutoCloseable {
    private static final Logger LOG = System.getLogger(Trunk.class.getName());
    private static final int BATCH = 64 << 10;
    private static final int MOST_STREAMS = 4096;
    private static final Duration BEAT = Heartbeat.USUAL.interval();
    private static final Duration SILENCE = Heartbeat.USUAL.silence();

    /// The most that one stream writes at a time: GRANT, DATA, END and RESET.
    private static final int LARGEST_TURN =
            4 * RoutedFrames.HEADER
                    + Integer.BYTES
                    + RoutedFrames.MOST_DATA
                    + RoutedFrames.LONGEST_REASON;

    private final SocketChannel channel;
    private final InetSocketAddress hub;
    private final NodeId me;
    private final Tasks tasks;
    private Consumer<SocketChannel> visitors = _ -> {};
    private final Map<Integer, RoutedStream> streams = new ConcurrentHashMap<>();
    private final ByteBuffer batch = buffer(BATCH); // the writer's

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<byte[]> words = new ArrayDeque<>();
    private final LinkedHashSet<RoutedStream> ready = new LinkedHashSet<>();
    private boolean writing;
    private int next = 1;
    private volatile @Nullable String ended;
    private volatile long heard;
    private volatile long said;

    /// Over a connection that was proved; it belongs to the trunk from now on.
    ///
    /// @param channel in blocking mode
    /// @param me this node
    /// @param visitors get the streams that others open to this node, in blocking mode
    public Trunk(SocketChannel channel, NodeId me, Tasks tasks, Consumer<SocketChannel> visitors)
            throws IOException {
        this(channel, (InetSocketAddress) channel.getRemoteAddress(), me, tasks);
        this.visitors = visitors;
    }

    Trunk(SocketChannel channel, InetSocketAddress hub, NodeId me, Tasks tasks) {
        this.channel = channel;
        this.hub = hub;
        this.me = me;
        this.tasks = tasks;
        this.heard = tasks.nanoTime();
        this.said = heard;
    }

    void visitors(Consumer<SocketChannel> another) {
        visitors = another;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    NodeId me() {
        return me;
    }

    /// Why it has ended, or null while it carries.
    public @Nullable String ending() {
        return ended;
    }

    /// Streams that it carries now.
    public int size() {
        return streams.size();
    }

    @Override
    public InetSocketAddress address() {
        return hub;
    }

    @Override
    public SocketChannel open(NodeId peer, Duration limit)
            throws IOException, InterruptedException {
        var stream = begin(peer);
        try {
            stream.awaitAnswer(limit);
            return new RoutedChannel(stream);
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
            if (streams.size() >= MOST_STREAMS) {
                throw new IOException("this node has " + MOST_STREAMS + " routed streams already");
            }
            var stream = new RoutedStream(this, next, peer, 0);
            next += 2;
            streams.put(stream.number(), stream);
            words.add(RoutedFrames.open(stream.number(), peer, RoutedStream.WINDOW));
            startWriter();
            return stream;
        } finally {
            lock.unlock();
        }
    }

    /// Reads until the connection ends; then all its streams are over.
    public void run() {
        tasks.after(BEAT, "heartbeat of the trunk", this::beat);
        var into = buffer(BATCH);
        try {
            while (ended == null) {
                if (channel.read(into) < 0) {
                    throw new EOFException("the hub has ended it");
                }
                heard = tasks.nanoTime();
                into.flip();
                takeAll(into);
                into.compact();
            }
        } catch (Malformed e) {
            end("the hub sent garbage: " + e.getMessage());
        } catch (IOException e) {
            end("the connection to the hub broke: " + e.getMessage());
        }
    }

    /// Takes the frames that have wholly come.
    ///
    /// @throws Malformed when no hub may send this
    void takeAll(ByteBuffer from) {
        while (takeOne(from)) {
            // as long as there are whole ones
        }
    }

    private boolean takeOne(ByteBuffer from) {
        if (from.remaining() < RoutedFrames.HEADER) {
            return false;
        }
        int word = from.getInt(from.position());
        int number = from.getInt(from.position() + Integer.BYTES);
        RoutedFrames.check(word, number);
        int length = RoutedFrames.length(word);
        if (from.remaining() < RoutedFrames.HEADER + length) {
            return false;
        }
        from.position(from.position() + RoutedFrames.HEADER);
        int end = from.position() + length;
        int limit = from.limit();
        take(RoutedFrames.kind(word), number, from.limit(end));
        from.limit(limit).position(end);
        return true;
    }

    private void take(int kind, int number, ByteBuffer payload) {
        var stream = streams.get(number);
        switch (kind) {
            case RoutedFrames.PING -> say(RoutedFrames.bare(RoutedFrames.PONG, 0));
            case RoutedFrames.OPEN -> opened(number, payload);
            case RoutedFrames.PONG -> {
                // it has done its work by being heard
            }
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
                streams.remove(stream.number());
                stream.reset(StandardCharsets.UTF_8.decode(payload).toString());
            }
            default -> throw new AssertionError("checked before: " + kind);
        }
    }

    private void opened(int number, ByteBuffer payload) {
        var peer = new NodeId(payload.order(ByteOrder.BIG_ENDIAN).getLong(), payload.getLong());
        int credit = RoutedFrames.credit(payload.order(ByteOrder.LITTLE_ENDIAN).getInt());
        if ((number & 1) != 0 || streams.containsKey(number)) {
            throw new Malformed("stream " + number + " is not the hub's to open");
        }
        if (streams.size() >= MOST_STREAMS) {
            say(RoutedFrames.reset(number, "node " + me.brief() + " has too many streams"));
            return;
        }
        var stream = new RoutedStream(this, number, peer, credit);
        streams.put(number, stream);
        say(RoutedFrames.grant(number, RoutedStream.WINDOW));
        visitors.accept(new RoutedChannel(stream));
    }

    private void say(byte[] word) {
        boolean tooMany;
        lock.lock();
        try {
            words.add(word);
            tooMany = words.size() > 2 * MOST_STREAMS;
            startWriter();
        } finally {
            lock.unlock();
        }
        if (tooMany) {
            end("the hub asks for more answers than it takes");
        }
    }

    /// It has something to send, or may have.
    void ready(RoutedStream stream) {
        lock.lock();
        try {
            ready.add(stream);
            startWriter();
        } finally {
            lock.unlock();
        }
    }

    void forget(RoutedStream stream) {
        streams.remove(stream.number(), stream);
    }

    void later(Duration delay, Runnable what) {
        try {
            tasks.after(delay, "last words of a routed stream", what);
        } catch (IllegalStateException _) {
            what.run(); // this node is going down
        }
    }

    private void startWriter() {
        if (!writing && ended == null) {
            try {
                writing = true;
                tasks.start("trunk", this::write);
            } catch (IllegalStateException _) {
                ended = "this node is going down";
            }
        }
    }

    private void write() {
        try {
            while (collect()) {
                batch.flip();
                while (batch.hasRemaining()) {
                    channel.write(batch);
                }
                said = tasks.nanoTime();
            }
        } catch (IOException e) {
            end("the connection to the hub broke: " + e.getMessage());
        }
    }

    /// @return false: there was nothing, and this writer ends
    private boolean collect() {
        batch.clear();
        lock.lock();
        try {
            while (!words.isEmpty() && words.getFirst().length <= batch.remaining()) {
                batch.put(words.removeFirst());
            }
        } finally {
            lock.unlock();
        }
        while (batch.remaining() >= LARGEST_TURN) {
            var stream = nextReady();
            if (stream == null) {
                break;
            }
            if (stream.fill(batch)) {
                ready(stream);
            }
        }
        return batch.position() > 0 || !rest();
    }

    private @Nullable RoutedStream nextReady() {
        lock.lock();
        try {
            return ready.isEmpty() ? null : ready.removeFirst();
        } finally {
            lock.unlock();
        }
    }

    private boolean rest() {
        lock.lock();
        try {
            writing = !ready.isEmpty() || !words.isEmpty();
            return !writing;
        } finally {
            lock.unlock();
        }
    }

    private void beat() {
        if (ended != null) {
            return;
        }
        long now = tasks.nanoTime();
        var quiet = Duration.ofNanos(now - heard);
        if (quiet.compareTo(SILENCE) >= 0) {
            end("the hub was silent for " + quiet.toSeconds() + " s");
            return;
        }
        // The hub too wants to hear something, also from who only reads.
        if (quiet.compareTo(BEAT) >= 0 || now - said >= BEAT.toNanos()) {
            say(RoutedFrames.bare(RoutedFrames.PING, 0));
        }
        tasks.after(BEAT, "heartbeat of the trunk", this::beat);
    }

    private void end(String why) {
        lock.lock();
        try {
            if (ended == null) {
                ended = why;
            }
        } finally {
            lock.unlock();
        }
        streams.values().forEach(stream -> stream.reset(why));
        streams.clear();
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing a trunk failed", e);
        }
    }

    /// Ends it, and all its streams.
    @Override
    public void close() {
        end("this node has ended its connection to the hub");
    }
}
