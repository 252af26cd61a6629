package org.ibidem.satin;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.port.WriteTimedOut;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Another process as this one writes to it. A short letter is written by the thread that sends it,
/// where no other is being written and the port has room. All others wait in a queue, which a task
/// writes that ends with it: so a process that does not read keeps nobody waiting, and letters
/// arrive in the order in which each thread has sent them.
///
/// How many letters wait is bounded: questions of a process for which [#MOST] do are passed over,
/// and beside them there are one for each of our workers that asks, and one for each job under way
/// between the two.
final class Peer implements Parcel.Giver {
    private static final System.Logger LOG = System.getLogger(Peer.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// Letters that may wait before questions are passed over.
    private static final int MOST = 1024;

    /// Bytes of a body that is written at once. To write a longer one takes longer than to have a
    /// task begin.
    private static final int SHORT = 16 << 10;

    private static final Duration AGAIN = Duration.ofMillis(100);

    /// Nothing is written after it, nor is it.
    private static final Letter LAST = Letter.none(0);

    private final Node node;
    private final PortType type;
    private final NodeId to;
    private final BiFunction<Letter, Error, @Nullable Letter> instead;
    private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
    private final Map<Long, Parcel> held = new ConcurrentHashMap<>();

    /// The right to write, and to use the next four fields. The thread that sends a letter holds it
    /// for that one, a task until nothing is left. When all is over, nobody gets it any more.
    private final AtomicBoolean writing = new AtomicBoolean();

    /// Null until the first letter, and after a failure.
    private volatile @Nullable SendPort port;

    /// What is being written: it may not have arrived.
    private volatile @Nullable Letter inHand;

    /// Whether that is finished, and some of it is not on the network.
    private boolean unflushed;

    /// Why that could not be written at once, where its connection is to blame.
    private @Nullable IbidemException failure;

    private final AtomicInteger tasks = new AtomicInteger();

    /// The thread of the task, while there is one.
    private volatile @Nullable Thread thread;

    /// All is over.
    private final CountDownLatch ended = new CountDownLatch(1);

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
    }

    /// Waits for nothing.
    void send(Letter letter) {
        if (gone || leaving) {
            return;
        }
        lastWords.addAndGet(letter.kind().isLastWord() ? 1 : 0);
        boolean mine = writing.compareAndSet(false, true);
        if (!mine || !letters.isEmpty()) {
            letters.add(letter);
            if (mine || writing.compareAndSet(false, true)) {
                passOn();
            }
            return;
        }
        inHand = letter;
        try {
            writeNow(letter);
        } finally {
            passOn();
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

    /// Whether nothing is being written.
    boolean isQuiet() {
        return !writing.get();
    }

    /// How many tasks have written so far.
    int tasks() {
        return tasks.get();
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

    /// Writes the letter in hand where that takes no waiting. Otherwise it stays in hand, and the
    /// task writes it.
    private void writeNow(Letter letter) {
        var out = port;
        if (out == null || letter.body().length > SHORT) {
            return;
        }
        try (var message = out.newMessage(Duration.ZERO)) {
            if (message == null) {
                return;
            }
            letter.write(message);
            message.finish();
            unflushed = !out.isFlushed();
        } catch (WriteTimedOut | WaitInterrupted _) {
            return; // it was given up, and is written again
        } catch (IbidemException e) {
            failure = e;
            return;
        } catch (Error _) {
            return; // no memory for it, say: the task has its remedy
        }
        if (!unflushed) {
            written(letter);
        }
    }

    /// Hands the right to write on: to a task where something is left, otherwise to whoever sends
    /// next.
    private void passOn() {
        do {
            if (isLeft()) {
                startTask();
                return;
            }
            writing.set(false);
        } while (isLeft() && writing.compareAndSet(false, true)); // what has come just before that
    }

    private boolean isLeft() {
        return inHand != null || !letters.isEmpty() || (gone && port != null);
    }

    private void startTask() {
        boolean started = false;
        try {
            tasks.incrementAndGet();
            Thread.ofVirtual().name("satin-to-" + to.brief()).start(this::write);
            started = true;
        } finally {
            if (!started) { // no memory: whoever sends next tries again
                writing.set(false);
            }
        }
    }

    /// What the task does. It keeps the right to write when all is over.
    private void write() {
        thread = Thread.currentThread();
        boolean goesOn = false;
        try {
            goesOn = writeAll();
        } catch (InterruptedException e) {
            // So it is ended.
        } finally {
            if (!goesOn) {
                closePort();
            }
            thread = null;
            if (goesOn) {
                passOn();
            } else {
                ended.countDown();
            }
        }
    }

    /// A letter that may not have arrived is written again: who gets one twice knows it by its
    /// number or its stamp.
    ///
    /// @return whether there may be more later
    @SuppressWarnings("ReferenceEquality") // another one may be like the last
    private boolean writeAll() throws InterruptedException {
        while (!gone) {
            var letter = next();
            if (letter == null) {
                return true;
            }
            if (letter == LAST) {
                return false;
            }
            try {
                write(letter);
            } catch (IbidemException e) {
                closePort();
                if (leaving) {
                    return false; // it may be gone, and knows what to do without an answer
                }
                failed(e);
            } catch (Error e) { // no memory for it, say; the task writes the others
                closePort();
                replace(letter, e);
                Thread.sleep(AGAIN);
            }
        }
        return false;
    }

    private @Nullable Letter next() {
        var letter = inHand;
        if (letter == null) {
            letter = letters.poll();
            inHand = letter;
        }
        return letter;
    }

    private void write(Letter letter) {
        var why = failure;
        if (why != null) {
            failure = null;
            throw why;
        }
        var out = connected();
        if (unflushed) {
            out.flush();
        } else {
            try (var message = out.newMessage()) {
                letter.write(message);
                message.finish();
            }
        }
        written(letter);
    }

    private void written(Letter letter) {
        unflushed = false;
        inHand = null;
        over(letter);
    }

    private SendPort connected() {
        var out = port;
        if (out == null) {
            out = SendPort.open(node, type, Post.NAME);
            port = out;
            connecting = true;
            try {
                out.connect(to, Post.NAME, LIMIT);
            } finally {
                connecting = false;
            }
        }
        return out;
    }

    private void closePort() {
        unflushed = false;
        var out = port;
        port = null;
        try {
            if (out != null) {
                out.close();
            }
        } catch (IbidemException e) {
            LOG.log(Level.DEBUG, "not closed in order: {0}", e.getMessage());
        }
    }

    private void replace(Letter unsent, Error e) {
        var other = instead.apply(unsent, e);
        inHand = other;
        if (other == null) {
            over(unsent);
        }
    }

    private void over(Letter letter) {
        lastWords.addAndGet(letter.kind().isLastWord() ? -1 : 0);
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
        if (writing.compareAndSet(false, true)) {
            passOn();
        }
        if (connecting && lastWords.get() == 0) {
            interrupt(); // who it connects to may take part no more, too
        }
    }

    /// Waits until that is written.
    void awaitLeft(Duration limit) throws InterruptedException {
        boolean _ = ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Sends nothing more.
    ///
    /// @return what it has given, for which it does not wait any more
    List<Parcel> end() {
        gone = true;
        letters.clear();
        var given = List.copyOf(held.values());
        held.clear();
        interrupt();
        if (writing.compareAndSet(false, true)) {
            passOn(); // to have the port closed
        }
        return given;
    }

    private void interrupt() {
        var running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
