package org.ibidem.hub.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ibidem.Visible;
import org.ibidem.buffer.Malformed;
import org.ibidem.config.NativeChannels;
import org.ibidem.connect.routed.HubStream;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One thread that reads from some of the spokes, and writes to them what could not be written at
/// once. All its spokes share its buffers: an idle one has none.
final class Loop implements Runnable, AutoCloseable {
    private static final Logger LOG = System.getLogger(Loop.class.getName());
    private static final int BUFFER = 256 << 10;
    private static final int BATCH = 64 << 10;

    /// In front of the buffer, for the header of a frame that goes on in it.
    private static final int HEADROOM = RoutedFrames.HEADER;

    private static final long TICK_MILLIS = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /// For so long a node may have a connection and neither be a member nor speak with the hub.
    private static final long STRANGE = 10 * SECOND;

    private final Relay relay;
    private final Selector selector;
    private final Queue<Spoke> arriving = new ConcurrentLinkedQueue<>();
    private final Queue<Spoke> leaving = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Resting> resting =
            new PriorityQueue<>((one, other) -> Long.signum(one.until - other.until));
    private final ByteBuffer buffer = memory(HEADROOM + BUFFER);
    private final ByteBuffer batch = memory(BATCH);
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(Wire.SCRATCH);
    private final Run run = new Run();
    private final Grants grants = new Grants();
    private int runBegin;
    private int runEnd;
    private long looked;

    /// One that is not read from for a while.
    private record Resting(Spoke spoke, long until) {}

