package org.ibidem.messaging;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.ibidem.IbidemException;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.WriteTimedOut;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Answers the questions of any number of callers; made by [Procedure#server].
///
/// A caller that takes an answer slowly gets it, until the question's deadline; where one question
/// is answered at a time, the others wait meanwhile. One that makes no room for 2 seconds loses
/// that answer, and for 20 seconds gets only those for which there is room at once.
///
/// @param <Q> the kind of question
/// @param <R> the kind of answer
public final class Server<Q, R> implements AutoCloseable {
    private final Procedure<Q, R> procedure;
    private final AskedAnswerer<Q, R> answerer;
    private final int atOnce;
    private final Tasks tasks;
    private final Failing failing;
    private final Semaphore places;
    private final Backs backs;
    private final ReceivePort port;
    private final Map<Question, Running> running = new ConcurrentHashMap<>();
    private final LongAdder answered = new LongAdder();
    private final LongAdder unanswered = new LongAdder();

    private final SlowCallers slow = new SlowCallers();

    private record Question(Origin from, long id) {}

    /// An answer that is being worked on.
    private record Running(Asked asked, Thread thread) {}

    private Server(Node node, Procedure<Q, R> procedure, int atOnce, AskedAnswerer<Q, R> answerer) {
        this.procedure = procedure;
        this.answerer = answerer;
        this.atOnce = atOnce;
        this.tasks = Runtimes.of(node).tasks();
        this.failing = new Failing(procedure.failures());
        this.places = new Semaphore(atOnce);
        this.backs = new Backs(node, procedure.answers(), new Callers());
        this.port =
                ReceivePort.open(
                        node,
                        procedure.questions(),
                        procedure.name(),
                        procedure
                                .setup(procedure.question())
                                .connections(backs)
                                .failures(failing::failed)
                                .upcall(this::received));
    }

    static <Q, R> Server<Q, R> open(
            Node node, Procedure<Q, R> procedure, int atOnce, AskedAnswerer<Q, R> answerer) {
        if (atOnce < 1) {
            throw new IllegalArgumentException("1 question at a time or more, not " + atOnce);
        }
        return new Server<>(node, procedure, atOnce, answerer);
    }

    private final class Callers implements Backs.Watcher {
        @Override
        public void left(Origin from) {
            slow.left(from);
            for (var each : running.keySet()) {
                if (each.from.equals(from)) {
                    cancel(each);
                }
            }
        }
    }

    private void received(ReadMessage message) throws InterruptedException {
        byte word = message.readByte();
        var question = new Question(message.origin(), message.readLong());
        if (word == Words.CANCEL) {
            cancel(question);
            return;
        }
        long limit = message.readLong();
        var asked = new Asked(question.from, tasks, tasks.nanoTime() + limit);
        Q wanted;
        try {
            wanted = Subject.cast(procedure.question(), message.readObject());
        } catch (ObjectRefused | UnexpectedObject e) {
            say(question, asked, Words.REFUSED, Words.brief(e));
            return;
        } catch (Error e) { // of a class's own methods
            say(question, asked, Words.REFUSED, Words.brief(e));
            throw e;
        }
        if (limit <= 0) {
            unanswered.increment(); // nobody waits for it
        } else if (atOnce == 1) {
            answer(question, wanted, asked);
        } else {
            places.acquire();
            tasks.start(
                    procedure.name() + " for " + question.from,
                    () -> {
                        try {
                            watched(question, wanted, asked);
                        } finally {
                            places.release();
                        }
                    });
        }
    }

    /// So that it can be cancelled.
    private void watched(Question question, Q wanted, Asked asked) {
        var mine = new Running(asked, Thread.currentThread());
        running.put(question, mine);
        try {
            if (asked.isOver()) {
                unanswered.increment(); // for want of a place
            } else {
                answer(question, wanted, asked);
            }
        } finally {
            running.remove(question, mine);
            synchronized (mine.asked) {
                Thread.interrupted(); // by a cancel, which nobody else needs to hear of
            }
        }
    }

    private void cancel(Question question) {
        var found = running.remove(question);
        if (found != null) {
            found.asked.cancel();
            synchronized (found.asked) {
                found.thread.interrupt();
            }
        }
    }

    private void answer(Question question, Q wanted, Asked asked) {
        @Nullable R answer;
        try {
            answer = answerer.answer(wanted, asked);
        } catch (Exception | Error e) { // whatever it is, the caller is to be told
            say(question, asked, Words.THREW, Words.brief(e));
            if (!asked.isOver()) {
                failing.failed(port, question.from, e);
            }
            return;
        }
        try {
            say(question, asked, Words.ANSWER, answer);
        } catch (ObjectRefused | Error e) { // of a class's own methods
            say(question, asked, Words.REFUSED, Words.brief(e));
            failing.failed(port, question.from, e);
        }
    }

    /// Says it, if its caller takes it in time.
    private void say(Question question, Asked asked, byte word, @Nullable Object what) {
        boolean said = false;
        try {
            var back = backs.to(question.from);
            if (back != null && asked.deadline - tasks.nanoTime() > 0) {
                said = write(back, question, word, what, asked.deadline);
            }
        } catch (ObjectRefused e) {
            throw e;
        } catch (IbidemException _) {
            // it is gone
        }
        (said ? answered : unanswered).increment();
    }

    private boolean write(
            Backs.Back back, Question question, byte word, @Nullable Object what, long end) {
        boolean mine = atOnce == 1;
        try {
            mine = mine || back.writing.tryLock(end - tasks.nanoTime(), TimeUnit.NANOSECONDS);
            return mine && writeInTurn(back, question, word, what, end);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            if (mine && atOnce > 1) {
                back.writing.unlock();
            }
        }
    }

    private boolean writeInTurn(
            Backs.Back back, Question question, byte word, @Nullable Object what, long end) {
        var there = back.portNow();
        var out =
                there != null
                        ? there
                        : back.port(Duration.ofNanos(Math.max(1, end - tasks.nanoTime())));
        long patience = slow.patience(question.from, tasks.nanoTime());
        try (var message = out.newMessage(end, Duration.ofNanos(patience))) {
            if (message != null) {
                message.writeLong(question.id).writeByte(word);
                if (word == Words.ANSWER) {
                    message.writeObject(what);
                } else {
                    message.writeString(String.valueOf(what));
                }
                message.finish();
                slow.took(question.from);
                return true;
            }
        } catch (WriteTimedOut _) {
            // it is given up
        }
        long now = tasks.nanoTime();
        if (now - end < 0) { // else its own time was too short, which says nothing of others
            slow.refused(question.from, now);
        }
        return false;
    }

    /// Questions answered so far, with an answer or why there is none.
    public long answered() {
        return answered.sum();
    }

    /// Questions that were not answered: their time was over, or their caller is gone or does not
    /// take answers.
    public long unanswered() {
        return unanswered.sum();
    }

    /// The port that questions come to: who is connected, how it waits.
    public ReceivePort port() {
        return port;
    }

    /// Answers no more: callers are told that it is gone.
    @Override
    public void close() {
        port.close();
        backs.close();
    }

    @Override
    public String toString() {
        return "server of " + procedure;
    }
}
