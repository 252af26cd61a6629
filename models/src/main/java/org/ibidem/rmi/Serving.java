package org.ibidem.rmi;

import java.lang.System.Logger.Level;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.time.Duration;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.WriteMessage;
import org.ibidem.rmi.frame.Exchange;
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
    private final Abandoned abandoned;

    /// Of who reads.
    private int row;

    private static final ThreadLocal<@Nullable Origin> CALLED_BY = new ThreadLocal<>();

    /// What is written as a reply.
    interface Reply {
        void write(WriteMessage message);

        /// What is written when this cannot be.
        default Reply instead(Throwable why) {
            return this;
        }
    }

    Serving(Part part) {
        this.part = part;
        this.callers = new Callers(part);
        this.reading = new Reading(part.tasks(), callers::sendKept);
        this.port =
                ReceivePort.open(
                        part.node(),
                        part.ports().calls(),
                        NAME,
                        part.setup().connections(callers).upcall(this::received));
        this.abandoned = new Abandoned(part, this::givenUp);
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
        var caller = callers.of(message.origin());
        if (caller != null && word == Words.CANCEL) {
            caller.cancel(id);
        } else if (caller != null && word == Words.RECEIVED) {
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
            callers.drop(caller.origin()); // of what we end ourselves nobody tells us
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
        var call = entry.served(exported);
        call.begin(caller, id, oneWay);
        var before = Exchange.enter(part);
        try {
            if (entry.reads(call.call(), message)) {
                taken(caller, id);
            }
        } catch (MessageAbandoned | WaitInterrupted e) {
            caller.ended();
            throw e;
        } catch (RuntimeException | Error e) { // also of a class's own methods
            refuse(caller, oneWay, id, Words.BAD_ARGUMENTS, Words.reason(e));
            return false;
        } finally {
            Exchange.enter(before);
        }
        if (!caller.has(call)) {
            refuse(caller, oneWay, id, Words.BAD_ARGUMENTS, "it was given up before it was read");
            return false;
        }
        return starts(message, call);
    }

    private void givenUp(Origin from, long id) {
        var caller = callers.of(from);
        if (caller != null) {
            caller.giveUp(id);
        }
    }

    /// @return as [#take]
    private boolean starts(ReadMessage message, Served call) throws InterruptedException {
        var turns = call.exported().turns();
        if (turns != null) {
            if (!turns.add(TITLE, () -> runInTurn(call))) {
                call.caller().hasRun(call);
                var why = "as many calls wait for this active object as may";
                refuse(call.caller(), call.isOneWay(), call.number(), Words.BAD_ARGUMENTS, why);
            }
            return false;
        }
        if (call.takesPlace() && !part.places().tryTake()) {
            callers.sendKept(); // those who wait for them may be needed for a place to be free
            takePlace(message);
            part.tasks().start(TITLE, () -> run(call, true));
            return false;
        }
        if (call.entry().length().isShort()) {
            boolean followed = message.isFollowed() && ++row % MOST_IN_A_ROW != 0;
            long mine = reading.begin(message, followed);
            boolean goesOn = false;
            try {
                run(call, call.takesPlace());
            } finally {
                goesOn = reading.end(mine);
            }
            return goesOn;
        }
        part.tasks().start(TITLE, () -> run(call, call.takesPlace()));
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
    private void runInTurn(Served call) {
        part.places().takeUninterruptibly();
        run(call, true);
    }

    /// Its caller keeps what it refers to until it hears that it has come.
    private void taken(Callers.Caller caller, long id) {
        caller.began();
        part.whenDone(
                InFlight.read(),
                TITLE,
                () -> reply(caller, message -> message.writeByte(Words.TAKEN).writeLong(id)));
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

    /// @param place whether it has one
    private void run(Served call, boolean place) {
        var thrown = thrown(call, place);
        if (call.isOneWay()) {
            if (thrown != null && call.isWanted()) {
                LOG.log(
                        Level.WARNING,
                        "a one-way call of " + call.entry().method() + " threw",
                        thrown);
            }
            call.caller().ended();
        } else if (thrown == null) {
            reply(call.caller(), call);
        } else {
            threw(call, thrown);
        }
        call.release();
    }

    /// Runs the method.
    private @Nullable Throwable thrown(Served call, boolean place) {
        if (!call.runs()) {
            end(place);
            return new InterruptedException("it was cancelled before it began");
        }
        var object = call.exported().object();
        if (place) {
            part.places().begin();
        }
        call.exported().begins();
        CALLED_BY.set(call.caller().origin());
        long began = System.nanoTime();
        try {
            if (object == null) {
                return new NoSuchObjectException("it was collected");
            }
            call.call().run(object);
            return null;
        } catch (Throwable e) { // whatever it is, the caller is to be told
            return e;
        } finally {
            call.entry().length().ran(System.nanoTime() - began);
            call.caller().hasRun(call);
            call.hasRun();
            CALLED_BY.set(null);
            call.exported().ends();
            end(place);
        }
    }

    private void end(boolean place) {
        if (place) {
            part.places().end();
        }
    }

    private void threw(Served call, Throwable thrown) {
        var what =
                switch (thrown) {
                    case Error e -> new ServerError("Error occurred in server thread", e);
                    case RemoteException e ->
                            new ServerException("RemoteException occurred in server thread", e);
                    default -> thrown;
                };
        reply(call.caller(), new Threw(call, what, ThrownText.of(thrown)));
    }

    /// What a method threw.
    private record Threw(Served call, Throwable what, String text) implements Reply {
        @Override
        public void write(WriteMessage message) {
            InFlight.begin();
            begin(message).writeBoolean(true).writeObject(what);
            call.writeInFlight(message);
        }

        private WriteMessage begin(WriteMessage message) {
            return message.writeByte(Words.THREW).writeLong(call.number()).writeString(text);
        }

        @Override
        public Reply instead(Throwable why) {
            return message -> begin(message).writeBoolean(false);
        }
    }

    private void reply(Callers.Caller caller, Reply reply) {
        var before = Exchange.enter(part);
        try {
            var hindrance = write(caller, reply);
            if (hindrance != null) {
                var again = write(caller, reply.instead(hindrance));
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
        boolean drained = callers.drain(CLOSE_LIMIT);
        abandoned.close();
        port.close();
        if (drained) { // one may have been in hand, and was not known yet
            callers.drain(CLOSE_LIMIT);
        }
        callers.close();
    }
}
