package org.ibidem.connect.splice;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.ibidem.IbidemException;
import org.ibidem.connect.MethodContext;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// The splices that others have asked this node for, from their first word until both ends begin.
/// An asking end says two things, that it is about to find out where it may be met, and where that
/// is; which of them comes first does not matter.
final class Appointments {
    private static final int MOST = 1024;

    private final Map<With, Appointment> all = new HashMap<>();

    /// Who asks.
    ///
    /// @param peer the asking end
    /// @param token of its splice
    record With(NodeId peer, long token) {}

    /// What this end does for one.
    interface Part {
        /// Finds out where a port may be met.
        Offer offer(LocalPort port) throws IOException;

        /// How long the offer takes to the other end, which begins when it has it.
        Duration delay();

        /// Connects from the port to what the other end offers, and gives the port back.
        void begin(LocalPort port, Offer theirs);
    }

    private static final class Appointment {
        final LocalPort port;
        final CompletableFuture<Offer> mine = new CompletableFuture<>();
        final CompletableFuture<Offer> theirs = new CompletableFuture<>();
        boolean over;

        Appointment(LocalPort port) {
            this.port = port;
        }
    }

    /// Hears a word of an asking end.
    ///
    /// @param part of this end; that of the first word counts
    /// @return this end's offer, when it is known
    /// @throws IbidemException when there is none
    Offer heard(With with, Offer word, Part part, MethodContext context) throws IOException {
        var made = made(with);
        var here = made.orElseGet(() -> known(with));
        if (word.whole()) {
            here.theirs.complete(word);
        }
        if (made.isPresent()) {
            context.tasks().after(context.limit(), "end of a splice", () -> end(with, here));
            offer(here, part, context.tasks());
        }
        return offered(here);
    }

    /// The new appointment, if there is none with them yet.
    private synchronized Optional<Appointment> made(With with) throws IOException {
        if (all.containsKey(with)) {
            return Optional.empty();
        }
        if (all.size() >= MOST) {
            throw new IbidemException("this node is about to begin " + MOST + " splices already");
        }
        var made = new Appointment(LocalPort.take());
        all.put(with, made);
        return Optional.of(made);
    }

    private synchronized Appointment known(With with) {
        var known = all.get(with);
        if (known == null) {
            throw new IbidemException("the time for this splice is over");
        }
        return known;
    }

    private void offer(Appointment here, Part part, Tasks tasks) {
        try {
            var offer = part.offer(here.port);
            long meet = tasks.nanoTime() + part.delay().toNanos();
            tasks.start("splice", () -> await(meet, here, part, tasks));
            here.mine.complete(offer);
        } catch (IOException | RuntimeException | Error e) {
            here.mine.completeExceptionally(e);
        }
    }

    private void await(long meet, Appointment here, Part part, Tasks tasks) {
        try {
            var theirs = here.theirs.get();
            long left = meet - tasks.nanoTime();
            if (left > 0) {
                tasks.pause(Duration.ofNanos(left));
            }
            if (over(here)) {
                part.begin(here.port, theirs);
            }
        } catch (ExecutionException | CancellationException _) {
            // they never said where
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static Offer offered(Appointment here) throws IOException {
        try {
            return here.mine.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case null, default -> throw e;
            }
        }
    }

    private void end(With with, Appointment here) {
        synchronized (this) {
            all.remove(with, here);
        }
        here.theirs.cancel(false);
        if (over(here)) {
            here.port.close();
        }
    }

    /// @return whether it was not over before
    private synchronized boolean over(Appointment here) {
        boolean before = here.over;
        here.over = true;
        return !before;
    }
}
