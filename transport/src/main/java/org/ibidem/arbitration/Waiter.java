package org.ibidem.arbitration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ibidem.buffer.Tally;
import org.ibidem.config.NativeChannels;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// How one side of one port waits: it spins for a while, then sleeps in its own selector until
/// something it may poll is ready or its bell is rung.
///
/// Use: [#begin], then poll, [#idle] after every empty poll, [#found] at the end. One thread at a
/// time; any thread may call [#ring], [#add] and [#remove], and change the policy.
///
/// Fairness between networks: what announces itself in the selector (sockets) is looked at once in
/// [WaitPolicy#pollsPerLook] polls of the others, whether these find something or not; so a flood
/// on one network delays another by that many messages at most.
public final class Waiter implements Doorbell, AutoCloseable {
    /// Polls between two looks at the clock, which costs as much as a poll. A power of two.
    private static final int POLLS_PER_TICK = 16;

    /// Looks that follow the first one at once: what is between two polls delays what comes then.
    private static final int MORE = 3;

    /// By then, what a processor has stored is seen by all: it takes microseconds.
    private static final long MOMENT_MILLIS = 1;

    private static final System.Logger LOG = System.getLogger(Waiter.class.getName());
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final WaitChoice choice;
    private volatile Seat[] seats = {};
    private final KeptSeats kept = new KeptSeats(this);
    private volatile @Nullable Selector selector;
    private final AtomicBoolean rung = new AtomicBoolean();
    private volatile boolean asleep;

    /// So many want the selector, which who sleeps in it has: nobody sleeps meanwhile.
    private final AtomicInteger leaving = new AtomicInteger();

    private Tally tally = Tally.unseen();
    private SpinBudget budget;
    private long since;
    private long looked;
    private int polls;

    /// In the poll before the next [#idle].
    private int looks = 1;

    private int unlooked;
    private boolean yielded;
    private boolean slept;

    // Of what is polled:

    /// There is one thing at most to wait for, and to look at it is no system call.
    private volatile boolean alone = true;

    /// There are several, and some are sockets, which a selector tells of.
    private volatile boolean sockets;

    /// There is one thing to wait for, and to look at it is a system call.
    private volatile boolean costly;

    /// There is one thing to wait for, and several looks at it can be had at once.
    private volatile boolean repeats;

    /// Makes a waiter with nothing to wait for but its bell.
    public Waiter(WaitPolicy policy) {
        this(new WaitChoice(policy));
    }

    /// One whose policy may be changed while it waits.
    public Waiter(WaitChoice choice) {
        this.choice = choice;
        this.budget = fresh();
    }

    private SpinBudget fresh() {
        return new SpinBudget(choice.get(), Cores.here());
    }

    /// Chooses another policy; whoever waits follows at once.
    ///
    /// @param policy null: as was chosen above
    public void choose(@Nullable WaitPolicy policy) {
        choice.choose(policy);
        ring();
    }

    /// Where to count spins and sleeps; before the first wait.
    public void tally(Tally counts) {
        tally = counts;
    }

    /// Adds something to wait for.
    public void add(Waitable input) {
        add(input, true);
    }

    /// Adds something to wait for that is not polled for input, such as a sink that room is waited
    /// for in now and then. It is armed for each sleep, and wakes; how what is polled is looked at
    /// does not depend on it.
    public void addBeside(Waitable output) {
        add(output, false);
    }

    private synchronized void add(Waitable part, boolean polled) {
        part.bell(this);
        var more = Arrays.copyOf(seats, seats.length + 1);
        more[seats.length] = new Seat(part, polled);
        sit(more);
        ring();
    }

    /// Adds one of many to wait for. It stays armed from one sleep to the next, so that a wake
    /// costs nothing for those to which nothing has happened; after each, [#looks] is to be called.
    ///
    /// @param input whose traits say that it stays. A change of what it is interested in rings the
    ///   bell that it is given here. It is removed by the thread that waits
    /// @param look by the thread that waits, when something may have happened to it: whether
    ///   something was found
    public void keep(Waitable input, BooleanSupplier look) {
        if (!input.traits().stays()) {
            throw new IllegalArgumentException("it does not stay armed over several sleeps");
        }
        kept.add(input, look);
        sitAgain();
    }

    private synchronized void sitAgain() {
        sit(seats);
    }

    /// Looks at those of the many to which something may have happened.
    ///
    /// @return whether a look found something
    public boolean looks() {
        return kept.look();
    }

    /// How many are kept.
    public int kept() {
        return kept.size();
    }