    Loop(Relay relay) {
        this.relay = relay;
        this.looked = relay.now();
        try {
            this.selector = NativeChannels.provider().openSelector();
        } catch (IOException e) {
            throw new UncheckedIOException("the system gives no selector", e);
        }
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    void take(Spoke spoke) {
        spoke.heard = relay.now();
        spoke.attended = spoke.heard;
        arriving.add(spoke);
        selector.wakeup();
    }

    long now() {
        return relay.now();
    }

    /// This one was hung up.
    void over(Spoke spoke) {
        leaving.add(spoke);
        selector.wakeup();
    }

    @Override
    public void run() {
        try {
            while (selector.isOpen()) {
                round();
            }
        } catch (ClosedSelectorException _) {
            // closed, as asked
        } catch (IOException e) {
            LOG.log(Level.ERROR, "a thread of the relay cannot go on", e);
        }
    }

    private void round() throws IOException {
        try {
            selector.select(this::ready, pause());
            register();
            goOn();
            look();
            for (var gone = leaving.poll(); gone != null; gone = leaving.poll()) {
                forget(gone);
            }
        } catch (ClosedSelectorException e) {
            throw e;
        } catch (RuntimeException | Error e) { // of one it does not know which: all connect again
            LOG.log(Level.ERROR, "a thread of the relay lets go of all its nodes", e);
            spokes().forEach(spoke -> end(spoke, "serving it failed: " + e));
        }
    }

    /// Until somebody has rested enough, or it is time to look around.
    private long pause() {
        var first = resting.peek();
        return first == null
                ? TICK_MILLIS
                : Math.clamp((first.until - relay.now()) / MILLI + 1, 1, TICK_MILLIS);
    }

    private void goOn() {
        for (var next = resting.peek();
                next != null && next.until - relay.now() <= 0;
                next = resting.peek()) {
            var spoke = resting.remove().spoke;
            heard(spoke); // that it was not read from is no silence of its own
            spoke.interest.goOn();
        }
    }

    private void heard(Spoke spoke) {
        spoke.heard = relay.now();
        spoke.talk.sign();
    }

    private void register() {
        for (var spoke = arriving.poll(); spoke != null; spoke = arriving.poll()) {
            try {
                var channel = spoke.wire.channel();
                channel.configureBlocking(false);
                spoke.interest.registered(
                        channel.register(
                                selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE, spoke));
            } catch (IOException e) {
                end(spoke, "its connection ended: " + e.getMessage());
            }
        }
    }

    /// Who says nothing for long has gone, and who does not want to join is carried nothing. Who
    /// rests asks in vain whether the hub is there: it is asked itself.
    private void look() {
        long now = relay.now();
        if (now - looked < TICK_MILLIS * MILLI) {
            return;
        }
        looked = now;
        long silence = relay.limits().silence().toNanos();
        for (var spoke : spokes()) {
            if (spoke.isAttended()) {
                spoke.attended = now;
            }
            if (now - spoke.attended > STRANGE) {
                end(spoke, "it does not join its pool");
            } else if (spoke.interest.isResting()) {
                spoke.talk.sign();
                spoke.ask();
            } else if (now - spoke.heard > silence) {
                silent(spoke);
            }
        }
        endIdle(now);
    }

    /// Whether its node lives is not for the relay to judge: one that was stopped may go on. But
    /// who has a stream to it need not wait for that.
    private static void silent(Spoke spoke) {
        if (spoke.talk.isOpen()) {
            var why = "node " + spoke.node.brief() + " is silent";
            spoke.flows.values().forEach(flow -> cut(spoke, flow, why));
        } else {
            end(spoke, "it was silent");
        }
    }

    private static void cut(Spoke spoke, Flow flow, String why) {
        spoke.say(RoutedFrames.reset(flow.fromNumber, why));
        reset(spoke, flow, why);
    }

    /// All of its spokes; to end one changes the keys.
    private List<Spoke> spokes() {
        var all = new ArrayList<Spoke>();
        for (var key : selector.keys()) {
            if (key.attachment() instanceof Spoke spoke) {
                all.add(spoke);
            }
        }
        return all;
    }

    /// Streams that carry nothing, in neither direction.
    private void endIdle(long now) {
        long idle = relay.limits().idle().toNanos();
        if (idle == 0) {
            return;
        }
        var why = "the hub ends streams that carry nothing for " + idle / SECOND + " s";
        for (var spoke : spokes()) {
            for (var flow : spoke.flows.values()) {
                if (now - flow.used > idle && now - flow.back().used > idle) {
                    cut(spoke, flow, why);
                }
            }
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Spoke spoke) {
            try {
                if (key.isWritable()) {
                    write(spoke);
                }
                if (key.isReadable() && !spoke.interest.isResting()) {
                    read(spoke);
                }
            } catch (Malformed e) {
                LOG.log(
                        Level.WARNING,
                        "the routed connection of node {0} is closed: {1}",
                        spoke.node.brief(),
                        e.getMessage());
                end(spoke, "it broke the rules: " + e.getMessage());
            } catch (CancelledKeyException | IOException e) {
                end(spoke, "its connection ended: " + e.getMessage());
            } catch (RuntimeException | Error e) {
                // A fault of ours, or no memory: this thread has others to serve.
                LOG.log(Level.ERROR, "serving node " + spoke.node.brief() + " failed", e);
                end(spoke, "serving it failed: " + e);
            }
        }
    }

    /// Writes what waits for it.
    void write(Spoke spoke) {
        for (var flow : spoke.drain(batch)) {
            grants.add(flow, spoke.more(flow, relay.credit(flow.from)));
        }
        grants.say();
        if (spoke.hasParted()) {
            end(spoke, "all was said");
        }
    }

    /// Takes what has come from it.
    ///
    /// @throws Malformed when no node may send this
    void read(Spoke spoke) throws IOException {
        var in = spoke.incoming;
        buffer.clear().position(HEADROOM).put(in.head);
        int most = relay.read(spoke, buffer.remaining());
        in.head = new byte[0];
        int got = spoke.wire.read(buffer, most, scratch);
        if (got < 0) {
            spoke.talk.ended(spoke.broken());
            end(spoke, "its connection has ended");
            return;
        }
        heard(spoke);
        long rest = relay.spent(spoke, got);
        if (rest > 0) {
            spoke.interest.rest();
            resting.add(new Resting(spoke, relay.now() + rest));
        }
        int end = buffer.position();
        int left;
        try {
            left = parse(spoke, HEADROOM, end);
            flush(spoke);
        } finally {
            run.end(); // what stands in the buffer next is somebody else's
        }
        if (left < end) {
            in.head = new byte[end - left];
            buffer.get(left, in.head);
        }
    }

    /// @return where an incomplete frame begins that is to be kept
    private int parse(Spoke spoke, int begin, int end) throws IOException {
        var in = spoke.incoming;
        int at = begin + data(spoke, begin, end);
        while (in.left == 0 && end - at >= RoutedFrames.HEADER) {
            int word = buffer.getInt(at);
            int number = buffer.getInt(at + Integer.BYTES);
            RoutedFrames.check(word, number);
            int length = RoutedFrames.length(word);
            int payload = at + RoutedFrames.HEADER;
            if (RoutedFrames.kind(word) == RoutedFrames.DATA) {
                in.flow = spoke.flows.get(number);
                in.hub = in.flow == null ? spoke.talk.stream(number) : null;
                in.left = length;
                at = payload + data(spoke, payload, end);
            } else if (end - payload < length) {
                break;
            } else {
                flush(spoke);
                obey(spoke, RoutedFrames.kind(word), number, payload, length);
                at = payload + length;
            }
        }
        return at;
    }

    /// The present frame's data, as much of it as is here, becomes a frame of its own; its header
    /// takes the place of what stands before it.
    private int data(Spoke spoke, int at, int end) {
        var in = spoke.incoming;
        int bytes = Math.min(in.left, end - at);
        if (bytes <= 0) {
            return 0;
        }
        in.left -= bytes;
        var flow = in.flow;
        if (flow == null) {
            if (in.hub != null) { // else it is gone meanwhile
                in.hub.arrived(buffer.slice(at, bytes));
            }
            return bytes;
        }
        flow.used = spoke.heard;
        int header = at - RoutedFrames.HEADER;
        if (run.to() != flow.to || runEnd != header) {
            flush(spoke);
            run.begin(flow.to);
            runBegin = header;
        }
        buffer.putInt(header, RoutedFrames.word(RoutedFrames.DATA, bytes));
        buffer.putInt(header + Integer.BYTES, flow.toNumber);
        run.add(flow, bytes);
        runEnd = at + bytes;
        return bytes;
    }

    private void flush(Spoke spoke) {
        var to = run.to();
        if (to == null) {
            return;
        }
        buffer.limit(runEnd).position(runBegin);
        boolean allowed = to.forward(buffer, run, relay.credit(spoke));
        buffer.limit(buffer.capacity());
        if (!allowed) {
            throw new Malformed("it sent more than was granted");
        }
        for (int i = 0; i < run.size(); i++) {
            grants.add(run.flow(i), run.due(i));
        }
        grants.say();
        run.end();
    }

    private void obey(Spoke spoke, int kind, int number, int at, int length) throws IOException {
        var hub = spoke.talk.stream(number);
        if (hub != null) {
            obey(hub, kind, at, length);
            return;
        }
        var flow = spoke.flows.get(number);
        switch (kind) {
            case RoutedFrames.PING -> spoke.say(RoutedFrames.bare(RoutedFrames.PONG, 0));
            case RoutedFrames.OPEN -> open(spoke, number, at);
            case RoutedFrames.GRANT -> granted(flow, RoutedFrames.credit(buffer.getInt(at)));
            case RoutedFrames.END -> ended(spoke, flow);
            case RoutedFrames.RESET -> reset(spoke, flow, text(at, length));
            default -> spoke.answered(); // PONG
        }
    }

    /// What is said of the stream to the hub itself. That it ends and the connection does not is no
    /// sign that the node's process is gone.
    private void obey(HubStream hub, int kind, int at, int length) {
        switch (kind) {
            case RoutedFrames.GRANT -> hub.granted(RoutedFrames.credit(buffer.getInt(at)));
            case RoutedFrames.END -> hub.reset("the node has ended the stream, not its connection");
            case RoutedFrames.RESET -> hub.reset(text(at, length));
            default -> throw notToOpen(hub.number());
        }
    }

    private static Malformed notToOpen(int number) {
        return new Malformed("it opened stream " + number + ", which is not its to open");
    }

    private String text(int at, int length) {
        var bytes = new byte[length];
        buffer.get(at, bytes);
        return Visible.of(new String(bytes, StandardCharsets.UTF_8));
    }

    private void open(Spoke spoke, int number, int at) throws IOException {
        if ((number & 1) == 0 || spoke.flows.containsKey(number)) {
            throw notToOpen(number);
        }
        long high = Long.reverseBytes(buffer.getLong(at));
        long low = Long.reverseBytes(buffer.getLong(at + Long.BYTES));
        int credit = RoutedFrames.credit(buffer.getInt(at + NodeId.BYTES));
        var peer = new NodeId(high, low);
        var refusal =
                peer.equals(relay.hub())
                        ? meet(spoke, number, credit)
                        : relay.open(spoke, number, peer, credit);
        if (refusal != null) {
            spoke.say(RoutedFrames.reset(number, refusal));
        }
    }

    /// A node wants to speak with the hub itself.
    ///
    /// @return why it may not, or null when it may
    private @Nullable String meet(Spoke spoke, int number, int credit) throws IOException {
        var stream = spoke.talk.begin(spoke, number, relay.hub(), credit, relay.tasks());
        if (stream == null) {
            return "you speak with this hub already";
        }
        spoke.say(RoutedFrames.grant(number, HubStream.WINDOW));
        spoke.visitors.accept(stream.path());
        return null;
    }

    /// A node grants more to the other end of the stream.
    private void granted(@Nullable Flow flow, int bytes) {
        if (flow != null) {
            var towards = flow.back();
            grants.add(towards, towards.to.granted(towards, bytes, relay.credit(towards.from)));
            grants.say();
        }
    }

    private static void ended(Spoke spoke, @Nullable Flow flow) {
        if (flow != null) {
            flow.to.end(flow, null);
            if (spoke.ended(flow.back())) {
                spoke.flows.remove(flow.fromNumber);
                flow.to.flows.remove(flow.toNumber);
            }
        }
    }

    private static void reset(Spoke spoke, @Nullable Flow flow, String why) {
        if (flow != null) {
            spoke.flows.remove(flow.fromNumber);
            flow.to.flows.remove(flow.toNumber);
            spoke.drop(flow.back());
            flow.to.end(flow, why);
        }
    }

    private static void end(Spoke spoke, String why) {
        LOG.log(Level.DEBUG, "node {0} is carried nothing more: {1}", spoke.node.brief(), why);
        spoke.talk.ended(why);
        spoke.hangUp();
    }

    private void forget(Spoke spoke) {
        relay.gone(spoke);
        spoke.talk.ended("this hub has hung up");
        for (var flow : spoke.flows.values()) {
            reset(
                    spoke,
                    flow,
                    "node " + spoke.node.brief() + " has lost its connection to the hub");
        }
    }

    @Override
    public void close() {
        spokes().forEach(Spoke::hangUp);
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing a selector failed", e);
        }
    }
}
