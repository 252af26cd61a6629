package org.ibidem.rmi;

import java.io.IOException;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.SendSetup;
import org.ibidem.port.WriteMessage;
import org.ibidem.port.WriteTimedOut;
import org.ibidem.rmi.frame.RemoteMethod;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A node that this one calls: a port for calls, one for replies, and the calls under way. When the
/// connection is lost all of them are over, and this is used no more.
final class Peer {
    /// Calls of threads that run no call themselves; others wait. Those within calls do not wait:
    /// who is called may need them to go on.
    static final int MOST = 4096;

    /// Calls at all; beyond that a call is refused.
    static final int MOST_NESTED = 65_536;

    /// How long the end of the replies may take that follows that of the calls.
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final Part part;
    private final NodeId node;
    private final Tasks tasks;
    private final SendPort out;
    private final ReceivePort in;
    private final Together together;
    private final Replies replies;
    private final AtomicLong ids = new AtomicLong();
    private final ByNumber<Calling> calls = new ByNumber<>();
    private final Semaphore outer = new Semaphore(MOST);

    /// What calls refer to that were sent, until their receiver has it.
    private final Map<Long, List<Object>> inFlight = new ConcurrentHashMap<>();

    /// For those who write from thousands of threads: a port's turn wakes all that wait for it.
    private final ReentrantLock writing = new ReentrantLock();

    private final GivenUp givenUp;

    /// A call to be used again.
    private final AtomicReference<@Nullable Calling> spare = new AtomicReference<>();

    private volatile @Nullable String gone;

    /// No replies come any more, either.
    private final AtomicBoolean over = new AtomicBoolean();

    Peer(Part part, NodeId node, String name) {
        this.part = part;
        this.node = node;
        this.tasks = part.tasks();
        this.in =
                ReceivePort.open(
                        part.node(),
                        part.ports().replies(),
                        name,
                        part.setup().only(node).connections(new Losses()));
        this.out =
                SendPort.open(
                        part.node(),
                        part.ports().calls(),
                        name,
                        SendSetup.USUAL.lost((_, loss) -> callsNoMore(loss.why())));
        this.givenUp = new GivenUp(part, node, out, writing);
        this.together = new Together(out);
        this.replies = new Replies(in, together, this::taken, this::opened, tasks);
    }

    private final class Losses implements ConnectionUpcall {
        @Override
        public void lost(ReceivePort port, Lost<Origin> connection) {
            gone(connection.why());
        }
    }

    void connect(Duration limit) {
        try {
            out.connect(node, Serving.NAME, limit);
        } catch (RuntimeException e) {
            gone("it cannot be reached");
            throw e;
        }
    }

    Tasks tasks() {
        return tasks;
    }

    Places places() {
        return part.places();
    }

    long nextId() {
        return ids.incrementAndGet();
    }

    int underWay() {
        return calls.size();
    }

    /// Nobody has this call any more.
    void free(Calling call) {
        spare.lazySet(call);
    }

    /// Begins a call; what hinders it is told by it.
    Calling begin(Stub of, RemoteMethod method, boolean patient) {
        var settings = of.settings();
        var free = spare.getAndSet(null);
        var call =
                free == null
                        ? new Calling(this, part, method, settings)
                        : free.again(method, settings);
        call.patient(patient);
        try {
            begin(call, of.reference().object(), method);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            call.hindered(notSent(method, "this thread was interrupted", e));
        } catch (RemoteException | RuntimeException | Error e) { // or it would keep the lock
            call.hindered(e);
        }
        return call;
    }

    private void begin(Calling call, long object, RemoteMethod method)
            throws InterruptedException, RemoteException {
        if (writing.isHeldByCurrentThread()) {
            throw new RemoteException(
                    "a call of " + method + " while the arguments of another one are written");
        }
        enter(call, method);
        if (!Awaiting.lock(writing, call)) {
            throw late(method, "others have not finished theirs");
        }
        if (!call.isOneWay()) {
            calls.put(call);
        }
        var known = gone;
        if (known != null) {
            throw new ConnectException("not called: " + method + ": " + this + ": " + known);
        }
        long left = call.left();
        var message = call.hasLimit() ? out.newMessage(call.deadline(), null) : out.newMessage();
        if (message == null) {
            throw late(method, this + " did not take the call in time");
        }
        InFlight.begin();
        call.begun(message);
        message.writeByte(call.isOneWay() ? Words.ONE_WAY : Words.CALL)
                .writeLong(call.id())
                .writeLong(object)
                .writeLong(method.hash())
                .writeLong(left);
    }

