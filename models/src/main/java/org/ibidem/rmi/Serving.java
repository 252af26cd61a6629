package org.ibidem.rmi;

import java.lang.System.Logger.Level;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.WriteMessage;
import org.ibidem.rmi.frame.Exchange;
import org.ibidem.rmi.frame.Incoming;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Carries out the calls that come to this node. One thread reads arguments, in the order of their
/// coming; each call is run by a virtual thread of its own, which writes the reply, or, if it is a
/// short one, by the thread that reads: [Reading]. When as many run as may, nothing is read until
/// one has ended, so callers wait.
final class Serving implements AutoCloseable {
    /// Of the port to call.
    static final String NAME = "rmi";

    /// What a caller of ours keeps to.
    private static final int MOST = Peer.MOST + Peer.MOST_NESTED + 1;

    /// For calls that run when this ends.
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    /// Calls whose replies leave together at most.
    private static final int MOST_IN_A_ROW = 32;

    private static final String TITLE = "a remote call";
    private static final System.Logger LOG = System.getLogger(Serving.class.getName());

    private final Part part;
    private final Callers callers;
    private final Reading reading;
    private final ReceivePort port;
    private final Map<Question, Running> running = new ConcurrentHashMap<>();

    /// Of who reads.
    private int row;

    private static final ThreadLocal<@Nullable Origin> CALLED_BY = new ThreadLocal<>();

    private record Question(Origin from, long id) {}

    /// A call that is here; guarded by itself.
    private static final class Running {
        private @Nullable Thread thread;
        private boolean cancelled;
    }

    /// A call that has its arguments.
    ///
    /// @param places whether it runs in one of the places for a program's calls
    private record Ready(
            Callers.Caller caller,
            long id,
            boolean oneWay,
            Exported.Entry entry,
            Incoming call,
            boolean places) {}

    /// What is written as a reply.
    private interface Reply {
        void write(WriteMessage message);
    }

    Serving(Part part) {
        this.part = part;
        this.callers = new Callers(part, this::left);
        this.reading = new Reading(part.tasks(), callers::sendKept);
        this.port =
                ReceivePort.open(
                        part.node(),
                        part.calls(),
                        NAME,
                        part.setup().connections(callers).upcall(this::received));
    }

    private void left(Origin from) {
        for (var each : running.keySet()) {
            if (each.from.equals(from)) {
                cancel(each);
            }
        }
    }

    private void received(ReadMessage message) throws InterruptedException {
        boolean goesOn = false;
        if (message.size() < 0) {
            callers.sendKept(); // its rest may be long in coming
        }
        try {
            goesOn = take(message);
        } catch (MessageAbandoned _) {
            // its caller could not write its arguments, and knows
        } finally {
            if (!goesOn) {
                callers.sendKept();
            }
        }
    }

    /// @return whether replies may be kept back until the next message, which is here
    private boolean take(ReadMessage message) throws InterruptedException {
        byte word = message.readByte();
        long id = message.readLong();
        if (word == Words.CANCEL) {
            cancel(new Question(message.origin(), id));
            return false;
        }
        var caller = callers.of(message.origin());
        if (caller != null && word == Words.RECEIVED) {
            caller.inFlight.remove(id);
        } else if (caller != null && (word == Words.CALL || word == Words.ONE_WAY)) {
            return take(message, caller, word == Words.ONE_WAY, id);
        } else if (caller != null && !isOneTooMany(caller)) {
            refuse(caller, false, id, Words.BAD_ARGUMENTS, unknown(word));
        }
        return false;
    }

    /// Of what a node of another release may say.
    private static String unknown(byte word) {
        return "a message of the kind "
                + word
                + " is not known here, and nothing has run; run the same release of Ibidem at both"
                + " ends";
    }

    /// Of what is begun here, who refuses or carries it out tells the end.
    private boolean isOneTooMany(Callers.Caller caller) {
        boolean tooMany = caller.began() > MOST || caller.inFlight.size() > MOST;
        if (tooMany) {
            LOG.log(Level.WARNING, "{0} makes more calls at once than it may", caller.origin());
            port.disconnect(caller.origin());
            caller.ended();
        }
        return tooMany;
    }

