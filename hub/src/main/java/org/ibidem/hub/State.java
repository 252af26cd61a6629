package org.ibidem.hub;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.LongSupplier;
import org.ibidem.buffer.Malformed;
import org.ibidem.hub.journal.BadState;
import org.ibidem.hub.journal.Journal;
import org.ibidem.hub.pools.Command;
import org.ibidem.hub.pools.CommandCoding;
import org.ibidem.hub.pools.Image;
import org.ibidem.hub.pools.Limits;
import org.ibidem.hub.pools.Pools;

/// The pools, and what keeps their commands, so that the pools outlive the hub.
final class State implements AutoCloseable {
    private static final Logger LOG = System.getLogger(State.class.getName());

    private final Pools pools;
    private final CommandLog log;
    private final String summary;

    private State(Pools pools, CommandLog log, String summary) {
        this.pools = pools;
        this.log = log;
        this.summary = summary;
    }

    /// Keeps commands, so that none is forgotten that was obeyed.
    interface CommandLog extends AutoCloseable {
        /// Keeps these, before they are obeyed.
        ///
        /// @throws org.ibidem.hub.journal.NoRoom when they cannot be kept now
        /// @throws IOException when nothing can be kept any more
        void append(List<Command> commands) throws IOException;

        /// Called when the commands so far have been obeyed by these pools: an image of the pools
        /// may take their place.
        void compact(Pools pools);

        @Override
        void close();
    }

    /// State that ends with the hub.
    static State passing(Limits limits) {
        return new State(new Pools(epoch(), limits), new Unkept(), "");
    }

    /// The state in this folder, where it goes on being kept.
    ///
    /// @param disk where files are opened
    /// @param now by which members run out of time; nanoseconds
    /// @throws CannotKeepState when it cannot be read or written there
    static State kept(Path folder, Journal.Opener disk, Limits limits, LongSupplier now) {
        try {
            var opened = Journal.open(folder, disk);
            try {
                return kept(folder, opened, limits, now);
            } catch (IOException | RuntimeException e) {
                opened.journal().close();
                throw e;
            }
        } catch (BadState e) {
            throw new CannotKeepState(String.valueOf(e.getMessage()), e);
        } catch (Malformed e) {
            throw new CannotKeepState(
                    "the state in "
                            + folder
                            + " is whole, but was written by another release, or by a mistake in"
                            + " this one: "
                            + e.getMessage()
                            + ". Move it away, and the hub begins without its members",
                    e);
        } catch (IOException e) {
            throw new CannotKeepState(
                    "the state cannot be kept in "
                            + folder
                            + ": "
                            + e.getMessage()
                            + "; make room there, or name another folder",
                    e);
        }
    }

    private static State kept(Path folder, Journal.Opened opened, Limits limits, LongSupplier now)
            throws IOException {
        boolean fresh = opened.image().length == 0;
        var pools = fresh ? new Pools(epoch(), limits) : Image.read(opened.image(), limits);
        opened.commands().forEach(command -> pools.apply(CommandCoding.decode(command)));
        pools.apply(new Command.Restart(now.getAsLong()));
        pools.takeDeliveries(); // to nobody: who waits asks again
        opened.journal().begin(Image.of(pools));
        if (opened.torn() > 0) {
            LOG.log(
                    Level.WARNING,
                    "the last {0} bytes of the journal in {1} are no whole unit, and are left out:"
                            + " if they were being written when the hub ended, nobody had an"
                            + " answer to what they held",
                    opened.torn(),
                    folder);
        }
        return new State(pools, new JournalLog(opened.journal()), summary(folder, pools, fresh));
    }

    private static String summary(Path folder, Pools pools, boolean fresh) {
        return fresh
                ? "state in " + folder + ": none yet"
                : "state in %s: %d pools, %d members"
                        .formatted(folder, pools.all().size(), pools.members());
    }

    Pools pools() {
        return pools;
    }

    /// What was found, for people; empty where nothing is kept.
    String summary() {
        return summary;
    }

    /// Keeps these before they are obeyed, as [CommandLog#append] does.
    void remember(List<Command> commands) throws IOException {
        log.append(commands);
    }

    /// After commands were obeyed.
    void tidy() {
        log.compact(pools);
    }

    private static long epoch() {
        var random = new SecureRandom();
        long epoch = 0;
        while (epoch == 0) {
            epoch = random.nextLong();
        }
        return epoch;
    }

    @Override
    public void close() {
        log.close();
    }

    /// Keeps nothing.
    private static final class Unkept implements CommandLog {
        @Override
        public void append(List<Command> commands) {}

        @Override
        public void compact(Pools pools) {}

        @Override
        public void close() {}
    }

    /// Keeps commands in a [Journal], and begins a new file when the old one has become long.
    private static final class JournalLog implements CommandLog {
        private static final long LEAST_GROWTH = 1 << 20;
        private static final int TIMES_IMAGE = 4;

        private final Journal journal;
        private long next;

        JournalLog(Journal journal) {
            this.journal = journal;
            this.next = growth();
        }

        private long growth() {
            return Math.max(LEAST_GROWTH, TIMES_IMAGE * journal.image());
        }

        @Override
        public void append(List<Command> commands) throws IOException {
            journal.append(commands.stream().map(CommandCoding::encode).toList());
        }

        @Override
        public void compact(Pools pools) {
            if (journal.grown() < next) {
                return;
            }
            try {
                journal.begin(Image.of(pools));
                next = growth();
            } catch (IOException | IllegalArgumentException e) {
                next = journal.grown() + growth();
                LOG.log(
                        Level.WARNING,
                        "the journal could not be begun anew, and grows on: " + e.getMessage());
            }
        }

        @Override
        public void close() {
            journal.close();
        }
    }
}