    /// Takes a place among the calls under way.
    private void enter(Calling call, RemoteMethod method)
            throws InterruptedException, RemoteException {
        if (part.places().isRunning()) {
            if (calls.size() > MOST_NESTED) {
                throw new RemoteException(
                        "not called: "
                                + method
                                + ": more than "
                                + MOST_NESTED
                                + " calls to "
                                + this
                                + " are under way");
            }
        } else if (!outer.tryAcquire()) {
            if (!Awaiting.take(outer, call)) {
                throw late(method, MOST + " others are under way");
            }
            call.holdsPlace();
        } else {
            call.holdsPlace();
        }
    }

    private static CallTimedOut late(RemoteMethod method, String why) {
        return new CallTimedOut(
                "the time limit of a call of "
                        + method
                        + " has passed before it was sent, so it has not run: "
                        + why);
    }

    private RemoteException notSent(RemoteMethod method, String why, Exception cause) {
        return new RemoteException("not called: " + method + " at " + this + ": " + why, cause);
    }

    /// Sends a call that has its arguments, or gives it up.
    ///
    /// @return why it cannot be sent; null: it was
    @Nullable Throwable send(
            Calling call, @Nullable WriteMessage message, @Nullable Throwable why) {
        var hindrance = why;
        try {
            if (hindrance == null && message != null) {
                finish(call, message);
            } else if (message != null) {
                message.close();
            }
        } catch (RuntimeException | Error e) {
            hindrance = hindrance == null ? e : hindrance;
        } finally {
            if (writing.isHeldByCurrentThread()) {
                writing.unlock();
            }
        }
        if (hindrance != null || call.isOneWay()) {
            forget(call);
        }
        if (hindrance != null) {
            inFlight.remove(call.id());
        }
        return hindrance == null ? null : told(call, hindrance);
    }

    private void finish(Calling call, WriteMessage message) {
        if (call.called().takesObjects()) {
            writeInFlight(call, message);
        }
        if (together.isBusy() && calls.size() > 1 && !call.isOneWay() && !call.hasLimit()) {
            message.finishHeld();
            together.keeps();
        } else {
            message.finish();
        }
    }

    private void writeInFlight(Calling call, WriteMessage message) {
        var written = InFlight.written();
        if (written != null) {
            inFlight.put(call.id(), written);
        }
        message.writeBoolean(written != null);
    }

    /// As `java.rmi` says it.
    private Throwable told(Calling call, Throwable why) {
        var what = call.called();
        return switch (why) {
            case ObjectRefused e ->
                    new MarshalException(
                            "error marshalling arguments of " + what,
                            e.getCause() instanceof IOException cause ? cause : e);
            case WriteTimedOut _ -> late(what, this + " does not take its arguments");
            case WaitInterrupted e -> {
                Thread.currentThread().interrupt();
                yield notSent(what, "this thread was interrupted", e);
            }
            case IbidemException e -> {
                var known = gone;
                yield new ConnectException(
                        "not called: "
                                + what
                                + " at "
                                + this
                                + ": "
                                + (known == null ? e.getMessage() : known),
                        e);
            }
            default -> why;
        };
    }

    private void forget(Calling call) {
        calls.remove(call);
        if (call.givesPlaceBack()) {
            outer.release();
        }
    }

    /// Waits until a call that was sent is over.
    void await(Calling call) {
        part.serving().waits();
        try {
            if (!replies.await(call)) {
                late(call);
            }
        } catch (WaitInterrupted e) {
            Thread.currentThread().interrupt();
            var cause = new InterruptedException();
            cause.initCause(e);
            cancel(
                    call,
                    new ReplyLost(
                            "this thread was interrupted while it waited for "
                                    + call
                                    + " at "
                                    + this
                                    + "; it may have run",
                            cause));
        } catch (IbidemException e) {
            lost(call, gone == null ? String.valueOf(e.getMessage()) : gone, e);
        }
    }

