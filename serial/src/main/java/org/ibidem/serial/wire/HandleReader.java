package org.ibidem.serial.wire;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.Visible;
import org.ibidem.buffer.Malformed;
import org.jspecify.annotations.Nullable;

/// The middle of a [Decoder]: which objects of the message have which handles, what it costs to
/// hash them, and what waits for the graph to be complete.
public abstract sealed class HandleReader extends PageReader permits Decoder {
    /// What hashing a known object counts at least; cheaper ones are not remembered.
    private static final int CHEAP = 16;

    /// Bits of the number of characters, or bytes of an array, that are compared in one step.
    private static final int BLOCK = 6;

    /// The same for the bytes of a number, of which four are multiplied and added at a time.
    private static final int NUMBER_BLOCK = 4;

    /// Added to the cost of an object in which there is one that is still being read: nobody knows
    /// yet what it costs.
    private static final long GROWS = 1L << 62;

    /// Collections in each other for which there is room between messages.
    private static final int FEW_OPEN = 32;

    /// The highest cost.
    private static final long MOST = GROWS - 1;

    /// What stands in the table of handles for an object that cannot be had.
    sealed interface Special permits Absent, Unshared {}

    /// In the place of an object that must not be named again.
    private record Unshared() implements Special {}

    private static final Object UNSHARED = new Unshared();

    private @Nullable Object[] handles = Desk.NO_HANDLES;
    private int count;

    /// Whether no handle is used in this message, as its writer said: then none is kept.
    private boolean unnamed;

    /// References of this graph so far.
    private long references;

    /// What hashing the object read last costs; see [#cost(long)].
    private long cost;

    /// Whether the object read last came by its handle.
    private boolean again;

    private long[] costs = Desk.NO_COSTS;

    /// Handles of collections that are being read, each in the one before.
    private int[] open = Desk.NONE_OPEN;

    private int opened;

    /// Handles of objects that are being read and must not be named, each in the one before.
    private int[] unshared = Desk.NONE_OPEN;

    private int unsharing;
    private @Nullable Map<Integer, List<Validation>> validations;

    HandleReader(Source source, boolean framed) {
        super(source, framed);
    }

    final void useHandles(Desk desk) {
        handles = desk.handles;
        count = 0;
    }

    final void giveHandles(Desk desk) {
        desk.handles = handles;
        handles = Desk.NO_HANDLES;
    }

    final void forget() {
        Arrays.fill(handles, 0, count, null);
        if (costs.length > 0) {
            costs = Desk.NO_COSTS;
        }
        if (open.length > 2 * FEW_OPEN) {
            open = Desk.NONE_OPEN;
        }
        count = 0;
    }

    final void unnamed(boolean whole) {
        unnamed = whole;
    }

    final void beginGraph() {
        references = 1;
        opened = 0;
        unsharing = 0;
        validations = null;
    }

    /// Whether what is read now is thrown away.
    public abstract boolean discarding();

    /// Called when a reference to a known object came.
    abstract void metAgain() throws IOException;

    /// An error about an object that cannot be.
    public final InvalidObjectException invalid(@Nullable String what) {
        return new InvalidObjectException(
                "at byte "
                        + position()
                        + " of the message's objects: "
                        + Visible.of(String.valueOf(what)));
    }

    /// Counts references before they are read.
    public final void count(int some) {
        references += some;
    }

    /// Gives the next handle to an object.
    ///
    /// @param inside how many references follow in it
    /// @return the handle; negative where none is used
    public final int register(@Nullable Object object, int inside) {
        references += inside;
        return register(object);
    }

    /// Gives the next handle to an object without references.
    ///
    /// @return the handle; negative where none is used
    public final int register(@Nullable Object object) {
        if (unnamed) {
            return -1;
        }
        int handle = count;
        var all = handles;
        if (handle == all.length) {
            if (handle == Growth.LONGEST) {
                throw new Malformed("more than " + handle + " objects");
            }
            all = Arrays.copyOf(all, Growth.doubled(handle, Growth.LONGEST));
            handles = all;
        }
        all[handle] = object;
        count = handle + 1;
        return handle;
    }

    /// The handle that was given last.
    public final int lastHandle() {
        return count - 1;
    }

    /// Gives a handle to another object.
    public final void replace(int handle, @Nullable Object object) {
        if (handle >= 0) {
            handles[handle] = object;
        }
    }

    /// The object with this handle.
    final @Nullable Object handle(int handle) throws IOException, ClassNotFoundException {
        if (handle < 0 || handle >= count) {
            throw corrupt(
                    unnamed
                            ? "a handle in a message that began by saying that it has none"
                            : "handle " + handle + " of " + count);
        }
        var object = handles[handle];
        if (object instanceof String text) {
            cost = costOf(text);
            again = true;
            return text;
        }
        if (unsharing > 0 && Arrays.binarySearch(unshared, 0, unsharing, handle) >= 0) {
            throw unsharedAgain();
        }
        metAgain();
        again = true;
        cost =
                isOpen(handle)
                        ? GROWS | CHEAP
                        : Math.max(handle < costs.length ? costs[handle] : 0, CHEAP);
        return object instanceof Special special ? special(special) : object;
    }

