package org.ibidem.messaging;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.IbidemException;
import org.ibidem.Visible;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.config.Limit;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.SendSetup;
import org.ibidem.port.WriteTimedOut;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Asks questions of one server; made by [Procedure#caller]. Any thread may use it, and any number
/// of calls may be under way: at most 16384, then those that follow wait.
///
/// Each call has a deadline, and ends by then, whatever the server does. When the server is gone
/// all calls fail at once that it has not answered, those that follow, too: a new caller may find
/// another.
///
/// @param <Q> the kind of question
/// @param <R> the kind of answer
public final class Caller<Q, R> implements AutoCloseable {
    private static final Duration CANCEL_LIMIT = Duration.ofMillis(100);

    /// How long the end of the answers may take that follows that of the questions.
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private static final int MOST = 16384;

    private final Procedure<Q, R> procedure;
    private final Tasks tasks;
    private final ReceivePort in;
    private final SendPort out;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Call<R>> calls = new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(MOST);
    private final Answers answers;

    /// Calls whose answers nobody may be waiting for.
    private final AtomicInteger started = new AtomicInteger();

    /// Why there can be no answers any more.
    private volatile @Nullable CallFailed gone;

    private Caller(Node node, Procedure<Q, R> procedure, NodeId server) {
        this.procedure = procedure;
        this.tasks = Runtimes.of(node).tasks();
        var name = Backs.name(node, procedure.name());
        this.in =
                ReceivePort.open(
                        node,
                        procedure.answers(),
                        name,
                        procedure.setup(procedure.answer()).only(server).connections(new Losses()));
        this.out =
                SendPort.open(
                        node,
                        procedure.questions(),
                        name,
                        SendSetup.USUAL.lost((_, loss) -> asksNoMore(loss.why())));
        this.answers = new Answers(in, this::answered, this::opened, tasks);
    }

    static <Q, R> Caller<Q, R> open(
            Node node, Procedure<Q, R> procedure, NodeId server, Duration limit) {
        var caller = new Caller<>(node, procedure, server);
        try {
            caller.out.connect(server, procedure.name(), limit);
        } catch (RuntimeException e) {
            caller.close();
            throw e;
        }
        return caller;
    }

    private final class Losses implements ConnectionUpcall {
        @Override
        public void lost(ReceivePort port, Lost<Origin> connection) {
            gone(connection.why());
        }
    }

    /// Asks, and waits for the answer, for at most 10 seconds.
    ///
    /// @return null only where answers are `Void`
    /// @throws CallFailed when there is none
    public R call(Q question) {
        return call(question, Limit.CALL.get());
    }

    /// The same within another limit.
    public R call(Q question, Duration limit) {
        return begin(question, limit).await();
    }

    /// Asks; the answer is for who waits for it, or for a future. Waits while the server does not
    /// take questions, or 16384 calls are under way; what comes of it the call says.
    public Call<R> start(Q question, Duration limit) {
        var call = begin(question, limit);
        if (!call.isOver()) {
            started.incrementAndGet();
            call.whenOver(started::decrementAndGet);
            call.timer(
                    tasks.after(
                            Call.atMost(call.left(tasks), limit),
                            "deadline of " + call,
                            () -> expired(call)));
            answers.readFor(started);
        }
        return call;
    }

    private Call<R> begin(Q question, Duration limit) {
        Objects.requireNonNull(question);
        long left = Tasks.nanos(limit);
        var call = new Call<R>(this, ids.incrementAndGet(), tasks.nanoTime() + left);
        try {
            if (!places.tryAcquire()) {
                if (!places.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                    call.failed(late("no call may begin while others wait for answers: " + MOST));
                    return call;
                }
                left = call.left(tasks);
            }
            calls.put(call.id, call);
            ask(call, question, left);
        } catch (InterruptedException | WaitInterrupted e) {
            Thread.currentThread().interrupt();
            fail(call, interrupted(e));
        } catch (ObjectRefused e) {
            fail(call, new CallFailed(CallFailed.Why.REFUSED, this + ": " + e.getMessage(), e));
        } catch (IbidemException e) {
            fail(call, lost(e));
        } catch (RuntimeException | Error e) { // of a class's own methods
            fail(call, new CallFailed(CallFailed.Why.REFUSED, this + ": " + Words.brief(e), e));
        }
        return call;
    }

    private void ask(Call<R> call, Q question, long left) {
        var known = gone;
        if (known != null) {
            throw known;
        }
        try (var message = out.newMessage(call.deadline, null)) {
            if (message == null) {
                fail(call, late("the server did not take the question in time"));
                return;
            }
            message.writeByte(Words.ASK).writeLong(call.id).writeLong(left);
            message.writeObject(question).finish();
        } catch (WriteTimedOut e) {
            fail(call, late("the server did not take the question: " + e.getMessage()));
        }
    }

    private CallFailed late(String what) {
        return new CallFailed(
                CallFailed.Why.TIME, "the deadline of a call of " + this + " has passed: " + what);
    }

    private CallFailed lost(IbidemException e) {
        var known = gone;
        var why = known != null ? known : e;
        return new CallFailed(
                CallFailed.Why.GONE,
                "the server of " + this + " is gone: " + why.getMessage(),
                why);
    }

    private CallFailed interrupted(Exception e) {
        return new CallFailed(
                CallFailed.Why.CANCELLED, "the thread that called " + this + " was interrupted", e);
    }

    void await(Call<?> call) {
        try {
            if (!answers.await(call)) {
                expired(call);
            }
        } catch (WaitInterrupted e) {
            fail(call, interrupted(e));
            tellCancelled(call);
        } catch (IbidemException e) {
            gone(String.valueOf(e.getMessage()));
            fail(call, lost(e)); // where it was not under way any more
        }
    }

    private void expired(Call<?> call) {
        fail(call, late("there is no answer from the server"));
    }

    boolean cancel(Call<?> call) {
        if (call.isOver()) {
            return false;
        }
        fail(call, new CallFailed(CallFailed.Why.CANCELLED, call + " was cancelled"));
        tellCancelled(call);
        return true;
    }

    private void tellCancelled(Call<?> call) {
        boolean interrupted = Thread.interrupted(); // it is said even so
        try (var message = out.newMessage(CANCEL_LIMIT)) {
            if (message != null) {
                message.writeByte(Words.CANCEL).writeLong(call.id).finish();
            }
        } catch (IbidemException _) {
            // then it works on it in vain
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void fail(Call<?> call, CallFailed why) {
        if (calls.remove(call.id) != null) {
            places.release();
        }
        call.failed(why); // also where its answer is just being read: it may never come whole
    }

    /// An answer has come; perhaps too late, then it is nobody's.
    private void answered(ReadMessage message) {
        answered(message.readLong(), message);
    }

    private Answers.Opened opened(ReadMessage message) {
        long id = message.readLong();
        return new Answers.Opened(calls.get(id), () -> answered(id, message));
    }

    private void answered(long id, ReadMessage message) {
        var call = calls.remove(id);
        if (call == null) {
            return;
        }
        places.release();
        byte word = message.readByte();
        if (word != Words.ANSWER) {
            var why = word == Words.THREW ? CallFailed.Why.THREW : CallFailed.Why.REFUSED;
            call.failed(
                    new CallFailed(
                            why,
                            "the server of "
                                    + this
                                    + ": "
                                    + Visible.of(String.valueOf(message.readString()))));
            return;
        }
        try {
            call.answered(answer(message.readObject()));
        } catch (WaitInterrupted e) {
            call.failed(late("its answer did not come whole"));
            throw e;
        } catch (IbidemException e) {
            call.failed(
                    new CallFailed(
                            CallFailed.Why.REFUSED,
                            "the answer to a call of " + this + ": " + e.getMessage(),
                            e));
        } catch (RuntimeException | Error e) { // of a class's own methods
            var why = "the answer to a call of " + this + ": " + Words.brief(e);
            call.failed(new CallFailed(CallFailed.Why.REFUSED, why, e));
        }
    }

    private @Nullable R answer(@Nullable Object object) {
        return procedure.answer() == Void.class ? null : Subject.cast(procedure.answer(), object);
    }

    /// No questions are taken any more. Answers that were given before may wait here to be read,
    /// and the connection they came over says itself when there is none behind them.
    private void asksNoMore(String why) {
        var _ = goes(why);
        var limit = in.connections().isEmpty() ? Duration.ZERO : END_LIMIT;
        try {
            tasks.after(limit, "last answers of " + this, () -> gone(why));
        } catch (IllegalStateException _) {
            gone(why); // this node is closed
        }
    }

    private CallFailed goes(String why) {
        var known = gone;
        if (known == null) {
            known =
                    new CallFailed(
                            CallFailed.Why.GONE, "the server of " + this + " is gone: " + why);
            gone = known;
        }
        return known;
    }

    /// No answers come any more.
    private void gone(String why) {
        var known = goes(why);
        in.close(); // wakes who reads
        for (var call : calls.values()) {
            fail(
                    call,
                    new CallFailed(CallFailed.Why.GONE, String.valueOf(known.getMessage()), known));
        }
    }

    /// Calls that are under way.
    public int underWay() {
        return calls.size();
    }

    /// The port that questions go out by: over what it goes, how it waits.
    public SendPort port() {
        return out;
    }

    /// Ends; calls that are under way fail.
    @Override
    public void close() {
        gone("this caller was closed");
        out.close(Duration.ofSeconds(1));
        in.close();
    }

    @Override
    public String toString() {
        return procedure.toString();
    }
}
