package org.ibidem.mpj.device;

import static org.ibidem.mpj.device.Device.ANY;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.mpj.device.Lanes.Place;
import org.jspecify.annotations.Nullable;

/// Brings receives and messages together as MPI asks: a message goes to the receive posted first of
/// those that fit it, a receive takes the message that came first of those that fit it.
///
/// Each step takes constant time, with wildcards too: a receive waits in one queue, that of what it
/// asks for; a message that found none waits in four, one for each way to ask for it. Nothing is
/// allocated for a receive but its [Entry].
///
/// It is not safe for several threads: who uses it holds a lock.
///
/// @param <R> receives
/// @param <M> messages
public final class Matcher<R extends Matcher.Entry, M extends Matcher.Entry> {
    private final Lanes receives = new Lanes();
    private final Lanes messages = new Lanes();

    /// Receives that wait, by what they leave open: 1 the source, 2 the tag.
    private final int[] open = new int[4];

    /// The only receive that waits: it needs no queue.
    private @Nullable R sole;

    private int posted;
    private int unexpected;
    private long order;

    /// What waits: a receive or a message extends it. It waits in one matcher at a time; once it
    /// has left that, it may be used again.
    public abstract static class Entry {
        /// Made when it waits first: a send never does.
        private @Nullable Place place;

        private Place @Nullable [] further;
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
            return alone || (place != null && place.lane != null);
        }

        private Place place() {
            if (place == null) {
                place = new Place(this);
            }
            return place;
        }

        private Place[] further() {
            if (further == null) {
                further = new Place[] {new Place(this), new Place(this), new Place(this)};
            }
            return further;
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
        receives.add(receive.place(), receive.context, receive.source, receive.tag);
        open[openness(receive)]++;
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
        messages.add(it.place(), context, source, tag);
        Place[] further = it.further();
        messages.add(further[0], context, ANY, tag);
        messages.add(further[1], context, source, ANY);
        messages.add(further[2], context, ANY, ANY);
        unexpected++;
        return null;
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
        for (int kind = 0; kind < open.length; kind++) {
            if (open[kind] > 0) {
                Place first =
                        receives.first(
                                context,
                                (kind & 1) != 0 ? ANY : source,
                                (kind & 2) != 0 ? ANY : tag);
                if (first != null && (best == null || first.entry.order < best.entry.order)) {
                    best = first;
                }
            }
        }
        return best == null ? null : receive(best);
    }

    /// The message that a receive with these arguments would take now, or null. It goes on waiting.
    public @Nullable M find(int source, int tag, int context) {
        Place first = unexpected == 0 ? null : messages.first(context, source, tag);
        return first == null ? null : message(first);
    }

    /// Takes a message away that waits, as [#find] has found it.
    ///
    /// @return whether it did wait
    public boolean take(M message) {
        Entry it = message;
        if (!it.isWaiting()) {
            return false;
        }
        it.place().leave();
        for (Place place : it.further()) {
            place.leave();
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
        it.place().leave();
        open[openness(it)]--;
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

    private static int openness(Entry it) {
        return (it.source == ANY ? 1 : 0) | (it.tag == ANY ? 2 : 0);
    }

    @SuppressWarnings("unchecked") // only receives are added there
    private R receive(Place place) {
        return (R) place.entry;
    }

    @SuppressWarnings("unchecked") // only messages are added there
    private M message(Place place) {
        return (M) place.entry;
    }
}
