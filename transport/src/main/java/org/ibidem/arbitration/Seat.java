package org.ibidem.arbitration;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOverAll;
import org.jspecify.annotations.Nullable;

/// Something that a [Waiter] waits for: one place, or several where it stands over several
/// channels. Used by the waiter's thread; [#leave] by any.
final class Seat {
    final Waitable input;

    /// Whether who waits polls it; else it only wakes.
    final boolean polled;

    private final Place[] places;
    private volatile boolean left;

    private Armed armed = Armed.READY;

    Seat(Waitable input, boolean polled) {
        this.input = input;
        this.polled = polled;
        this.places =
                WaitableOverAll.channels(input).stream()
                        .map(part -> new Place(input, part))
                        .toArray(Place[]::new);
    }

    SleepTraits traits() {
        return input.traits();
    }

    /// A part with a channel, and the key that the selector knows it by, which it may share.
    private static final class Place {
        final Waitable input;
        final Waitable part;
        volatile @Nullable SelectionKey key;
        volatile int wanted;

        Place(Waitable input, Waitable part) {
            this.input = input;
            this.part = part;
        }

        boolean cancel() {
            var mine = key;
            if (mine != null && sharing(mine).leave(this)) {
                mine.cancel();
            }
            return mine != null;
        }
    }

    /// Those who wait at one channel, such as the two directions of a link over rings: a selector
    /// has one key for it.
    private static final class Sharing {
        private Place[] places;

        Sharing(Place first) {
            places = new Place[] {first};
        }

        /// @return false: all have left, and its key is cancelled
        synchronized boolean join(Place place) {
            if (places.length == 0) {
                return false;
            }
            places = Arrays.copyOf(places, places.length + 1);
            places[places.length - 1] = place;
            return true;
        }

        /// @return whether it was the last
        synchronized boolean leave(Place place) {
            int before = places.length;
            places =
                    Arrays.stream(places)
                            .filter(other -> !other.equals(place))
                            .toArray(Place[]::new);
            return before > 0 && places.length == 0;
        }

        synchronized int wanted() {
            int all = 0;
            for (var place : places) {
                all |= place.wanted;
            }
            return all;
        }

        void ready() {
            Place[] all;
            synchronized (this) {
                all = places;
            }
            for (var place : all) {
                place.input.ready();
            }
        }
    }

    private static Sharing sharing(SelectionKey key) {
        return (Sharing) key.attachment();
    }

    /// A broken link is reported by the poll that follows, to whoever knows which connection it
    /// was. Whether somebody is interested may have changed since the selector was told, and nobody
    /// says so again to one that is armed.
    Armed arm() {
        try {
            var told = input.arm();
            armed = told != Armed.READY && isOutdated() ? Armed.READY : told;
        } catch (LinkBroken e) {
            armed = Armed.READY;
        }
        return armed;
    }

    /// As with [#arm], the poll that follows reports a broken link.
    void disarm() {
        try {
            input.disarm();
        } catch (LinkBroken _) {
            // that poll knows which connection it was
        }
    }

    private boolean isOutdated() {
        for (var place : places) {
            if (place.wanted != wanted(place) && place.part.channel() != null) {
                return true;
            }
        }
        return false;
    }

    private int wanted(Place place) {
        return input.interest() & place.part.interest();
    }

    /// Whether the last [#arm] was answered by that.
    boolean isToLook() {
        return armed == Armed.SLEEP_THEN_LOOK;
    }

    /// Tells those whose channel was selected.
    static void ready(SelectionKey key) {
        sharing(key).ready();
    }

    /// Has the selector know what it is interested in now.
    ///
    /// @return false: the selector will not tell of it, it must be polled again
    boolean registers(Selector selector) throws IOException {
        boolean all = true;
        for (var place : places) {
            var channel = place.part.channel();
            all &= channel == null || registers(place, channel, selector);
        }
        if (!all) {
            input.ready();
        }
        return all;
    }

    /// A channel that was closed meanwhile cannot be selected on; the poll that follows says what
    /// happened to it. One that was removed and added again still has its old key, which the
    /// selector forgets when it selects next.
    private boolean registers(Place place, SelectableChannel channel, Selector selector)
            throws IOException {
        place.wanted = wanted(place);
        var key = place.key;
        boolean told = true;
        try {
            if (key == null || !key.isValid()) {
                key = place.wanted == 0 ? null : key(place, channel, selector);
                place.key = key;
            }
            if (key != null) {
                int wanted = sharing(key).wanted();
                if (key.interestOps() != wanted) {
                    key.interestOps(wanted);
                }
            }
        } catch (ClosedChannelException e) {
            told = false;
        } catch (CancelledKeyException e) {
            selector.selectNow(Seat::ready);
            told = false;
        }
        if (left) {
            place.cancel();
        }
        return told;
    }

    private static SelectionKey key(Place place, SelectableChannel channel, Selector selector)
            throws ClosedChannelException {
        var key = channel.keyFor(selector);
        return key != null && key.isValid() && sharing(key).join(place)
                ? key
                : channel.register(selector, place.wanted, new Sharing(place));
    }

    /// It is waited for no more; a key that is being made meanwhile is cancelled by its maker.
    ///
    /// @return whether a selector has keys to forget
    boolean leave() {
        left = true;
        boolean any = false;
        for (var place : places) {
            any |= place.cancel();
        }
        return any;
    }
}