    /// Removes something to wait for.
    public void remove(Waitable input) {
        var mine = kept.remove(input);
        if (mine == null) {
            removeSeat(input);
        } else {
            sitAgain();
            leave(mine);
        }
    }

    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    private synchronized void removeSeat(Waitable input) {
        for (var seat : seats) {
            if (seat.input == input) {
                sit(Arrays.stream(seats).filter(other -> other != seat).toArray(Seat[]::new));
                leave(seat);
                return;
            }
        }
    }

    private void sit(Seat[] all) {
        int many = kept.size();
        var polled = Arrays.stream(all).filter(seat -> seat.polled).map(Seat::traits).toList();
        var one = polled.size() == 1 && many == 0 ? polled.getFirst() : SleepTraits.NONE;
        costly = one.announces();
        alone = polled.size() < 2 && many == 0 && !costly;
        repeats = one.looksMore();
        sockets =
                kept.announce()
                        || (polled.size() + many > 1
                                && polled.stream().anyMatch(SleepTraits::announces));
        seats = all;
    }

    /// A cancelled key keeps its socket half open until the selector looks again. Whoever selects
    /// just now is made to return first, and does not select again before, so this never waits for
    /// long. A key that is being made meanwhile is cancelled by its maker.
    private void leave(Seat seat) {
        boolean known = seat.leave();
        var mine = selector;
        if (known && mine != null) {
            leaving.incrementAndGet();
            try {
                mine.wakeup();
                mine.selectNow(Seat::ready);
            } catch (IOException | ClosedSelectorException e) {
                LOG.log(System.Logger.Level.DEBUG, "a key was not forgotten: {0}", e.getMessage());
            } finally {
                leaving.decrementAndGet();
            }
        }
        ring();
    }

    /// Wakes the waiting thread; it polls again. The store of `rung` before the load of `asleep`;
    /// in [#sleep] it is the other way round.
    @Override
    public void ring() {
        rung.set(true);
        var mine = selector;
        if (asleep && mine != null) {
            mine.wakeup();
        }
    }

    /// Starts a wait. Where spinning is ruled out and the one to wait for is a socket, it sleeps
    /// before the first poll already, which spares a system call in vain. With anything else that
    /// costs more than it spares: every one is told that the waiter sleeps, for each message.
    ///
    /// @param deadline as for [#idle]
    public void begin(long deadline) {
        polls = 0;
        yielded = false;
        slept = false;
        if (sockets && ++unlooked >= budget.policy().pollsPerLook()) {
            look(); // each wait is a poll that finds something, mostly
        }
        if (budget.nanos() == 0 && costly) {
            idle(deadline);
        }
    }

    /// As [#begin], but not before the first poll where that takes nothing from anybody, or is to
    /// be first anyway. If it finds something, there was no wait.
    ///
    /// @param first poll first
    /// @return whether the wait has begun; else it is to be begun after an empty poll
    public boolean begins(boolean first, long deadline) {
        if (first || alone) {
            return false;
        }
        begin(deadline);
        return true;
    }

    /// Something was found.
    ///
    /// @param waited whether the wait had begun
    public void found(boolean waited) {
        if (waited) {
            found();
        }
    }

    /// The wait is over, something was found: learns whether spinning pays.
    public void found() {
        if (slept) {
            budget.slept(System.nanoTime() - since);
            return;
        }
        if (polls > POLLS_PER_TICK) {
            if (yielded) {
                budget.yielded();
            } else {
                budget.spun(System.nanoTime() - looked);
            }
            tally.add(Tally.What.SPINS, 1);
        }
    }

    /// In a wait: how many times more the one thing there is may be looked at in the next poll.
    public int more() {
        int more = repeats && budget.nanos() != 0 ? MORE : 0;
        looks = 1 + more;
        return more;
    }

    /// One step of waiting after an empty poll: spins once, gives the core away once, or sleeps.
    ///
    /// @param deadline in `System.nanoTime`; [Long#MAX_VALUE]: none
    /// @return false: the deadline has passed
    public boolean idle(long deadline) {
        int step = looks;
        looks = 1;
        boolean spins = budget.nanos() != 0 && !slept && !yielded;
        if (spins && ((polls += step) & POLLS_PER_TICK - 1) >= step) {
            if (!costly) { // a system call is a pause by itself; another makes messages late
                Thread.onSpinWait();
            }
            return true;
        }
        return tick(deadline, System.nanoTime());
    }

    private boolean tick(long deadline, long now) {
        adopt();
        if (polls <= POLLS_PER_TICK && !slept && !yielded) {
            since = now;
        } else if (!slept && !yielded) {
            budget.ticked(now - looked);
        }
        looked = now;
        if (sockets && (unlooked += POLLS_PER_TICK) >= budget.policy().pollsPerLook()) {
            look();
        }
        if (now - since >= budget.nanos() || slept) {
            yielded = !slept && budget.givesCoreAway(now, now - since);
            if (!yielded) {
                polls = 0;
                return sleepUntil(deadline, now);
            }
        }
        if (polls > POLLS_PER_TICK || polls < 0) { // before that it is no wait yet
            requireUninterrupted();
        }
        return deadline == Long.MAX_VALUE || deadline - now > 0;
    }