    /// Sends a call that nobody waits for; it tells itself when it is over.
    @Nullable Throwable start(
            Calling call, @Nullable WriteMessage message, @Nullable Throwable why) {
        call.isAwaitedByNobody();
        replies.began();
        var hindrance = send(call, message, why);
        if (hindrance != null) {
            if (call.wasAwaitedByNobody()) {
                replies.ended();
            }
        } else if (call.hasLimit()) {
            call.timer(
                    tasks.after(
                            Duration.ofNanos(Math.max(1, call.left())),
                            "limit of a call",
                            () -> {
                                if (!call.isOver()) {
                                    late(call);
                                }
                            }));
        }
        return hindrance;
    }

    private void late(Calling call) {
        var what = "the time limit of " + call + " at " + this;
        cancel(call, new CallTimedOut(what + " has passed; it may have run"));
    }

    void cancel(Calling call, String why) {
        cancel(call, new ReplyLost(call + " at " + this + " is given up: " + why));
    }

    private void cancel(Calling call, ReplyLost why) {
        boolean mine = calls.get(call.id()) != null;
        call.over(why);
        if (mine) {
            givenUp.tell(call.id());
        }
    }

    /// The references in a reply have come.
    ///
    /// @param told done when their owners know; null: they do
    void received(long id, @Nullable CompletableFuture<@Nullable Void> told) {
        part.whenDone(told, "tells that references have come", () -> tellReceived(id));
    }

    private void tellReceived(long id) {
        writing.lock();
        try (var message = out.newMessage()) {
            message.writeByte(Words.RECEIVED).writeLong(id).finish();
        } catch (IbidemException _) {
            // then they are given up some time after the connection
        } finally {
            writing.unlock();
        }
    }

    /// A reply has come; perhaps too late, then it is nobody's.
    private void taken(ReadMessage message) {
        taken(message.readByte(), message.readLong(), message);
    }

    private Replies.Opened opened(ReadMessage message) {
        byte word = message.readByte();
        long id = message.readLong();
        return new Replies.Opened(calls.get(id), () -> taken(word, id, message));
    }

    private void taken(byte word, long id, ReadMessage message) {
        if (word == Words.TAKEN || (word >= Words.NO_OBJECT && word <= Words.BAD_ARGUMENTS)) {
            inFlight.remove(id);
        }
        var call = calls.get(id);
        if (call == null && (word == Words.RETURNED || word == Words.THREW)) {
            received(id, null); // nobody reads what it refers to
        }
        if (call == null && word != Words.TAKEN) {
            givenUp.answered(id);
        } else if (call != null && word != Words.TAKEN) {
            try {
                call.take(word, message);
            } catch (MessageAbandoned e) {
                throw e; // it is under way still
            }
        }
    }

    /// It is over.
    void told(Calling call) {
        forget(call);
        if (call.wasAwaitedByNobody()) {
            replies.ended();
            call.tell(tasks);
        }
    }

    private void lost(Calling call, String why, @Nullable Throwable cause) {
        var text = "the reply of " + call + " is lost, it may have run: " + this + ": " + why;
        call.over(cause == null ? new ReplyLost(text) : new ReplyLost(text, cause));
    }

    /// No calls are taken any more. Replies that were given before may wait here to be read, and
    /// the connection they came over says itself when there is none behind them.
    private void callsNoMore(String why) {
        goes(why);
        var limit = in.connections().isEmpty() ? Duration.ZERO : END_LIMIT;
        try {
            tasks.after(limit, "last replies of a node", () -> gone(why));
        } catch (IllegalStateException _) {
            gone(why); // this node is closed
        }
    }

    private void goes(String why) {
        synchronized (this) {
            if (gone != null) {
                return;
            }
            gone = why;
        }
        part.forget(node, this);
    }

    /// No replies come any more.
    void gone(String why) {
        goes(why);
        if (over.getAndSet(true)) {
            return;
        }
        for (var call : calls.all()) {
            lost(call, why, null);
        }
        part.orphaned(node, inFlight);
        tasks.start("lets go of a node", this::close);
    }

    boolean isGone() {
        return gone != null;
    }

    private void close() {
        in.close();
        out.close(Duration.ofSeconds(1));
        givenUp.close();
        for (var call : calls.all()) { // those that came meanwhile
            lost(call, String.valueOf(gone), null);
        }
    }

    @Override
    public String toString() {
        return "node " + node.brief();
    }
}
