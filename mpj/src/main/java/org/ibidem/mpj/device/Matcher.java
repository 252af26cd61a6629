package org.ibidem.mpj.device;

import static org.ibidem.mpj.device.Device.ANY;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.ibidem.mpj.device.Lanes.Place;
import org.jspecify.annotations.Nullable;

/// Brings receives and messages together as MPI asks: a message goes to the receive posted first of
/// those that fit it, a receive takes the message that came first of those that fit it.
///
/// Each step takes constant time, with wildcards too: a receive waits in one queue, that of what it
/// asks for; a message that found none waits in one for each way to ask for it. There are four, and
/// those with wildcards are kept from the first time on that somebody asks so: most programs do
/// not, and their messages cost an [Entry] and nothing more.
///
/// It is not safe for several threads: who uses it holds a lock.
///
/// @param <R> receives
/// @param <M> messages
public final class Matcher<R extends Matcher.Entry, M extends Matcher.Entry> {
    private static final int WAYS = 4;

    private final Lanes receives = new Lanes();
    private final Lanes messages = new Lanes();

    /// Receives that wait, by what they leave open: 1 the source, 2 the tag.
    private final int[] open = new int[WAYS];

    /// Whether messages wait in the queues of this way to ask, too; the bits are the same.
    private final boolean[] kept = new boolean[WAYS];

    /// The only receive that waits: it needs no queue.
    private @Nullable R sole;

    private int posted;
    private int unexpected;
    private long order;

    /// What waits: a receive or a message extends it. It waits in one matcher at a time; once it
    /// has left that, it may be used again.
    public abstract static class Entry extends Place {
        /// Of a message that may be asked for with wildcards, by way.
        private @Nullable Place @Nullable [] further;

        private int source;
        private int tag;
        private int context;
        private long order;

        /// Whether it is the only one that waits.
        private boolean alone;

        /// For those that extend it.
        protected Entry() {}

        /// The source it was last given with.
        public final int source() {
            return source;
        }

        /// The tag it was last given with.
        public final int tag() {
            return tag;
        }

        /// The context it was last given with.
        public final int context() {
            return context;
        }

        /// Whether it waits.
        public final boolean isWaiting() {
            return alone || lane != null;
        }

        @Override
        final Entry entry() {
            return this;
        }

        private Place further(int way) {
            if (further == null) {
                further = new @Nullable Place[WAYS];
            }
            Place place = further[way];
            if (place == null) {
                place = new Further(this);
                further[way] = place;
            }
            return place;
        }

        private void is(int source, int tag, int context) {
            if (isWaiting()) {
                throw new IllegalStateException("it waits already");
            }
            this.source = source;
            this.tag = tag;
            this.context = context;
        }
    }

    /// Where a message stands in a queue of those that leave something open.
    private static final class Further extends Place {
        private final Entry entry;

        Further(Entry entry) {
            this.entry = entry;
        }

        @Override
        Entry entry() {
            return entry;
        }
    }

    /// In which nothing waits.
    public Matcher() {}

    /// Posts a receive: answers the message it takes, or null when it waits for one.
    ///
    /// @param source or [Device#ANY]
    /// @param tag or [Device#ANY]
    public @Nullable M post(R receive, int source, int tag, int context) {
        Entry it = receive;
        it.is(source, tag, context);
        M found = find(source, tag, context);
        if (found != null) {
            take(found);
            return found;
        }
        if (posted++ == 0) {
            it.alone = true;
            sole = receive;
            return null;
        }
        queueSole();
        queue(it);
        return null;
    }

    /// There is another now.
    private void queueSole() {
        Entry first = sole;
        if (first != null) {
            sole = null;
            first.alone = false;
            queue(first);
        }
    }

    private void queue(Entry receive) {
        receive.order = order++;
        receives.add(receive, receive.context, receive.source, receive.tag);
        open[way(receive.source, receive.tag)]++;
    }

