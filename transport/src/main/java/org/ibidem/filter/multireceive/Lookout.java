package org.ibidem.filter.multireceive;

import java.util.Arrays;
import java.util.List;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.link.FrameSource;
import org.ibidem.wait.Resting;
import org.jspecify.annotations.Nullable;

/// Which of several lowers are looked at: all, but those that had nothing for a while and can rest.
/// A word tells which of 64 that rest are to be looked at again, so many idle ones cost what one
/// costs.
///
/// A bit may be missed (see [Resting]); so now and then one of those that rest is looked at, each
/// in its turn.
final class Lookout {
    /// Looks in vain before a lower rests: to rest and to be roused costs its writer two trips
    /// between the cores.
    private static final int PATIENCE = 128;

    /// Looks in vain before one that could not rest is asked again.
    private static final int LONG_PATIENCE = 1 << 14;

    /// Polls for each look at one of those that rest. A power of two.
    private static final int POLLS_PER_LOOK = 8;

    /// Messages of the only one that is looked at until those that rest have their turn. A power of
    /// two.
    private static final int ALONE = 16;

    private final @Nullable Resting[] able;
    private final int[] patience;

    /// A bit for each lower that is looked at.
    private final long[] awake;

    private Word[] words = {};
    private int polls;
    private final boolean[] rests;
    private int resting;
    private int open;
    private int glances;
    private int turn;

    Lookout(List<? extends FrameSource> lowers) {
        int count = lowers.size();
        open = count;
        able = new Resting[count];
        patience = new int[count];
        rests = new boolean[count];
        awake = new long[(count + Long.SIZE - 1) / Long.SIZE];
        for (int i = 0; i < count; i++) {
            able[i] = lowers.get(i) instanceof Resting one ? one : null;
            rouse(i);
        }
    }

    /// Those of one word, and whose its bits are.
    private static final class Word {
        final ReadyBit any;
        final int[] lowers = new int[ReadyBit.PER_WORD];
        long resting;

        Word(ReadyBit any) {
            this.any = any;
        }
    }

    private void rouse(int i) {
        awake[i / Long.SIZE] |= 1L << i;
        patience[i] = PATIENCE;
    }

    /// The first from `from` on that is to be looked at; -1: none.
    int next(int from) {
        for (int word = from / Long.SIZE; word < awake.length; word++) {
            long left = awake[word];
            if (word == from / Long.SIZE) {
                left &= -1L << from;
            }
            if (left != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(left);
            }
        }
        return -1;
    }

    /// Whether all others rest and this one may be looked at without a round.
    boolean isAlone(int i) {
        return resting == open - 1 && !rests[i] && (++glances & ALONE - 1) != 0;
    }

    /// Begins a round of looks: finds who rests no more.
    void begin() {
        if (resting == 0) {
            return;
        }
        for (var word : words) {
            long ready = word.any.take(word.resting);
            while (ready != 0) {
                int bit = Long.numberOfTrailingZeros(ready);
                ready &= ready - 1;
                word.resting &= ~(1L << bit);
                wake(word.lowers[bit]);
            }
        }
        if ((++polls & POLLS_PER_LOOK - 1) == 0) {
            lookAtOne();
        }
    }

    private void wake(int i) {
        var one = able[i];
        if (one != null) {
            one.rouse();
        }
        rests[i] = false;
        resting--;
        rouse(i);
    }

    /// Has the next of those that rest looked at, once.
    private void lookAtOne() {
        if (resting > 0) {
            do {
                turn = turn + 1 < rests.length ? turn + 1 : 0;
            } while (!rests[turn]);
            awake[turn / Long.SIZE] |= 1L << turn;
        }
    }

    /// It had something.
    void found(int i) {
        patience[i] = PATIENCE;
        if (rests[i]) {
            forget(i);
            wake(i);
        }
    }

    /// It had nothing.
    void missed(int i) {
        if (rests[i]) {
            awake[i / Long.SIZE] &= ~(1L << i); // this was the look now and then
        } else if (--patience[i] == 0 && !rests(i)) {
            patience[i] = LONG_PATIENCE;
        }
    }

    private boolean rests(int i) {
        var one = able[i];
        var bit = one == null ? null : one.bit();
        if (one == null || bit == null) {
            return false;
        }
        var word = word(bit);
        word.any.take(bit.mask()); // one from long ago
        if (!one.rest()) {
            return false;
        }
        word.lowers[bit.bit()] = i;
        word.resting |= bit.mask();
        awake[i / Long.SIZE] &= ~(1L << i);
        rests[i] = true;
        resting++;
        return true;
    }

    private Word word(ReadyBit bit) {
        for (var word : words) {
            if (word.any.sharesWord(bit)) {
                return word;
            }
        }
        var more = Arrays.copyOf(words, words.length + 1);
        more[words.length] = new Word(bit);
        words = more;
        return more[words.length - 1];
    }

    private void forget(int i) {
        for (var word : words) {
            for (int bit = 0; bit < ReadyBit.PER_WORD; bit++) {
                if (word.lowers[bit] == i) {
                    word.resting &= ~(1L << bit);
                }
            }
        }
    }

    /// It is gone.
    void lost(int i) {
        if (rests[i]) {
            forget(i);
            rests[i] = false;
            resting--;
        }
        open--;
        able[i] = null;
        awake[i / Long.SIZE] &= ~(1L << i);
    }
}
