package org.ibidem.arbitration;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// What a [Waiter] waits for and leaves armed from one sleep to the next: so a wake costs what has
/// happened, and not what there is. For thousands of links of which few have something to say.
///
/// Whoever has news of one *touches* it: its bell, or its channel that was found ready. Those that
/// were touched are a stack without a lock (Treiber, *Systems programming: coping with
/// parallelism*, 1986), each of them in it once. A touch comes before the ring that may have to
/// wake the waiter, and is taken back before the look, so that what comes after the look touches
/// again. `TouchModelTest` tries every order.
final class KeptSeats {
    private static final System.Logger LOG = System.getLogger(KeptSeats.class.getName());

    private final Doorbell waiter;
    private final IdentityHashMap<Waitable, Kept> all = new IdentityHashMap<>();
    private int announcing;

    private final AtomicReference<@Nullable Kept> touched = new AtomicReference<>();

    // By the waiter's thread:

    /// To be armed before the next sleep.
    private final List<Kept> loose = new ArrayList<>();

    /// Armed, but the other side may have missed it.
    private final List<Kept> unsure = new ArrayList<>();

    KeptSeats(Doorbell waiter) {
        this.waiter = waiter;
    }

    /// One of them, with its seat.
    private final class Kept implements WaitableOver {
        private final Waitable below;
        private final BooleanSupplier look;
        private final Seat seat;
        private final AtomicBoolean isTouched = new AtomicBoolean();
        private @Nullable Kept next;
        private boolean isLoose;
        private volatile boolean left;

        Kept(Waitable below, BooleanSupplier look) {
            this.below = below;
            this.look = look;
            this.seat = new Seat(this, true);
        }

        @Override
        public Waitable below() {
            return below;
        }

        @Override
        public void ready() {
            below.ready();
            touch();
        }

        void touch() {
            if (isTouched.compareAndSet(false, true)) {
                next = touched.get();
                while (!touched.compareAndSet(next, this)) {
                    next = touched.get();
                }
            }
        }

        void ring() {
            touch();
            waiter.ring();
        }

        void disarmed() {
            try {
                below.disarm();
            } catch (LinkBroken e) {
                LOG.log(System.Logger.Level.DEBUG, "found broken: {0}", e.getMessage());
            }
        }
    }

    /// Adds one, which is looked at first.
    void add(Waitable input, BooleanSupplier look) {
        var one = new Kept(input, look);
        synchronized (all) {
            all.put(input, one);
            announcing += input.traits().announces() ? 1 : 0;
        }
        input.bell(one::ring);
        one.ring();
    }

    /// Removes one, and disarms it.
    ///
    /// @return its seat, to be left; null: it was none of these
    @Nullable Seat remove(Waitable input) {
        Kept one;
        synchronized (all) {
            one = all.remove(input);
            if (one == null) {
                return null;
            }
            announcing -= input.traits().announces() ? 1 : 0;
        }
        one.left = true;
        one.disarmed();
        return one.seat;
    }

    int size() {
        synchronized (all) {
            return all.size();
        }
    }

    /// Whether there are some that a selector tells of.
    boolean announce() {
        synchronized (all) {
            return announcing > 0;
        }
    }

    /// Looks at those that were touched; they are armed again before the next sleep.
    ///
    /// @return whether a look found something
    boolean look() {
        boolean any = false;
        @Nullable Kept one = touched.getAndSet(null);
        while (one != null) {
            @Nullable Kept next = one.next; // it may be touched again from the next line on
            one.isTouched.set(false);
            if (!one.left) {
                one.disarmed();
                loosen(one);
                any |= one.look.getAsBoolean();
            }
            one = next;
        }
        return any;
    }

    private void loosen(Kept one) {
        if (!one.isLoose) {
            one.isLoose = true;
            loose.add(one);
        }
    }

    /// Has those that are not armed be looked at in the next round, where there is no selector.
    void looksAtAll() {
        loose.forEach(Kept::ready);
    }

    /// Has the selector know what those that are not armed are interested in.
    void register(Selector selector) throws IOException {
        for (var one : loose) {
            if (!one.left && !one.seat.registers(selector)) {
                one.ring();
            }
        }
    }

    /// Arms those that are not. Who has something already is looked at in the next round.
    Armed arm(Selector selector) throws IOException {
        var armed = Armed.SLEEP;
        for (var one : loose) {
            one.isLoose = false;
            if (!one.left) {
                armed = armed.and(arm(one, selector));
            }
        }
        loose.clear();
        return armed;
    }

    private Armed arm(Kept one, Selector selector) throws IOException {
        boolean told = one.seat.registers(selector);
        var armed = one.seat.arm();
        if (!told || armed == Armed.READY) {
            one.touch(); // by the thread that is about to sleep, and does not now
            return Armed.READY;
        }
        if (armed == Armed.SLEEP_THEN_LOOK) {
            unsure.add(one);
        }
        return armed;
    }

    /// Looks again at those that were not sure, a moment after [#arm].
    boolean stillQuiet() {
        boolean quiet = true;
        for (var one : unsure) {
            if (!one.left && one.seat.arm() == Armed.READY) {
                one.touch();
                quiet = false;
            }
        }
        unsure.clear();
        return quiet;
    }

    /// After a sleep: who is still not sure begins anew.
    void awake() {
        unsure.forEach(Kept::touch);
        unsure.clear();
    }

    /// Nobody waits any more.
    void close() {
        List<Kept> rest;
        synchronized (all) {
            rest = List.copyOf(all.values());
        }
        rest.forEach(Kept::disarmed);
    }
}
