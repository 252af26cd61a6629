package org.ibidem.satin;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.IbidemException;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

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

    private final Node node;
    private final PortType type;
    private final NodeId to;
    private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
    private final Map<Long, Parcel> held = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean gone;

    Peer(Node node, PortType type, NodeId to) {
        this.node = node;
        this.type = type;
        this.to = to;
        thread = Thread.ofPlatform().daemon().name("satin-to-" + to.brief()).start(this::write);
    }

    void send(Letter letter) {
        if (!gone) {
            letters.add(letter);
        }
    }

    /// Whether it does not read what it is written.
    boolean isFull() {
        return letters.size() >= MOST;
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
        var reason = why.getBytes(StandardCharsets.UTF_8);
        send(new Letter(Letter.Kind.BACK, 0, stamp, reason));
    }

    /// A letter that may not have arrived is written again: who gets one twice knows it by its
    /// number or its stamp.
    private void write() {
        Letter letter = null;
        try {
            while (!gone) {
                letter = letter == null ? letters.take() : letter;
                try (var port = SendPort.open(node, type, Post.NAME)) {
                    port.connect(to, Post.NAME, LIMIT);
                    while (true) {
                        write(letter, port);
                        letter = null;
                        letter = letters.take();
                    }
                } catch (IbidemException e) {
                    failed(e);
                }
            }
        } catch (InterruptedException e) {
            // So it is ended.
        }
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
