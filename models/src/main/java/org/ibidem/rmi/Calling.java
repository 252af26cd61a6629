package org.ibidem.rmi;

import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnexpectedException;
import java.rmi.UnmarshalException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.IbidemException;
import org.ibidem.Visible;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.Exchange;
import org.ibidem.rmi.frame.Outgoing;
import org.ibidem.rmi.frame.RemoteMethod;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// One call to another node, as its caller has it.
final class Calling extends Outgoing implements ByNumber.Numbered<Calling> {
    private final Peer peer;
    private long id;
    private long deadline;
    private boolean limited;
    private boolean oneWay;
    private boolean place;
    private @Nullable Calling next;

    /// Whether who makes it runs a call, whose place it gave back.
    private boolean gavePlace;

    /// Whether who makes it waits for its end though interrupted; and whether that has happened.
    private boolean patient;

    private boolean interrupted;

    private volatile boolean alone;
    private Tasks.@Nullable Task timer;
    private boolean toldAlone;
    private @Nullable Throwable thrown;

    /// Whether what was thrown comes from the other end.
    private boolean remote;

    /// Whether it is over, or about to be.
    private boolean ends;

    /// Written after all else.
    private volatile boolean over;

    /// Who waits for it, to be woken.
    private volatile @Nullable Thread waits;

    private @Nullable CompletableFuture<@Nullable Object> future;

    Calling(Peer peer, Exchange exchange, RemoteMethod method, CallSettings settings) {
        super(exchange, method);
        this.peer = peer;
        begins(method, settings);
    }

    /// It is a new one from now on; nobody has it who would think otherwise.
    Calling again(RemoteMethod method, CallSettings settings) {
        again(method);
        synchronized (this) {
            ends = false;
            over = false;
            toldAlone = false;
        }
        begins(method, settings);
        return this;
    }

    private void begins(RemoteMethod method, CallSettings settings) {
        id = peer.nextId();
        limited = settings.limit() != CallSettings.NO_LIMIT;
        deadline = limited ? peer.tasks().nanoTime() + settings.limit() : 0;
        oneWay =
                method.isOneWay()
                        || (settings.oneWay() && method.result() == RemoteMethod.Kind.VOID);
    }

    /// Only one that ended well, and whose end is told to the end: of another one somebody else may
    /// still hear.
    @Override
    protected void done() {
        if (over && thrown == null && future == null) {
            peer.free(this);
        }
    }

    RemoteMethod called() {
        return method();
    }

    /// Who makes it has given back the place of the call it runs, until this one is over or on its
    /// way.
    ///
    /// @param was whether it was interrupted before, and is to find itself so after it
    void gavePlace(boolean gave, boolean was) {
        gavePlace = gave;
        interrupted = was;
    }

    /// Whether who makes it waits for its end though interrupted.
    void patient(boolean goesOn) {
        patient = goesOn;
    }

    boolean isPatient() {
        return patient;
    }

    /// Who makes it has been interrupted in its wait.
    ///
    /// @throws WaitInterrupted when that ends it
    void interrupted(WaitInterrupted why) {
        if (!patient) {
            throw why;
        }
        Thread.interrupted();
        interrupted = true;
    }