    /// A message has come: answers the receive that takes it, or null when it waits for one.
    public @Nullable R arrive(M message, int source, int tag, int context) {
        Entry it = message;
        it.is(source, tag, context);
        R found = posted == 0 ? null : earliest(source, tag, context);
        if (found != null) {
            cancel(found);
            return found;
        }
        it.order = order++;
        messages.add(it, context, source, tag);
        for (int way = 1; way < WAYS; way++) {
            if (kept[way]) {
                keep(it, way);
            }
        }
        unexpected++;
        return null;
    }

    private void keep(Entry message, int way) {
        messages.add(
                message.further(way),
                message.context,
                asked(way, 1, message.source),
                asked(way, 2, message.tag));
    }

    /// As it is asked for in one of the ways.
    private static int asked(int way, int bit, int value) {
        return (way & bit) != 0 ? ANY : value;
    }

    /// Somebody asks in a way in which nobody has asked before.
    private void keepAll(int way) {
        kept[way] = true;
        List<Entry> all = new ArrayList<>(unexpected);
        messages.each(place -> {
            if (place.equals(place.entry())) {
                all.add(place.entry());
            }
        });
        all.sort((one, other) -> Long.compare(one.order, other.order));
        all.forEach(message -> keep(message, way));
    }

    private @Nullable R earliest(int source, int tag, int context) {
        Entry alone = sole;
        if (alone != null) {
            boolean fits =
                    alone.context == context
                            && (alone.source == source || alone.source == ANY)
                            && (alone.tag == tag || alone.tag == ANY);
            return fits ? sole : null;
        }
        Place best = null;
        for (int way = 0; way < WAYS; way++) {
            if (open[way] > 0) {
                Place first = receives.first(context, asked(way, 1, source), asked(way, 2, tag));
                if (first != null && (best == null || first.entry().order < best.entry().order)) {
                    best = first;
                }
            }
        }
        return best == null ? null : receive(best);
    }

    /// The message that a receive with these arguments would take now, or null. It goes on waiting.
    public @Nullable M find(int source, int tag, int context) {
        if (unexpected == 0) {
            return null;
        }
        int way = way(source, tag);
        if (way > 0 && !kept[way]) {
            keepAll(way);
        }
        Place first = messages.first(context, source, tag);
        return first == null ? null : message(first);
    }

    /// A message that waits, of this source, tag and context, of which something holds; or null. It
    /// looks at those that came last and first before others.
    public @Nullable M search(int source, int tag, int context, Predicate<M> of) {
        Place found = messages.search(context, source, tag, place -> of.test(message(place)));
        return found == null ? null : message(found);
    }

    /// Takes a message away that waits, as [#find] has found it.
    ///
    /// @return whether it did wait
    public boolean take(M message) {
        Entry it = message;
        if (!it.isWaiting()) {
            return false;
        }
        it.leave();
        if (it.further != null) {
            for (Place place : it.further) {
                if (place != null) {
                    place.leave();
                }
            }
        }
        unexpected--;
        return true;
    }

    /// Takes a receive back.
    ///
    /// @return whether it did wait: if not, it has its message
    public boolean cancel(R receive) {
        Entry it = receive;
        if (!it.isWaiting()) {
            return false;
        }
        posted--;
        if (it.alone) {
            it.alone = false;
            sole = null;
            return true;
        }
        it.leave();
        open[way(it.source, it.tag)]--;
        return true;
    }

    /// How many receives wait.
    public int posted() {
        return posted;
    }

    /// How many messages wait.
    public int unexpected() {
        return unexpected;
    }

    /// All receives that wait, in the order posted. It looks at all of them.
    public List<R> receives() {
        queueSole();
        List<R> all = new ArrayList<>(posted);
        receives.each(place -> all.add(receive(place)));
        all.sort((one, other) -> Long.compare(((Entry) one).order, ((Entry) other).order));
        return all;
    }

    private static int way(int source, int tag) {
        return (source == ANY ? 1 : 0) | (tag == ANY ? 2 : 0);
    }

    @SuppressWarnings("unchecked") // only receives are added there
    private R receive(Place place) {
        return (R) place.entry();
    }

    @SuppressWarnings("unchecked") // only messages are added there
    private M message(Place place) {
        return (M) place.entry();
    }
}
