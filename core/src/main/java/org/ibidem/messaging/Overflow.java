package org.ibidem.messaging;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a subscriber gets that does not keep up with what is published: 16 objects are on their way
/// to it, [#depth] more wait for it at the publisher, and then this. Immutable.
///
/// @param <T> the kind of object
public final class Overflow<T> {
    private static final int USUAL_DEPTH = 64;
    private static final int DEEPEST = 1 << 20;

    /// What happens to the object for which there is no place.
    enum Kind {
        BLOCK,
        DROP_NEWEST,
        DROP_OLDEST,
        CONFLATE
    }

    final Kind kind;
    final int depth;
    final boolean retains;
    private final @Nullable Function<? super T, ?> key;

    private Overflow(Kind kind, int depth, boolean retains, @Nullable Function<? super T, ?> key) {
        this.kind = kind;
        this.depth = depth;
        this.retains = retains;
        this.key = key;
    }

    /// The publisher waits: everybody gets all, and the slowest says how fast.
    public static <T> Overflow<T> block() {
        return new Overflow<>(Kind.BLOCK, USUAL_DEPTH, false, null);
    }

    /// It misses what is published now.
    public static <T> Overflow<T> dropNewest() {
        return new Overflow<>(Kind.DROP_NEWEST, USUAL_DEPTH, false, null);
    }

    /// It misses what has waited for longest.
    public static <T> Overflow<T> dropOldest() {
        return new Overflow<>(Kind.DROP_OLDEST, USUAL_DEPTH, false, null);
    }

    /// Of what waits and has the same key it gets the newest. Where more keys wait than [#depth],
    /// it misses those that have waited for longest.
    ///
    /// @param key by its `equals` and `hashCode`
    public static <T> Overflow<T> conflate(Function<? super T, ?> key) {
        return new Overflow<>(Kind.CONFLATE, USUAL_DEPTH, false, key);
    }

    /// How many objects, or keys, may wait for one subscriber; 64 by default, at most 1048576.
    public Overflow<T> depth(int most) {
        if (most < 1 || most > DEEPEST) {
            throw new IllegalArgumentException(
                    "between 1 and " + DEEPEST + " objects wait, not " + most);
        }
        return new Overflow<>(kind, most, retains, key);
    }

    /// Who subscribes later gets the last object first; where they are conflated, the last of each
    /// key, of as many as [#depth].
    public Overflow<T> retain() {
        return new Overflow<>(kind, depth, true, key);
    }

    /// Under what an object is retained, or replaced while it waits.
    Object key(T object) {
        return key == null ? "" : key.apply(object);
    }

    boolean conflates() {
        return kind == Kind.CONFLATE;
    }

    @Override
    public String toString() {
        return kind + " after " + depth + (retains ? ", retaining" : "");
    }
}
