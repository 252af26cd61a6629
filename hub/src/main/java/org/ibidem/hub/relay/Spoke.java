package org.ibidem.hub.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ibidem.connect.routed.Backlog;
import org.ibidem.connect.routed.HubStream;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.control.Ending;
import org.ibidem.link.FreeNumbers;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The hub's end of one node's connection: what is to be written to it, and in which order.
///
/// First the rest of what was begun, then what is short (openings, grants), then what the hub
/// itself says, then one frame of each flow that has something, by turns, as far as the [Backlog]
/// lets. No two spokes' locks are ever held at once.
final class Spoke {
    /// Bytes of memory in which words may wait.
    private static final int MOST_WORDS = 4 << 20;

    /// What each takes besides its bytes, about.
    private static final int WORD = 32;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    final NodeId node;
    final String pool;
    final Wire wire;

    /// What comes from it, by its numbers.
    final Map<Integer, Flow> flows = new ConcurrentHashMap<>();

    /// Of the streams that the hub opens to it.
    final FreeNumbers numbers = new FreeNumbers(2, 2);

    /// What is left of a frame that has not wholly come; its loop's.
    final Incoming incoming = new Incoming();

    volatile long heard;

    /// When its node was last seen to be a member, or to speak with the hub; its loop's.
    long attended;

    /// Whether its node has become a member.
    volatile boolean joined;

    /// Whether its connection is over; guarded as the relay's places are.
    boolean gone;

    /// What its loop is to wait for; nothing is read from it while it rests.
    final Interest interest = new Interest();

    /// What is said between its node and the hub itself.
    final Talk talk = new Talk(interest::write);

    /// Has the hub itself serve that.
    Consumer<StreamPath> visitors = _ -> {};

    /// What its node may send; and until when nothing is read from it, which its loop sees to.
    Budget budget = new Budget(0);

    private final Loop loop;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<byte[]> words = new ArrayDeque<>();
    private int wordy;
    private final Deque<Flow> active = new ArrayDeque<>();
    private final Backlog backlog;
    private ByteBuffer rest = NOTHING;
    private boolean closed;
    private boolean failed;
    private @Nullable String broken;

    /// What is known of a frame that comes in pieces.
    static final class Incoming {
        @Nullable Flow flow;
        @Nullable HubStream hub;
        int left;
        byte[] head = {};
    }

    Spoke(NodeId node, String pool, Wire wire, Loop loop) {
        this.node = node;
        this.pool = pool;
        this.wire = wire;
        this.loop = loop;
        this.backlog = new Backlog(loop::now);
    }

    /// Whether its node speaks with the hub itself, or is a member that never did.
    boolean isAttended() {
        return talk.hasBegun() ? talk.isOpen() : joined;
    }

    /// Whether the node and the hub itself have said all, and that is written.
    boolean hasParted() {
        if (!talk.isOver()) {
            return false;
        }
        lock.lock();
        try {
            return !busy();
        } finally {
            lock.unlock();
        }
    }