    /// Most that are named came after all that are open.
    private boolean isOpen(int handle) {
        return opened > 0
                && handle <= open[opened - 1]
                && Arrays.binarySearch(open, 0, opened, handle) >= 0;
    }

    private @Nullable Object special(Special object) throws IOException, ClassNotFoundException {
        if (object instanceof Absent absent) {
            return absent.take(discarding());
        }
        throw unsharedAgain();
    }

    private InvalidObjectException unsharedAgain() {
        return invalid("cannot read back reference to unshared object");
    }

    final long references() {
        return references;
    }

    /// What it costs to hash the object read last, in steps.
    public final long cost() {
        return cost;
    }

    /// Says what it costs to hash the object read last.
    ///
    /// A collection asks its elements for their hashes, and those that are collections ask theirs.
    /// Where one element is found in many places, few bytes can mean more steps than there is time
    /// ("billion laughs"). So whoever reads an object that asks those inside adds up their costs,
    /// and whoever hashes one charges its cost first (`work`). An object that does not ask costs
    /// nothing: one with references says so, and for all others whoever adds up says it before.
    public final void cost(long steps) {
        cost = steps;
        again = false;
    }

    /// Whether the object read last came by its handle: then what it costs is out of proportion to
    /// the bytes that came.
    public final boolean isAgain() {
        return again;
    }

    /// As [#cost(long)], for an object that may be met again.
    public final void cost(int handle, long steps) {
        cost(steps);
        if (steps > CHEAP && handle >= 0) {
            if (handle >= costs.length) {
                costs =
                        Arrays.copyOf(
                                costs,
                                Math.max(handle + 1, Growth.doubled(costs.length, Growth.LONGEST)));
            }
            costs[handle] = steps;
        }
    }

    /// What it costs to hash a string, or to compare it.
    static long costOf(String text) {
        return text.length() >> BLOCK;
    }

    /// What it costs to hash an array of so many bytes, where its owner does that.
    public static long costOfArray(long bytes) {
        return bytes >> BLOCK;
    }

    /// What it costs to hash a number of so many bytes, or to compare it.
    public static long costOfNumber(long bytes) {
        return bytes >> NUMBER_BLOCK;
    }

    /// Multiplies a cost as [#sum] does.
    public static long times(long times, long cost) {
        long one = known(cost);
        boolean fits = one == 0 || times <= MOST / one;
        return (fits ? times * one : MOST) | (cost & GROWS);
    }

    /// As [#register(Object)], for a collection that others may hash while it is being read; then
    /// [#complete] is called.
    public final int begin(@Nullable Object collection) {
        int handle = register(collection);
        if (handle >= 0) {
            if (opened == open.length) {
                open = Arrays.copyOf(open, Growth.doubled(opened + FEW_OPEN, Growth.LONGEST));
            }
            open[opened++] = handle;
        }
        return handle;
    }

    /// Says that such a collection has been read, and what it costs to hash it.
    public final void complete(int handle, long steps) {
        while (opened > 0 && open[opened - 1] >= handle && handle >= 0) {
            opened--; // also those whose reading failed, if somebody has caught that
        }
        cost(handle, steps);
    }

    /// Whether there is an object in it that was still being read.
    public static boolean grows(long cost) {
        return (cost & GROWS) != 0;
    }

    /// As far as it is known.
    public static long known(long cost) {
        return cost & ~GROWS;
    }

    /// Adds two costs; they do not overflow, and grow if one does.
    public static long sum(long one, long other) {
        long sum = one + other;
        return sum >= 0 && sum < GROWS ? sum : greatSum(one, other);
    }

    private static long greatSum(long one, long other) {
        return Math.min(known(one) + known(other), MOST) | ((one | other) & GROWS);
    }

    /// What is to be done when the graph is complete, the highest priority first.
    public final void atEnd(int priority, Validation what) {
        var later = validations;
        if (later == null) {
            later = new TreeMap<>(Comparator.reverseOrder());
            validations = later;
        }
        later.computeIfAbsent(priority, _ -> new ArrayList<>()).add(what);
    }

    /// Checks an object that waited for the graph to be complete.
    public interface Validation {
        /// Objects if something is wrong.
        void run() throws InvalidObjectException;
    }

    final void validate() throws InvalidObjectException {
        var later = validations;
        if (later != null) {
            validations = null;
            for (var some : later.values()) {
                for (var one : some) {
                    one.run();
                }
            }
        }
    }

    /// Makes sure that the object which gets the next handle is not named by what is in it; then
    /// [#unshare] is called.
    ///
    /// @return the handle
    final int beginUnshared() {
        if (unsharing == unshared.length) {
            unshared = Arrays.copyOf(unshared, Growth.doubled(unsharing + 1, Growth.LONGEST));
        }
        unshared[unsharing++] = count;
        return count;
    }

    /// Makes sure that the object which got this handle is not named again.
    @SuppressWarnings("ReferenceEquality") // that very object
    final void unshare(int handle, @Nullable Object object) {
        while (unsharing > 0 && unshared[unsharing - 1] >= handle) {
            unsharing--; // also those whose reading failed, if somebody has caught that
        }
        if (handle < count && object != null && handles[handle] == object) {
            handles[handle] = UNSHARED;
        }
    }
}
