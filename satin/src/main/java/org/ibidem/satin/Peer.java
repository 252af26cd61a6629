package org.ibidem.satin;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.ibidem.IbidemException;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Another process as this one writes to it: by a thread of its own, so that one that does not read
/// keeps nobody else waiting. How many letters wait is bounded: questions of a process for which
/// [#MOST] do are passed over, and beside them there are one for each of our workers that asks, and
/// one for each job under way between the two.
final class Peer implements Parcel.Giver {
    private static final System.Logger LOG = System.getLogger(Peer.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// Letters that may wait before questions are passed over.
    private static final int MOST = 1024;

    private static final Duration AGAIN = Duration.ofMillis(100);

    /// Nothing is written after it, nor is it.
    private static final Letter LAST = Letter.none(0);

    private final Node node;
    private final PortType type;
    private final NodeId to;
    private final BiFunction<Letter, Error, @Nullable Letter> instead;
    private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
    private final Map<Long, Parcel> held = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean leaving;
    private volatile boolean connecting;

    /// Letters that are written even if this process leaves, and are not written yet.
    private final AtomicInteger lastWords = new AtomicInteger();

    private volatile boolean gone;

    /// @param instead what is written in the place of a letter that an error keeps from being
    ///   written; null: nothing
    Peer(Node node, PortType type, NodeId to, BiFunction<Letter, Error, @Nullable Letter> instead) {
        this.instead = instead;
        this.node = node;
        this.type = type;
        this.to = to;
        thread = Thread.ofPlatform().daemon().name("satin-to-" + to.brief()).start(this::write);
    }

    void send(Letter letter) {
        if (!gone && !leaving) {
            lastWords.addAndGet(letter.kind().isLastWord() ? 1 : 0);
            letters.add(letter);
        }
    }

    /// Whether it does not read what it is written.
    boolean isFull() {
        return letters.size() >= MOST;
    }

    /// How many letters wait.
    int waiting() {
        return letters.size();
    }

    /// Whether more wait than answers to all that it may ask for at once.
    boolean isOverfull() {
        return letters.size() >= MOST + Orphans.MOST;
    }

    /// A job that it has given.
    Parcel gives(Letter letter) {
        var parcel = letter.parcel(this);
        held.put(parcel.stamp(), parcel);
        if (gone) {
            parcel.abandon();
            over(parcel.stamp());
        }
        return parcel;
    }

    /// It waits no more for a job that it has given.
    void abandons(long stamp) {
        var parcel = held.get(stamp);
        if (parcel != null) {
            parcel.abandon();
        }
    }

    @Override
    public NodeId self() {
        return to;
    }

    @Override
    public void over(long stamp) {
        held.remove(stamp);
    }

    @Override
    public void done(long stamp, byte[] outcome, boolean thrown) {
        over(stamp);
        send(new Letter(thrown ? Letter.Kind.THREW : Letter.Kind.DONE, 0, stamp, outcome));
    }

    @Override
    public void back(long stamp, String why) {
        over(stamp);
        send(Letter.back(stamp, why));
    }

    /// A letter that may not have arrived is written again: who gets one twice knows it by its
    /// number or its stamp.
    @SuppressWarnings("ReferenceEquality") // another one may be like the last
    private void write() {
        @Nullable Letter letter = null;
        try {
            while (!gone) {
                letter = letter == null ? letters.take() : letter;
                if (letter == LAST) {
                    return;
                }
                try (var port = SendPort.open(node, type, Post.NAME)) {
                    connect(port);
                    while (letter != LAST) {
                        write(letter, port);
                        over(letter);
                        letter = null;
                        letter = letters.take();
                    }
                    return;
                } catch (IbidemException e) {
                    if (leaving) {
                        return; // it may be gone, and knows what to do without an answer
                    }
                    failed(e);
                } catch (Error e) { // no memory for it, say; the thread writes the others
                    letter = letter == null ? null : instead(letter, e);
                    Thread.sleep(AGAIN);
                }
            }
        } catch (InterruptedException e) {
            // So it is ended.
        }
    }

    private void connect(SendPort port) {
        connecting = true;
        try {
            port.connect(to, Post.NAME, LIMIT);
        } finally {
            connecting = false;
        }
    }

    private @Nullable Letter instead(Letter unsent, Error e) {
        var other = instead.apply(unsent, e);
        if (other == null) {
            over(unsent);
        }
        return other;
    }

    private void over(Letter letter) {
        lastWords.addAndGet(letter.kind().isLastWord() ? -1 : 0);
    }

    private static void write(Letter letter, SendPort port) {
        try (var message = port.newMessage()) {
            letter.write(message);
            message.finish();
        }
    }

    private void failed(IbidemException why) throws InterruptedException {
        if (!gone) {
            LOG.log(Level.DEBUG, "not sent to {0}: {1}", to.brief(), why.getMessage());
            node.maybeDead(to, "a letter could not be sent to it: " + why.getMessage());
            Thread.sleep(AGAIN);
        }
    }

    /// Writes what became of jobs, and nothing more.
    void leave() {
        leaving = true;
        letters.removeIf(letter -> !letter.kind().isLastWord());
        letters.add(LAST);
        if (connecting && lastWords.get() == 0) {
            thread.interrupt(); // who it connects to may take part no more, too
        }
    }

    /// Waits until that is written.
    void awaitLeft(Duration limit) throws InterruptedException {
        thread.join(limit);
    }

    /// Sends nothing more.
    ///
    /// @return what it has given, for which it does not wait any more
    List<Parcel> end() {
        gone = true;
        letters.clear();
        var given = List.copyOf(held.values());
        held.clear();
        thread.interrupt();
        return given;
    }
}