    private boolean take(ReadMessage message, Callers.Caller caller, boolean oneWay, long id)
            throws InterruptedException {
        long number = message.readLong();
        long hash = message.readLong();
        message.readLong(); // how long it is waited for; a cancel follows then
        if (isOneTooMany(caller)) {
            return false;
        }
        var exported = part.exports().of(number);
        var entry = exported == null ? null : exported.entry(hash);
        if (exported == null || entry == null) {
            byte word = exported == null ? Words.NO_OBJECT : Words.NO_METHOD;
            refuse(caller, oneWay, id, word, "");
            return false;
        }
        var call = entry.incoming().fresh();
        var before = Exchange.enter(part);
        try {
            if (entry.reads(call, message)) {
                taken(caller, id);
            }
        } catch (MessageAbandoned | WaitInterrupted e) {
            caller.ended();
            throw e;
        } catch (RuntimeException | Error e) { // also of a class's own methods
            refuse(caller, oneWay, id, Words.BAD_ARGUMENTS, reason(e));
            return false;
        } finally {
            Exchange.enter(before);
        }
        // What nodes ask each other of objects and names does not wait for a program's calls.
        boolean places = !(exported.object() instanceof Names.Held);
        var ready = new Ready(caller, id, oneWay, entry, call, places);
        running.put(new Question(caller.origin(), id), new Running());
        return starts(message, ready, exported);
    }

    /// @return as [#take]
    private boolean starts(ReadMessage message, Ready ready, Exported exported)
            throws InterruptedException {
        var turns = exported.turns();
        if (turns != null) {
            if (!turns.add(TITLE, () -> runInTurn(ready, exported))) {
                running.remove(new Question(ready.caller.origin(), ready.id));
                var why = "as many calls wait for this active object as may";
                refuse(ready.caller, ready.oneWay, ready.id, Words.BAD_ARGUMENTS, why);
            }
            return false;
        }
        if (ready.places && !part.places().tryTake()) {
            callers.sendKept(); // those who wait for them may be needed for a place to be free
            takePlace(message);
            part.tasks().start(TITLE, () -> run(ready, exported));
            return false;
        }
        if (ready.entry.length().isShort()) {
            boolean followed = message.isFollowed() && ++row % MOST_IN_A_ROW != 0;
            long mine = reading.begin(message, followed);
            boolean goesOn = false;
            try {
                run(ready, exported);
            } finally {
                goesOn = reading.end(mine);
            }
            return goesOn;
        }
        part.tasks().start(TITLE, () -> run(ready, exported));
        return false;
    }

    /// Meanwhile nothing is read, but nodes come and go: who runs a call may wait to connect, and
    /// others need not wait for its end to do so.
    private void takePlace(ReadMessage message) throws InterruptedException {
        port.disableUpcalls();
        try {
            message.close();
            part.places().take();
        } finally {
            port.enableUpcalls();
        }
    }

    /// The call that this thread runs, if it does, is about to wait for one of its own.
    void waits() {
        reading.waits();
    }

    /// Those that wait for their turn have no place: others would wait for them.
    private void runInTurn(Ready ready, Exported exported) {
        part.places().takeUninterruptibly();
        run(ready, exported);
    }

    /// Its caller keeps what it refers to until it hears that it has come.
    private void taken(Callers.Caller caller, long id) {
        caller.began();
        part.whenDone(
                InFlight.read(),
                TITLE,
                () -> reply(caller, message -> message.writeByte(Words.TAKEN).writeLong(id)));
    }

    private static String reason(Throwable e) {
        return Words.brief(e instanceof ObjectRefused && e.getCause() != null ? e.getCause() : e);
    }

    /// Never by the thread that reads: who is refused may not read, either.
    private void refuse(Callers.Caller caller, boolean oneWay, long id, byte word, String why) {
        if (oneWay) {
            LOG.log(
                    Level.WARNING,
                    "a call of {0} is passed over: {1} {2}",
                    caller.origin(),
                    word,
                    why);
            caller.ended();
            return;
        }
        boolean says = word == Words.BAD_ARGUMENTS;
        part.tasks()
                .start(
                        TITLE,
                        () ->
                                reply(
                                        caller,
                                        message -> {
                                            message.writeByte(word).writeLong(id);
                                            if (says) {
                                                message.writeString(why);
                                            }
                                        }));
    }

    private void run(Ready ready, Exported exported) {
        var thrown = thrown(ready, exported);
        if (ready.oneWay) {
            if (thrown != null) {
                LOG.log(
                        Level.WARNING,
                        "a one-way call of " + ready.entry.method() + " threw",
                        thrown);
            }
            ready.caller.ended();
        } else if (thrown == null) {
            returned(ready);
        } else {
            threw(ready, thrown);
        }
    }

