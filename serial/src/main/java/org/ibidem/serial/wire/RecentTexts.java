package org.ibidem.serial.wire;

import java.nio.ByteOrder;
import java.util.Arrays;

/// The very short strings read last, each at the place its bytes lead to: one that comes again is
/// not made again. Graphs are full of them: keys of maps, currencies, units, states.
///
/// A string and its length fit one number, so to find it is one comparison; what is met there and
/// is another string gives way to it. So it is no larger for hostile bytes, nor slower than making
/// a string by more than some steps.
final class RecentTexts {
    /// Characters of the longest string that is looked for.
    static final int LONGEST = 7;

    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int PLACES = 256;

    /// After so many that were not here it is asked whether as many were; if not, it is left alone
    /// for a while: to look for a string in vain takes half as long again as to make it.
    private static final int TRIAL = 32;

    private static final int REST = 512;
    private static final int SHIFT = Long.SIZE - 8;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /// The bytes of the string, and below them its tag, which holds the length; 0: none.
    private final long[] keys = new long[PLACES];

    private final String[] texts = new String[PLACES];

    /// Short strings that were here, and that were not, since it was last asked whether it pays.
    private int found;

    private int missed;

    /// Short strings that are still to be made without looking for them.
    private int rest;

    RecentTexts() {
        Arrays.fill(texts, "");
    }

    /// A Latin-1 string whose bytes lie in the page.
    ///
    /// @param at its first; the page goes on for 8 bytes from there, whatever they are
    @SuppressWarnings("deprecation") // see Text#readShort
    String get(byte[] page, int at, int length) {
        long key = 0;
        int place = 0;
        if (length <= LONGEST) {
            if (rest > 0) {
                rest--;
            } else {
                key = key(page, at, length);
                place = (int) ((key * SPREAD) >>> SHIFT);
                if (keys[place] == key) {
                    found++;
                    return texts[place];
                }
            }
        }
        var text = new String(page, 0, at, length);
        if (key != 0) {
            keep(place, key, text);
        }
        return text;
    }

    private void keep(int place, long key, String text) {
        keys[place] = key;
        texts[place] = text;
        if (++missed == TRIAL) {
            rest = found < TRIAL ? REST : 0;
            found = 0;
            missed = 0;
        }
    }

    private static long key(byte[] page, int at, int length) {
        long word = Page.getLong(page, at);
        long first = LITTLE ? word : Long.reverseBytes(word);
        return ((first << Byte.SIZE) | Tag.TEXT | length) & (-1L >>> ((LONGEST - length) << 3));
    }
}