    private static void requireUninterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new WaitInterrupted();
        }
    }

    private void adopt() {
        if (!choice.get().equals(budget.policy())) {
            budget = fresh();
            polls = 0;
            yielded = false;
            slept = false; // the wait goes on as one that begins
        }
    }

    private boolean sleepUntil(long deadline, long now) {
        if (deadline != Long.MAX_VALUE && deadline - now <= 0) {
            return false;
        }
        slept = true;
        tally.add(Tally.What.SLEEPS, 1);
        sleep(deadline == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(deadline - now) + 1);
        return true;
    }

    /// Which of several sockets has something is asked of all at once, and they are told: by who
    /// polls without a wait, and now and then by who spins.
    ///
    /// @return whether there are such sockets
    public boolean look() {
        unlooked = 0;
        if (sockets) {
            adopt(); // who always finds something at once comes by no other place
            try {
                var mine = opened();
                if (mine == null) {
                    looksAtAll();
                    return true;
                }
                for (var seat : seats) {
                    register(seat, mine);
                }
                kept.register(mine);
                mine.selectNow(Seat::ready);
            } catch (IOException e) {
                throw new UncheckedIOException("looking in a selector failed", e);
            }
        }
        return sockets;
    }

    private void sleep(long millis) {
        var mine = opened();
        if (mine == null) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(MOMENT_MILLIS));
            rung.getAndSet(false); // reads it too, as after any sleep
            looksAtAll();
        } else {
            sleep(mine, millis);
        }
        requireUninterrupted();
    }

    /// Nobody says which of them have something.
    private void looksAtAll() {
        for (var seat : seats) {
            seat.input.ready();
        }
        kept.looksAtAll();
    }

    private void sleep(Selector mine, long millis) {
        var here = seats;
        try {
            var armed = Armed.SLEEP;
            for (var seat : here) {
                register(seat, mine);
                armed = armed.and(seat.arm());
            }
            armed = armed.and(kept.arm(mine));
            asleep = true;
            if (armed != Armed.READY && !isCalled()) {
                select(mine, here, armed, millis);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("waiting in a selector failed", e);
        } finally {
            asleep = false;
            rung.getAndSet(false); // reads it too: what was rung for is visible to the next poll
            kept.awake();
            for (var seat : here) {
                seat.disarm();
            }
        }
    }

    /// Sleeps, at first for a moment only where somebody may have missed that this one does.
    ///
    /// @param millis 0: for ever
    private void select(Selector mine, Seat[] here, Armed armed, long millis) throws IOException {
        boolean looks = armed == Armed.SLEEP_THEN_LOOK;
        if (looks) {
            boolean over = mine.select(Seat::ready, MOMENT_MILLIS) > 0 || millis == MOMENT_MILLIS;
            if (over || isCalled() || Thread.currentThread().isInterrupted() || !stillQuiet(here)) {
                return;
            }
        }
        mine.select(Seat::ready, looks && millis > 0 ? millis - MOMENT_MILLIS : millis);
    }

    /// Whether it is not to sleep. Asked after [#asleep] was set, as who calls looks at that last.
    private boolean isCalled() {
        return rung.get() || leaving.get() != 0;
    }

    private boolean stillQuiet(Seat[] here) {
        for (var seat : here) {
            if (seat.isToLook() && seat.arm() == Armed.READY) {
                return false;
            }
        }
        return kept.stillQuiet();
    }

    /// @return null: the process has no descriptor left for one; there may be one the next time
    private @Nullable Selector opened() {
        var mine = selector;
        if (mine == null) {
            try {
                mine = NativeChannels.provider().openSelector();
                selector = mine;
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "no selector: {0}", e.getMessage());
            }
        }
        return mine;
    }

    private void register(Seat seat, Selector mine) throws IOException {
        if (!seat.registers(mine)) {
            rung.set(true);
        }
    }

    /// The deadline a time limit from now ends at; a limit of centuries is none.
    public long deadline(Duration limit) {
        return limit.compareTo(FOREVER) >= 0 ? Long.MAX_VALUE : System.nanoTime() + limit.toNanos();
    }

    /// The time until such a deadline; more than none.
    public Duration left(long deadline) {
        return deadline == Long.MAX_VALUE
                ? FOREVER
                : Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    /// Gives the selector back; nobody may wait any more.
    @Override
    public void close() {
        kept.close();
        var mine = selector;
        if (mine != null) {
            try {
                mine.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "closing a selector failed", e);
            }
        }
    }
}
