package org.ibidem.control;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.IbidemException;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.link.FreeNumbers;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Requests and answers over a control link. Each request is answered by a task of its own, so a
/// slow one holds up no other.
///
/// ```
/// | what u8 (0 request, 1 answer, 2 failure, 3 note) | number i32 | kind u8 (request, note) | body ... |
/// ```
final class ServiceLink {
    private static final System.Logger LOG = System.getLogger(ServiceLink.class.getName());
    static final int REQUEST = 0;
    private static final int ANSWER = 1;
    private static final int FAILURE = 2;
    static final int NOTE = 3;
    private static final int LARGEST = 32 << 10;
    private static final int LONGEST_FAILURE = 1024;

    /// Requests of one peer that may be worked on at a time; more are refused.
    private static final int MOST_AT_WORK = 256;

    /// More notes are not heard; a node has no more channels to a peer, mostly.
    private static final int MOST_NOTES_WAITING = 65_536;

    private final ControlLink control;
    private final Map<Integer, Peers.Service> services;
    private final Tasks tasks;
    private final Map<Integer, CompletableFuture<byte[]>> waiting = new ConcurrentHashMap<>();
    final FreeNumbers numbers = new FreeNumbers();
    private final Semaphore atWork = new Semaphore(MOST_AT_WORK);
    private final Notes notes;
    private volatile long lastUsed;
    private volatile long roundTrip = Long.MAX_VALUE;

    ServiceLink(ControlLink control, Map<Integer, Peers.Service> services, Tasks tasks) {
        this.control = control;
        this.services = services;
        this.tasks = tasks;
        this.lastUsed = tasks.nanoTime();
        this.notes = new Notes(tasks, "hear " + peer().brief(), MOST_AT_WORK, MOST_NOTES_WAITING);
    }

    NodeId peer() {
        return control.peer();
    }

    boolean alive() {
        return control.ending() == null;
    }

    @Nullable Ending ending() {
        return control.ending();
    }

    /// The shortest time an answer has taken, or zero before the first.
    Duration roundTrip() {
        return roundTrip == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(roundTrip);
    }

    /// How long nothing was heard of the peer.
    Duration quiet() {
        return control.quiet();
    }

    boolean idleFor(Duration time) {
        return waiting.isEmpty() && tasks.nanoTime() - lastUsed >= time.toNanos();
    }

    void close(String why) {
        control.close(why);
    }

    byte[] request(int kind, byte[] body, Duration limit) {
        long asked = tasks.nanoTime(); // before it leaves: this thread may not run until it is back
        lastUsed = asked;
        int number = numbers.take(waiting::containsKey);
        var answer = new CompletableFuture<byte[]>();
        waiting.put(number, answer);
        try {
            if (!control.send(asking(REQUEST, number, kind, body))) {
                throw ServiceFailed.unanswered(peer(), ending());
            }
            var heard = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            roundTrip = Math.min(roundTrip, tasks.nanoTime() - asked);
            return heard;
        } catch (TimeoutException e) {
            throw new ServiceFailed("node " + peer().brief() + " did not answer in time", e);
        } catch (ExecutionException e) {
            var cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new ServiceFailed(String.valueOf(cause.getMessage()), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceFailed("interrupted while waiting for node " + peer().brief(), e);
        } finally {
            waiting.remove(number);
        }
    }

    boolean tell(int kind, byte[] body) {
        lastUsed = tasks.nanoTime();
        return control.send(asking(NOTE, 0, kind, body));
    }

    /// Begins to receive, until the link ends; then nobody waits for an answer any more.
    ///
    /// @param end run after that, by the thread that drives the link
    void receiveAll(Runnable end) {
        control.deliver(
                message -> {
                    lastUsed = tasks.nanoTime();
                    take(new ControlReader(message));
                },
                () -> {
                    var ended = ServiceFailed.unanswered(peer(), ending());
                    waiting.values().forEach(answer -> answer.completeExceptionally(ended));
                    end.run();
                });
    }

    private void take(ControlReader in) {
        int what = in.u8("what");
        int number = in.i32("number");
        switch (what) {
            case REQUEST, NOTE -> {
                int kind = in.u8("kind");
                var body = in.raw("body", in.remaining());
                var service = services.get(kind);
                if (what == NOTE && service != null) {
                    service.heard(peer(), body);
                }
                if (what == REQUEST) {
                    work(number, kind, body);
                } else if (!notes.add(() -> answer(what, number, kind, body))) {
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "node {0} sends more notes than can be heard",
                            peer().brief());
                }
            }
            case ANSWER -> complete(number, in.raw("body", in.remaining()));
            case FAILURE -> {
                var why = in.reason("why", LONGEST_FAILURE);
                var answer = waiting.get(number);
                if (answer != null) {
                    answer.completeExceptionally(new ServiceFailed.Answer(why));
                }
            }
            default -> throw in.bad("what", what + " is no kind of message");
        }
    }

    private void complete(int number, byte[] body) {
        var answer = waiting.get(number);
        if (answer != null) {
            answer.complete(body);
        }
    }

    private void work(int number, int kind, byte[] body) {
        if (!atWork.tryAcquire()) {
            fail(
                    REQUEST,
                    number,
                    "node is working on " + MOST_AT_WORK + " requests of yours already; try again");
            return;
        }
        tasks.start(
                "answer " + peer().brief(),
                () -> {
                    try {
                        answer(REQUEST, number, kind, body);
                    } finally {
                        atWork.release();
                    }
                });
    }

    private void answer(int what, int number, int kind, byte[] body) {
        var service = services.get(kind);
        if (service == null) {
            fail(
                    what,
                    number,
                    "requests of kind " + kind + " are not known here: is this another version?");
            return;
        }
        try {
            var result = service.answer(peer(), body);
            if (what == REQUEST) {
                control.send(answer(number, result));
            }
        } catch (Malformed e) {
            control.violated(String.valueOf(e.getMessage()));
        } catch (IbidemException e) {
            fail(what, number, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) { // whoever asks must hear of it
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a request of node " + peer().brief() + " could not be answered",
                    e);
            fail(what, number, "it failed at the other node: " + e);
        }
    }

    private void fail(int what, int number, String why) {
        if (what == REQUEST) {
            control.send(failure(number, why));
        }
    }

    static byte[] asking(int what, int number, int kind, byte[] body) {
        return new ControlWriter(LARGEST).u8(what).i32(number).u8(kind).raw(body).toBytes();
    }

    static byte[] answer(int number, byte[] body) {
        return new ControlWriter(LARGEST).u8(ANSWER).i32(number).raw(body).toBytes();
    }

    static byte[] failure(int number, String why) {
        return new ControlWriter(LARGEST)
                .u8(FAILURE)
                .i32(number)
                .text(ControlWriter.shortened(why, LONGEST_FAILURE), LONGEST_FAILURE)
                .toBytes();
    }
}