    /// Runs the method.
    private @Nullable Throwable thrown(Ready ready, Exported exported) {
        var question = new Question(ready.caller.origin(), ready.id);
        var mine = running.get(question);
        if (mine == null || !begins(mine)) {
            end(ready);
            return new InterruptedException("it was cancelled before it began");
        }
        var object = exported.object();
        if (ready.places) {
            part.places().begin();
        }
        exported.begins();
        CALLED_BY.set(question.from);
        long began = System.nanoTime();
        try {
            if (object == null) {
                return new NoSuchObjectException("it was collected");
            }
            ready.call.run(object);
            return null;
        } catch (Throwable e) { // whatever it is, the caller is to be told
            return e;
        } finally {
            ready.entry.length().ran(System.nanoTime() - began);
            running.remove(question, mine);
            synchronized (mine) {
                Thread.interrupted(); // by a cancel, which nobody else needs to hear of
            }
            CALLED_BY.remove();
            exported.ends();
            end(ready);
        }
    }

    private void end(Ready ready) {
        if (ready.places) {
            part.places().end();
        }
    }

    private static boolean begins(Running call) {
        synchronized (call) {
            call.thread = Thread.currentThread();
            return !call.cancelled;
        }
    }

    private void cancel(Question question) {
        var found = running.remove(question);
        if (found != null) {
            synchronized (found) {
                found.cancelled = true;
                if (found.thread != null) {
                    found.thread.interrupt();
                }
            }
        }
    }

    private void returned(Ready ready) {
        reply(
                ready.caller,
                message -> {
                    InFlight.begin();
                    message.writeByte(Words.RETURNED).writeLong(ready.id);
                    ready.call.write(ready.entry.method().result(), message);
                    if (ready.entry.method().givesObject()) {
                        writeInFlight(ready, message);
                    }
                },
                e ->
                        message -> {
                            message.writeByte(Words.BAD_RESULT).writeLong(ready.id);
                            message.writeString(reason(e));
                        });
    }

    private void threw(Ready ready, Throwable thrown) {
        var what =
                switch (thrown) {
                    case Error e -> new ServerError("Error occurred in server thread", e);
                    case RemoteException e ->
                            new ServerException("RemoteException occurred in server thread", e);
                    default -> thrown;
                };
        var text = Words.brief(thrown);
        reply(
                ready.caller,
                message -> {
                    InFlight.begin();
                    threw(message, ready.id, text).writeBoolean(true).writeObject(what);
                    writeInFlight(ready, message);
                },
                _ -> message -> threw(message, ready.id, text).writeBoolean(false));
    }

    private static void writeInFlight(Ready ready, WriteMessage message) {
        var written = InFlight.written();
        if (written != null) {
            ready.caller.inFlight.put(ready.id, written);
        }
        message.writeBoolean(written != null);
    }

    private static WriteMessage threw(WriteMessage message, long id, String text) {
        return message.writeByte(Words.THREW).writeLong(id).writeString(text);
    }

    private void reply(Callers.Caller caller, Reply reply) {
        reply(caller, reply, _ -> reply);
    }

    /// @param other what is written when this one cannot be
    private void reply(
            Callers.Caller caller,
            Reply reply,
            java.util.function.Function<Throwable, Reply> other) {
        var before = Exchange.enter(part);
        try {
            var hindrance = write(caller, reply);
            if (hindrance != null) {
                var again = write(caller, other.apply(hindrance));
                if (again != null) {
                    LOG.log(Level.WARNING, "no reply to " + caller.origin(), again);
                }
            }
        } catch (IbidemException e) {
            LOG.log(Level.DEBUG, "no reply to {0}: {1}", caller.origin(), e.getMessage());
        } finally {
            Exchange.enter(before);
            caller.ended();
        }
    }

    /// @return why the objects in it cannot travel; null: it is written
    private @Nullable Throwable write(Callers.Caller caller, Reply reply) {
        var out = caller.port();
        caller.writing.lock();
        try (var message = out.newMessage()) {
            reply.write(message);
            if (reading.mayKeep()) {
                message.finishHeld();
                callers.keeps(caller);
            } else {
                message.finish();
            }
            return null;
        } catch (ObjectRefused e) {
            return e;
        } catch (IbidemException e) {
            throw e;
        } catch (RuntimeException | Error e) { // of a class's own methods
            return e;
        } finally {
            caller.writing.unlock();
        }
    }

    /// Whether a reply is kept back just now, to go with those to the calls that are here already.
    boolean keeps() {
        return callers.keeps();
    }

    /// Whether a node has a connection to call by.
    boolean isCalledBy(NodeId node) {
        return callers.has(node);
    }

    /// Who has made the call that this thread runs.
    @Nullable Origin calledBy() {
        return CALLED_BY.get();
    }

    @Override
    public void close() {
        callers.drain(CLOSE_LIMIT);
        port.close();
        callers.close();
    }
}