    /// It has been made: no more is put off.
    private void leaves() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        peer.places().resume(gavePlace);
    }

    /// It has a place among those of its peer.
    synchronized void holdsPlace() {
        place = true;
    }

    synchronized boolean givesPlaceBack() {
        boolean had = place;
        place = false;
        return had;
    }

    void isAwaitedByNobody() {
        alone = true;
    }

    /// Whether nobody waits for it; true once.
    synchronized boolean wasAwaitedByNobody() {
        boolean was = alone && !toldAlone;
        toldAlone = true;
        return was;
    }

    /// What ends it when its time is over.
    void timer(Tasks.Task task) {
        synchronized (this) {
            if (!ends) {
                timer = task;
                return;
            }
        }
        task.stop();
    }

    /// Its arguments go here.
    void begun(WriteMessage message) {
        into(message);
    }

    /// It cannot be made.
    void hindered(Throwable why) {
        failed(why);
    }

    long id() {
        return id;
    }

    @Override
    public long number() {
        return id;
    }

    @Override
    public @Nullable Calling next() {
        return next;
    }

    @Override
    public void next(@Nullable Calling other) {
        next = other;
    }

    boolean isOneWay() {
        return oneWay;
    }

    boolean hasLimit() {
        return limited;
    }

    boolean isOver() {
        return over;
    }

    /// When it is late, if it has a limit.
    long deadline() {
        return deadline;
    }

    /// For how long it may last still, in nanoseconds.
    long left() {
        return limited ? deadline - peer.tasks().nanoTime() : Long.MAX_VALUE;
    }

    void waitsIn(@Nullable Thread thread) {
        waits = thread;
    }

    void wake() {
        var thread = waits;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    protected @Nullable Throwable perform(
            @Nullable WriteMessage arguments, @Nullable Throwable why) {
        try {
            var hindrance = peer.send(this, arguments, why);
            if (hindrance != null || oneWay) {
                return hindrance;
            }
            peer.await(this);
        } finally {
            leaves();
        }
        return thrown == null ? null : outcome(new Throwable()); // whose trace is dear
    }

    /// What to throw; null: it has a result.
    private @Nullable Throwable outcome(@Nullable Throwable here) {
        var what = thrown;
        if (what == null || !remote) {
            return what;
        }
        if (here != null) {
            traces(what, here);
        }
        return method().declares(what) || what instanceof RemoteException
                ? what
                : new UnexpectedException("undeclared checked exception", (Exception) what);
    }

    /// First where it was thrown, then who called.
    private static void traces(Throwable what, Throwable caller) {
        var there = what.getStackTrace();
        var here = caller.getStackTrace();
        var both = Arrays.copyOf(there, there.length + here.length);
        System.arraycopy(here, 0, both, there.length, here.length);
        what.setStackTrace(both);
    }

    @Override
    protected CompletableFuture<@Nullable Object> start(
            @Nullable WriteMessage arguments, @Nullable Throwable why) {
        var mine = new CompletableFuture<@Nullable Object>();
        future = mine;
        @Nullable Throwable hindrance;
        try {
            hindrance = peer.start(this, arguments, why);
        } finally {
            leaves();
        }
        if (hindrance != null) {
            mine.completeExceptionally(hindrance);
            return mine;
        }
        var _ =
                mine.whenComplete((_, _) -> {
                    if (mine.isCancelled()) {
                        peer.cancel(this, "its future was cancelled");
                    }
                });
        return mine;
    }

    /// Has its future completed, by somebody who may do what hangs on it.
    void tell(Tasks tasks) {
        var mine = future;
        if (mine != null) {
            tasks.start("a call is over", () -> complete(mine));
        }
    }

    private void complete(CompletableFuture<@Nullable Object> mine) {
        @Nullable Throwable what;
        try {
            what = outcome(null);
        } catch (RuntimeException | Error e) { // of what was thrown, whose class is a program's
            what = e;
        }
        if (what == null) {
            mine.complete(boxed(method().remoteResult()));
        } else {
            mine.completeExceptionally(what);
        }
    }

    /// Its reply has come.
    ///
    /// @throws MessageAbandoned when it was given up, and another one follows
    void take(byte word, ReadMessage message) {
        try {
            taken(word, message);
        } catch (MessageAbandoned e) {
            throw e;
        } catch (WaitInterrupted e) {
            over(new CallTimedOut("the reply of " + method() + " did not come whole; it has run"));
            throw e;
        } catch (ConnectionLost e) {
            over(
                    new ReplyLost(
                            "the reply of "
                                    + this
                                    + " at "
                                    + peer
                                    + " is lost, it may have run: "
                                    + e.getMessage(),
                            e));
        } catch (IbidemException | ClassCastException e) {
            var why = exception(e);
            over(
                    new UnmarshalException(
                            "error unmarshalling return of " + method() + ThrownText.advice(why),
                            why));
        } catch (RuntimeException | Error e) { // of a class's own methods
            over(e);
        }
    }

    /// What is the matter, without the wrapping.
    private static Exception exception(RuntimeException e) {
        return e.getCause() instanceof IOException || e.getCause() instanceof ClassNotFoundException
                ? (Exception) e.getCause()
                : e;
    }

    private void taken(byte word, ReadMessage message) {
        switch (word) {
            case Words.RETURNED -> {
                InFlight.begin();
                result(method().remoteResult(), message);
                if (method().givesObject()) {
                    received(message);
                }
                over(null);
            }
            case Words.THREW -> threw(message);
            case Words.NO_OBJECT ->
                    over(
                            new NoSuchObjectException(
                                    "no such object at " + peer + ": it is no longer exported"));
            case Words.NO_METHOD ->
                    over(
                            new UnmarshalException(
                                    "the object at "
                                            + peer
                                            + " has no method "
                                            + method()
                                            + ": its interface is another one there; both ends need"
                                            + " the same"));
            case Words.BAD_ARGUMENTS ->
                    over(
                            new ServerException(
                                    "the arguments of " + method() + " were not taken by " + peer,
                                    new UnmarshalException(
                                            "error unmarshalling arguments: "
                                                    + Visible.of(
                                                            String.valueOf(
                                                                    message.readString())))));
            case Words.BAD_RESULT ->
                    over(
                            new ServerException(
                                    "the result of " + method() + " cannot travel; it has run",
                                    new java.rmi.MarshalException(
                                            "error marshalling return: "
                                                    + Visible.of(
                                                            String.valueOf(
                                                                    message.readString())))));
            default ->
                    over(new UnmarshalException("a reply of the kind " + word + " from " + peer));
        }
    }

    /// The reply was read: its sender keeps what it refers to until it hears so.
    private void received(ReadMessage message) {
        if (message.readBoolean()) {
            peer.received(id, InFlight.read());
        }
    }

    private void threw(ReadMessage message) {
        var told = ThrownText.parse(String.valueOf(message.readString()));
        if (!message.readBoolean()) {
            remote = true;
            over(
                    told.traced(
                            new ServerException(
                                    method() + " threw what cannot travel: " + told.text())));
            return;
        }
        try {
            InFlight.begin();
            result(RemoteMethod.Kind.OBJECT, message);
        } catch (MessageAbandoned | WaitInterrupted | ConnectionLost e) {
            throw e;
        } catch (RuntimeException e) { // also of a class's own methods
            var why = exception(e);
            remote = true;
            over(
                    told.traced(
                            new UnmarshalException(
                                    method()
                                            + " threw what is not taken here: "
                                            + told.text()
                                            + ThrownText.advice(why),
                                    why)));
            return;
        }
        received(message);
        if (boxed(RemoteMethod.Kind.OBJECT) instanceof Throwable what) {
            remote = true;
            over(what);
        } else {
            over(new UnmarshalException(method() + " threw what is no exception: " + told.text()));
        }
    }

    /// It is over. Who waits for it may use it for another call as soon as it sees so.
    ///
    /// @param why null: it has a result
    void over(@Nullable Throwable why) {
        Tasks.Task stopped;
        synchronized (this) {
            if (ends) {
                return;
            }
            ends = true;
            thrown = why;
            stopped = timer;
        }
        if (stopped != null) {
            stopped.stop();
        }
        peer.told(this);
        over = true;
        wake();
    }

    @Override
    public String toString() {
        return "call " + id + " of " + method();
    }
}