    /// Opens a stream towards it.
    ///
    /// @param from its other end, and the number there
    /// @param credit what that end has granted
    /// @param most what may come to wait at the hub
    /// @return what comes from `from`; the other direction is in [#flows]
    @Nullable Flow open(Spoke from, int fromNumber, int credit, long most) {
        Flow there;
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            int number = numbers.take(flows::containsKey);
            there = new Flow(from, fromNumber, this, number);
            var back = new Flow(this, number, from, fromNumber);
            there.used = from.heard;
            back.used = from.heard;
            Flow.join(there, back);
            back.granted(credit); // nobody else knows it yet
            flows.put(number, back);
            from.flows.put(fromNumber, there);
            write(RoutedFrames.open(number, from.node, back.pass(most)));
            return there;
        } finally {
            lock.unlock();
        }
    }

    /// Says something short.
    void say(byte[] word) {
        lock.lock();
        try {
            write(word);
        } finally {
            lock.unlock();
        }
    }

    /// Asks the node whether it is there.
    void ask() {
        lock.lock();
        try {
            askBehind();
        } finally {
            lock.unlock();
        }
    }

    private void askBehind() {
        backlog.asked();
        write(RoutedFrames.bare(RoutedFrames.PING, 0));
    }

    /// The node has said so.
    void answered() {
        lock.lock();
        try {
            backlog.answered();
            if (pressing()) {
                interest.write();
            }
        } finally {
            lock.unlock();
        }
    }

    /// At once if nothing else waits, else in front of what does. Too much that waits ends the
    /// connection: its node asks, or is asked, and does not listen.
    private void write(byte[] word) {
        if (closed) {
            return;
        }
        if (stuck() && wordy > MOST_WORDS) {
            hangUp();
            return;
        }
        if (stuck()) {
            words.add(word);
            wordy += WORD + word.length;
        } else {
            var bytes = ByteBuffer.wrap(word);
            write(bytes);
            rest = bytes;
        }
        if (stuck()) {
            interest.write();
        }
    }

    /// Its node grants more on a flow that goes to it.
    ///
    /// @return what can be passed on
    int granted(Flow flow, int bytes, long most) {
        lock.lock();
        try {
            flow.granted(bytes);
            return flow.pass(most);
        } finally {
            lock.unlock();
        }
    }

    /// Passes on what was held back.
    int more(Flow flow, long most) {
        lock.lock();
        try {
            return flow.dropped ? 0 : flow.pass(most);
        } finally {
            lock.unlock();
        }
    }

    /// Writes frames on, which stand one behind the other in `frames`, or keeps what does not go.
    ///
    /// @param run whose they are; gets what of their credit can be passed on
    /// @param most what may come to wait at the hub for one flow
    /// @return false: somebody sent more than he may
    boolean forward(ByteBuffer frames, Run run, long most) {
        lock.lock();
        try {
            for (int i = 0; i < run.size(); i++) {
                if (!run.flow(i).came(run.bytes(i))) {
                    return false;
                }
            }
            int begin = frames.position();
            if (!busy()) {
                int end = frames.limit();
                write(frames.limit(Math.min(end, begin + backlog.room())));
                frames.limit(end);
            }
            int written = frames.position() - begin;
            keep(frames, begin, run);
            if (written > 0 && backlog.put(written + rest.remaining())) {
                askBehind();
            }
            for (int i = 0; i < run.size(); i++) {
                run.due(i, run.flow(i).dropped ? 0 : run.flow(i).pass(most));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean busy() {
        return stuck() || !active.isEmpty();
    }

    /// Whether something waits that the system did not take.
    private boolean stuck() {
        return closed || rest.hasRemaining() || wire.owes() || !words.isEmpty();
    }

    /// Whether something could be written, if the system takes it.
    private boolean pressing() {
        return stuck() || (!active.isEmpty() && backlog.room() > 0);
    }

    private void keep(ByteBuffer frames, int begin, Run run) {
        int written = frames.position() - begin;
        int at = 0;
        for (int i = 0; i < run.size(); i++) {
            var flow = run.flow(i);
            int frame = RoutedFrames.HEADER + run.bytes(i);
            int end = at + frame;
            if (at < written && written < end) {
                rest = copy(frames, begin + written, begin + end);
                flow.gone(run.bytes(i));
            } else if (at < written || flow.dropped || closed) {
                flow.gone(run.bytes(i));
            } else {
                int limit = frames.limit();
                frames.limit(begin + end).position(begin + at + RoutedFrames.HEADER);
                flow.waiting.put(frames);
                frames.limit(limit);
                list(flow);
            }
            at = end;
        }
        if (pressing()) {
            interest.write();
        }
    }

    private static ByteBuffer copy(ByteBuffer from, int begin, int end) {
        var copy = ByteBuffer.allocate(end - begin);
        copy.put(0, from, begin, end - begin);
        return copy;
    }

    private void list(Flow flow) {
        if (!flow.listed) {
            flow.listed = true;
            active.add(flow);
        }
    }

    /// The sender of a flow has ended it, or the whole stream.
    ///
    /// @param reset why the stream is over, or null
    void end(Flow flow, @Nullable String reset) {
        lock.lock();
        try {
            if (flow.dropped || flow.reset != null) {
                return;
            }
            flow.ended |= reset == null;
            flow.reset = reset;
            if (flow.listed) {
                return; // it ends behind what waits
            }
            write(
                    reset == null
                            ? RoutedFrames.bare(RoutedFrames.END, flow.toNumber)
                            : RoutedFrames.reset(flow.toNumber, reset));
        } finally {
            lock.unlock();
        }
    }

    /// Whether its sender has ended this flow, which goes to here.
    boolean ended(Flow flow) {
        lock.lock();
        try {
            return flow.ended;
        } finally {
            lock.unlock();
        }
    }

    /// Nobody wants what still comes on this flow.
    void drop(Flow flow) {
        lock.lock();
        try {
            flow.dropped = true;
            flow.waiting.clear();
        } finally {
            lock.unlock();
        }
    }

    /// Writes what waits, as far as it goes.
    ///
    /// @param batch memory for it
    /// @return flows of which something was written: more of them may come
    List<Flow> drain(ByteBuffer batch) {
        lock.lock();
        try {
            var served = new ArrayList<Flow>();
            while (!closed && finish() && fill(batch, served)) {
                write(batch);
                if (batch.hasRemaining()) {
                    rest = copy(batch, batch.position(), batch.limit());
                }
            }
            if (pressing() && !closed) {
                interest.write();
            } else {
                interest.noWrite();
            }
            return served;
        } finally {
            lock.unlock();
            if (talk.isSaying()) {
                interest.write(); // it may have begun just before nothing was wanted
            }
        }
    }

    private boolean finish() {
        if (rest.hasRemaining() || wire.owes()) {
            write(rest);
        }
        if (rest.hasRemaining() || wire.owes()) {
            return false;
        }
        rest = NOTHING;
        return true;
    }

    /// @return whether there is anything in it
    private boolean fill(ByteBuffer batch, List<Flow> served) {
        batch.clear().order(ByteOrder.LITTLE_ENDIAN);
        batch.limit(batch.capacity() - RoutedFrames.HEADER); // there is room to ask
        while (!words.isEmpty() && words.getFirst().length <= batch.remaining()) {
            var word = words.removeFirst();
            wordy -= WORD + word.length;
            batch.put(word);
        }
        talk.fill(batch);
        int said = batch.position();
        int turn = 3 * RoutedFrames.HEADER + RoutedFrames.MOST_DATA + RoutedFrames.LONGEST_REASON;
        while (!active.isEmpty()
                && batch.remaining() >= turn
                && batch.position() - said < backlog.room()) {
            var flow = active.removeFirst();
            int bytes = Math.min(flow.waiting.size(), RoutedFrames.MOST_DATA);
            if (bytes > 0) {
                batch.putInt(RoutedFrames.word(RoutedFrames.DATA, bytes)).putInt(flow.toNumber);
                flow.waiting.get(batch, bytes);
                flow.gone(bytes);
                served.add(flow);
            }
            if (flow.waiting.size() > 0) {
                active.add(flow);
            } else {
                flow.listed = false;
                last(flow, batch);
            }
        }
        if (backlog.put(batch.position() - said)) {
            backlog.asked();
            batch.limit(batch.capacity()).put(RoutedFrames.bare(RoutedFrames.PING, 0));
        }
        batch.flip();
        return batch.hasRemaining();
    }

    private static void last(Flow flow, ByteBuffer batch) {
        if (flow.dropped) {
            return;
        }
        if (flow.ended) {
            batch.put(RoutedFrames.bare(RoutedFrames.END, flow.toNumber));
        }
        if (flow.reset != null) {
            batch.put(RoutedFrames.reset(flow.toNumber, flow.reset));
        }
    }

    /// Writes without waiting. A failure is found by the reader too, who ends the spoke: that the
    /// connection has ended in order may still wait to be read.
    private void write(ByteBuffer from) {
        try {
            wire.write(from);
        } catch (IOException e) {
            from.position(from.limit());
            if (!failed) {
                failed = true; // later ones say what is true of any connection that is over
                broken = Ending.wasOver(e) ? null : e.toString();
            }
        }
    }

    /// How the connection has failed as far as writing tells, or null.
    @Nullable String broken() {
        lock.lock();
        try {
            return broken;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the connection; its loop tells all others.
    void hangUp() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            words.clear();
            active.clear();
            rest = NOTHING;
        } finally {
            lock.unlock();
        }
        try {
            wire.channel().close();
        } catch (IOException _) {
            // it is of no use any more
        }
        loop.over(this);
    }
}
