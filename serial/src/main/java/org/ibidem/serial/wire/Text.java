package org.ibidem.serial.wire;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Strings: a byte for each character where all are Latin-1, else UTF-16.
///
/// The two are the string's own forms in memory, so both ends copy. That a string is Latin-1 cannot
/// be asked; [#isLatin] finds out, which the compiler turns into next to nothing.
final class Text {
    /// UTF-16 code units of the longest string that every JVM makes of characters beyond Latin-1.
    static final int LONGEST_WIDE = Growth.LONGEST / Character.BYTES;

    private static final char HIGHEST_LATIN = 0xFF;

    private Text() {}

    static @Nullable String of(@Nullable Object object) {
        if (object == null || object instanceof String) {
            return (String) object;
        }
        throw new ClassCastException(object.getClass().getName() + " where a string should be");
    }

    /// Whether every character fits a byte. For a string that is Latin-1 in memory the condition is
    /// never true, and C2 removes the loop.
    private static boolean isLatin(String text) {
        for (int i = 0, length = text.length(); i < length; i++) {
            if (text.charAt(i) > HIGHEST_LATIN) {
                return false;
            }
        }
        return true;
    }

    /// Writes it if it fits its tag.
    ///
    /// @param at how far the page is filled
    /// @return how far it is then; the complement of `at`: it does not fit
    @SuppressWarnings("deprecation") // the only copy from a string that allocates nothing
    static int putShort(Encoder to, String text, int at) throws IOException {
        int length = text.length();
        if (length > Tag.LONGEST_SHORT_TEXT || !isLatin(text)) {
            return ~at;
        }
        int here = to.room(at, 1 + length);
        var page = to.page();
        page[here] = (byte) (Tag.TEXT | length);
        text.getBytes(0, length, page, here + 1);
        return here + 1 + length;
    }

    /// Writes it where it does not fit its tag.
    ///
    /// @param at how far the page is filled
    /// @return how far it is then
    static int putLong(Encoder to, String text, int at) throws IOException {
        to.filled(at);
        if (isLatin(text)) {
            writeLongLatin(to, text);
        } else {
            writeWide(to, text);
        }
        return to.position();
    }

    @SuppressWarnings("deprecation") // see putShort
    private static void writeLongLatin(Encoder to, String text) throws IOException {
        int length = text.length();
        to.putByte(Tag.LATIN);
        to.putInt(length);
        for (int done = 0; done < length; ) {
            int some = Math.min(length - done, Page.SIZE >> 1);
            int at = to.room(some);
            text.getBytes(done, done + some, to.page(), at);
            to.filled(at + some);
            done += some;
        }
    }

    private static void writeWide(Encoder to, String text) throws IOException {
        int length = text.length();
        if (length <= HIGHEST_LATIN) {
            to.putByte(Tag.WIDE_8);
            to.putByte(length);
        } else {
            to.putByte(Tag.WIDE);
            to.putInt(length);
        }
        var chars = to.chars();
        for (int done = 0; done < length; ) {
            int some = Math.min(length - done, chars.length);
            text.getChars(done, done + some, chars, 0);
            int at = to.room(some * Character.BYTES);
            var page = to.page();
            for (int i = 0; i < some; i++) {
                Page.putChar(page, at + i * Character.BYTES, chars[i]);
            }
            to.filled(at + some * Character.BYTES);
            done += some;
        }
    }

    /// Reads a string of this many characters of a byte each.
    @SuppressWarnings(
            "deprecation") // the only constructor that copies from a part of an array at once
    static String readShort(PageReader from, int length) throws IOException {
        int at = from.need(length);
        var page = from.page();
        from.taken(at + length);
        return page.length - at < Long.BYTES
                ? new String(page, 0, at, length)
                : from.recent.get(page, at, length);
    }

    /// Reads a string whose length has been read; memory is taken as its bytes arrive.
    @SuppressWarnings("deprecation") // see readShort
    static String readLatin(Decoder from, int length) throws IOException {
        if (length <= Page.SIZE >> 1) {
            return readShort(from, length);
        }
        var all = new byte[Math.min(length, Page.SIZE << 1)];
        for (int done = 0; done < length; ) {
            int some = Math.min(length - done, Page.SIZE >> 1);
            if (done + some > all.length) {
                all = Arrays.copyOf(all, Growth.doubled(all.length, length));
            }
            int at = from.need(some);
            System.arraycopy(from.page(), at, all, done, some);
            from.taken(at + some);
            done += some;
        }
        return new String(all, 0, 0, length);
    }

    /// Reads a string of this many UTF-16 code units; memory is taken as they arrive.
    static String readWide(Decoder from, int length) throws IOException {
        var all = new char[Math.min(length, Page.SIZE)];
        for (int done = 0; done < length; ) {
            int some = Math.min(length - done, Page.SIZE / Character.BYTES / 2);
            if (done + some > all.length) {
                all = Arrays.copyOf(all, Growth.doubled(all.length, length));
            }
            int at = from.need(some * Character.BYTES);
            for (int i = 0; i < some; i++) {
                all[done + i] = from.charAt(at + i * Character.BYTES);
            }
            from.taken(at + some * Character.BYTES);
            done += some;
        }
        return new String(all, 0, length);
    }
}
