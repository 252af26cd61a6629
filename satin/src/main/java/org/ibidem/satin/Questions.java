package org.ibidem.satin;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What this process has asked others and was not answered yet. Each worker waits for an answer to
/// its own question to one of this site; beside those one question is under way to another site,
/// and whoever looks next gets what comes of it.
final class Questions {
    /// For an answer. Who has been stopped gives none, and no more work meanwhile.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Victims victims;
    private final Stealing stealing;
    private final BiConsumer<NodeId, Letter> send;
    private final LongSupplier clock;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Question> open = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Question> far = new AtomicReference<>();
    private final Queue<Parcel> arrived = new ConcurrentLinkedQueue<>();
    private final LongAdder askedFar = new LongAdder();
    private volatile boolean paused;

    /// One that was not answered yet.
    ///
    /// @param far whether it went to another site: what comes then is for all
    private record Question(
            long number,
            NodeId to,
            boolean far,
            long asked,
            CompletableFuture<@Nullable Parcel> answer) {}

    /// @param send a letter to somebody
    /// @param clock in nanoseconds
    Questions(
            Victims victims,
            Stealing stealing,
            BiConsumer<NodeId, Letter> send,
            LongSupplier clock) {
        this.victims = victims;
        this.stealing = stealing;
        this.send = send;
        this.clock = clock;
    }

    /// How often somebody of another site was asked.
    long askedFar() {
        return askedFar.sum();
    }

    /// Whether nobody looks for jobs for a while. What has come, or comes, from another site then
    /// goes back: others may do it meanwhile.
    void pause(boolean whether) {
        paused = whether;
        if (whether) {
            giveBack();
        }
    }

    /// For whoever looks next; while nobody does, it goes back.
    private void keep(Parcel parcel) {
        arrived.add(parcel);
        if (paused) {
            giveBack();
        }
    }

    private void giveBack() {
        for (var parcel = arrived.poll(); parcel != null; parcel = arrived.poll()) {
            parcel.from().back(parcel.stamp(), "");
        }
    }

    /// A job, if there is one to be had now, or soon.
    @Nullable Parcel ask() throws InterruptedException {
        var come = arrived.poll();
        if (come != null) {
            return come;
        }
        if (stealing == Stealing.RANDOM) {
            var to = victims.any();
            if (to != null && victims.isFar(to)) {
                askedFar.increment();
            }
            return to == null ? null : answered(to);
        }
        var elsewhere = askFar();
        var to = victims.near();
        if (to != null) {
            return answered(to);
        }
        if (elsewhere != null) {
            come(elsewhere);
        }
        return arrived.poll();
    }

    private static void come(Question elsewhere) throws InterruptedException {
        try {
            elsewhere.answer().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // Whoever asks next gives it up.
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // Nobody fails it.
        }
    }

    private Question question(NodeId to, boolean far) {
        long number = numbers.incrementAndGet();
        var question = new Question(number, to, far, clock.getAsLong(), new CompletableFuture<>());
        open.put(number, question);
        return question;
    }

    private @Nullable Parcel answered(NodeId to) throws InterruptedException {
        var question = question(to, false);
        send.accept(to, Letter.ask(question.number()));
        try {
            return question.answer().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return late(question);
        } catch (InterruptedException e) {
            var come = late(question);
            if (come != null) {
                keep(come);
            }
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // Nobody fails it.
        }
    }

    /// Either what comes now finds no question and goes back, or it is here already.
    private @Nullable Parcel late(Question question) {
        return give(question.number(), null) ? null : question.answer().join();
    }

    /// The question that is under way to another site, perhaps asked just now.
    private @Nullable Question askFar() {
        var before = far.get();
        if (before != null) {
            if (clock.getAsLong() - before.asked() < PATIENCE.toNanos()) {
                return before;
            }
            give(before.number(), null);
        }
        var to = victims.far();
        if (to == null) {
            return null;
        }
        var question = question(to, true);
        if (!far.compareAndSet(null, question)) {
            open.remove(question.number());
            return far.get();
        }
        askedFar.increment();
        send.accept(to, Letter.ask(question.number()));
        return question;
    }

    /// An answer has come.
    ///
    /// @param from who answers: only who was asked may
    /// @param parcel none: there is no job
    /// @return false: nobody waits for it any more, or for it from there
    boolean give(NodeId from, long number, @Nullable Parcel parcel) {
        var question = open.get(number);
        return question != null && question.to().equals(from) && give(number, parcel);
    }

    /// Whether an answer that nobody waits for may be late, or one of two to a question that was
    /// written twice.
    ///
    /// @return false: nobody was asked under that number yet, or somebody else
    boolean mayHaveAsked(NodeId from, long number) {
        var question = open.get(number);
        return number >= 1
                && number <= numbers.get()
                && (question == null || question.to().equals(from));
    }

    private boolean give(long number, @Nullable Parcel parcel) {
        var question = open.remove(number); // Whoever removes it answers it.
        if (question == null) {
            return false;
        }
        if (question.far()) {
            if (parcel != null) {
                keep(parcel);
            }
            far.compareAndSet(question, null);
        }
        return question.answer().complete(parcel);
    }

    /// Nobody answers who is gone.
    void gone(NodeId id) {
        for (var question : open.values()) {
            if (question.to().equals(id)) {
                give(question.number(), null);
            }
        }
    }
}
