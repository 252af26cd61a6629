package org.ibidem.rmi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Things by their numbers. They are chained themselves, so nothing is allocated for one that comes
/// and goes, and each is in one of these at a time.
///
/// @param <E> what they are
final class ByNumber<E extends ByNumber.Numbered<E>> {
    private static final int FEWEST = 16;

    private @Nullable Object[] chains = new Object[FEWEST];
    private volatile int size;

    /// One of them.
    ///
    /// @param <E> what it is
    interface Numbered<E> {
        /// The same as long as it is in there.
        long number();

        /// The next one of its chain.
        @Nullable E next();

        /// Of whoever it is in.
        void next(@Nullable E other);
    }

    private int chain(long number) {
        long mixed = number * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> Integer.SIZE) & (chains.length - 1);
    }

    @SuppressWarnings("unchecked") // nothing else is put there
    private @Nullable E first(int chain) {
        return (E) chains[chain];
    }

    /// Puts one in.
    synchronized void put(E one) {
        if (size >= chains.length) {
            grow();
        }
        link(one);
        size++;
    }

    private void link(E one) {
        int chain = chain(one.number());
        one.next(first(chain));
        chains[chain] = one;
    }

    private void grow() {
        var before = all();
        chains = new Object[2 * chains.length];
        before.forEach(this::link);
    }

    synchronized @Nullable E get(long number) {
        var at = first(chain(number));
        while (at != null && at.number() != number) {
            at = at.next();
        }
        return at;
    }

    /// Takes out what has this number.
    ///
    /// @return what was there; null: none
    synchronized @Nullable E remove(long number) {
        var found = get(number);
        if (found != null) {
            remove(found);
        }
        return found;
    }

    /// Takes out this one: a number that comes from elsewhere may be there twice.
    ///
    /// @return whether it was in there
    @SuppressWarnings("ReferenceEquality")
    synchronized boolean remove(E one) {
        int chain = chain(one.number());
        E before = null;
        var at = first(chain);
        while (at != null && at != one) {
            before = at;
            at = at.next();
        }
        if (at == null) {
            return false;
        }
        if (before == null) {
            chains[chain] = at.next();
        } else {
            before.next(at.next());
        }
        at.next(null);
        size--;
        return true;
    }

    synchronized void clear() {
        all().forEach(this::remove);
    }

    /// All, as they are now.
    synchronized List<E> all() {
        var found = new ArrayList<E>(size);
        for (int i = 0; i < chains.length; i++) {
            for (var at = first(i); at != null; at = at.next()) {
                found.add(at);
            }
        }
        return found;
    }

    int size() {
        return size;
    }
}
