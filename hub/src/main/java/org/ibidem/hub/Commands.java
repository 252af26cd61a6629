package org.ibidem.hub;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ibidem.hub.journal.NoRoom;
import org.ibidem.hub.pools.Answer;
import org.ibidem.hub.pools.Command;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.task.Tasks;

/// Gives the state machine its commands: one after another, each remembered before it is obeyed.
/// All that arrived while the disk was busy is written at once.
///
/// While nothing can be written, what members want is refused, unless it was done before, and what
/// the hub has seen is kept until it can be.
final class Commands {
    private static final Logger LOG = System.getLogger(Commands.class.getName());
    private static final int MOST_AT_ONCE = 1024;
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    private final State state;
    private final ReentrantLock guard;
    private final Tasks tasks;
    private final Consumer<Collection<Command>> obeyed;
    private final Consumer<IOException> failed;
    private final LongSupplier now;
    private final ArrayDeque<Entry> queue = new ArrayDeque<>();
    private final Map<Object, Entry> kept = new LinkedHashMap<>();
    private boolean working;
    private boolean closed;
    private boolean waiting;
    private volatile boolean refusing;
    private volatile boolean writing;
    private volatile long written;

    /// A command, and who wants to hear the answer; under the guard.
    private record Entry(Command command, Consumer<Answer> then) {}

    /// Commands for this state.
    ///
    /// @param guard held while commands are obeyed
    /// @param obeyed told which, under the guard
    /// @param failed told when nothing can be remembered or obeyed any more
    /// @param now of the clock by which members run out of time
    Commands(
            State state,
            ReentrantLock guard,
            Tasks tasks,
            Consumer<Collection<Command>> obeyed,
            Consumer<IOException> failed,
            LongSupplier now) {
        this.state = state;
        this.guard = guard;
        this.tasks = tasks;
        this.obeyed = obeyed;
        this.failed = failed;
        this.now = now;
    }

    /// Has a command obeyed, soon; never, once this is closed.
    void submit(Command command, Consumer<Answer> then) {
        synchronized (queue) {
            if (!closed) {
                queue.add(new Entry(command, then));
                start();
            }
        }
    }

    /// Whether what members want is done: not while nothing can be written, nor while the disk has
    /// taken longer than this to write it.
    boolean able(Duration most) {
        return !refusing && !(writing && tasks.nanoTime() - written > most.toNanos());
    }

    /// Obeys nothing any more.
    void close() {
        synchronized (queue) {
            closed = true;
            queue.clear();
        }
    }

    private void start() {
        if (!working) {
            working = true;
            tasks.start("commands", this::work);
        }
    }

    private void work() {
        for (var some = next(); !some.isEmpty(); some = next()) {
            try {
                commit(some);
            } catch (IOException e) {
                failed.accept(e);
                return;
            } catch (RuntimeException | Error e) {
                failed.accept(new IOException("the state is not what it should be: " + e, e));
                throw e;
            }
        }
    }

    private List<Entry> next() {
        synchronized (queue) {
            var some = new ArrayList<Entry>();
            if (!queue.isEmpty()) { // what was seen before comes before it
                some.addAll(kept.values());
                kept.clear();
            }
            for (int i = 0; i < MOST_AT_ONCE && !queue.isEmpty(); i++) {
                some.add(queue.removeFirst());
            }
            working = !some.isEmpty();
            return some;
        }
    }

    private void commit(List<Entry> entries) throws IOException {
        try {
            write(entries.stream().map(Entry::command).toList());
        } catch (NoRoom e) {
            refuse(entries, e);
            return;
        }
        guard.lock();
        try {
            entries.forEach(entry -> entry.then.accept(state.pools().apply(entry.command)));
            obeyed.accept(entries.stream().map(Entry::command).toList());
        } finally {
            guard.unlock();
        }
        state.tidy();
    }

    private void write(List<Command> commands) throws IOException {
        written = tasks.nanoTime();
        writing = true;
        try {
            state.remember(commands);
            refusing = false;
        } finally {
            writing = false;
        }
    }

    private void refuse(List<Entry> entries, NoRoom why) {
        if (!refusing) {
            refusing = true;
            LOG.log(
                    Level.ERROR,
                    "{0}. Until it can, no node joins, and nothing is done for members. Lost members"
                            + " are declared dead afterwards, and time limits stand still. Make room",
                    why.getMessage());
        }
        tryLater();
        guard.lock();
        try {
            entries.forEach(entry -> refuse(entry, String.valueOf(why.getMessage())));
        } finally {
            guard.unlock();
        }
    }

    private void refuse(Entry entry, String why) {
        var text = "this hub cannot keep its state now: " + why;
        switch (entry.command) {
            case Command.Attach _ ->
                    entry.then.accept(new Answer.Refused(JoinRefusal.CANNOT_WRITE, text));
            case Command.Operate operate -> {
                var before = state.pools().answered(operate);
                entry.then.accept(
                        before == null
                                ? new Answer.Settled(
                                        new Outcome.Refused(text + "; make room there"))
                                : before);
            }
            case Command.Leave(var pool, var id) -> keep(List.of(pool, id), entry);
            case Command.Proved(var pool, var id, _, _) -> keep(List.of(pool, id), entry);
            case Command.Lost(var pool, var id, _, _, _) -> keep(List.of(pool, id), entry);
            case Command.Heard(var pool, var id, _) -> keep(List.of(pool, id), entry);
            case Command.Expire _ -> entry.then.accept(new Answer.Done()); // time goes by again
            case Command.Restart _ -> {
                // is obeyed before there are commands
            }
        }
    }

    /// Keeps the last of what was seen of each member; that it is gone is the last word.
    private void keep(Object who, Entry entry) {
        synchronized (queue) {
            kept.merge(who, entry, (old, now) -> isEnd(old.command) ? old : now);
        }
    }

    private static boolean isEnd(Command command) {
        return command instanceof Command.Leave || command instanceof Command.Proved;
    }

    /// Nobody may want anything that would show that there is room again.
    private void tryLater() {
        synchronized (queue) {
            if (!waiting && !closed) {
                waiting = true;
                tasks.after(TRY_AGAIN, "try to write again", this::tryAgain);
            }
        }
    }

    private void tryAgain() {
        synchronized (queue) {
            waiting = false;
            if (!closed) {
                queue.add(new Entry(new Command.Expire(now.getAsLong()), _ -> {}));
                start();
            }
        }
    }
}
