package org.ibidem.serial.wire;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Map;
import org.ibidem.IbidemException;
import org.ibidem.Visible;
import org.jspecify.annotations.Nullable;

/// The lower half of a [Decoder]: bytes that arrive in pieces of any size, seen as a page in which
/// a value always lies whole.
///
/// ```
///  0          position        limit            page.length
///  | taken    | to be read    | not filled yet |
/// ```
public abstract sealed class PageReader permits HandleReader {
    /// What a count of one byte is at most; this value says that 4 more bytes hold it.
    static final int LONG_COUNT = 0xFF;

    private static final int SMALL_ARRAY = 256;

    /// Bytes taken at first: most of a large array is to go past the page.
    private static final int FIRST = 1 << 10;

    private final Source source;
    private final boolean framed;
    private MemorySegment segment = MemorySegment.NULL;

    // for the fast ways of the decoder
    byte[] page = Desk.NONE;
    int position;
    int limit;
    RecentTexts recent = Desk.NO_TEXTS;

    /// Bytes of this message that were taken before those in the page.
    private long before;

    /// Whether the writer's machine has the other byte order.
    private boolean swapped;

    /// What is passed on as it is.
    private @Nullable RuntimeException passing;

    PageReader(Source source, boolean framed) {
        this.source = source;
        this.framed = framed;
    }

    final void use(Desk mine) {
        page = mine.page;
        segment = mine.segment;
        recent = mine.recent;
        before = 0;
    }

    final void order(boolean other) {
        swapped = other;
    }

    /// A graph is over; what the page still holds belongs to the next, if one may follow there.
    final void endGraph() throws IOException {
        if (framed && limit > position) {
            throw corrupt((limit - position) + " bytes follow the graph");
        }
    }

    /// Forgets what is in the page.
    final void drop() {
        before += position;
        position = 0;
        limit = 0;
        passing = null;
    }

    final boolean framed() {
        return framed;
    }

    final Source source() {
        return source;
    }

    /// Whether the writer's machine has the other byte order.
    public final boolean swapped() {
        return swapped;
    }

    /// Bytes taken from the objects of this message.
    public final long position() {
        return before + position;
    }

    /// The page; valid until the next call of [#need].
    public final byte[] page() {
        return page;
    }

    /// Makes sure that `bytes` (at most [Page#SIZE]) lie in the page, and says where.
    ///
    /// @throws java.io.EOFException when they do not come
    public final int need(int bytes) throws IOException {
        int at = position;
        return bytes > limit - at ? more(bytes) : at;
    }

    /// As [#need], for a block of primitives. Where the writer's machine has the other byte order,
    /// they are turned round where they lie: so this is to be asked once for each block.
    ///
    /// @param longs values of 8 bytes in it, which come first
    /// @param ints values of 4 bytes, which come next
    /// @param shorts values of 2 bytes, which come next
    /// @param bytes all that is needed
    public final int block(int longs, int ints, int shorts, int bytes) throws IOException {
        int at = need(bytes);
        if (swapped) {
            Page.turn(page, at, longs, ints, shorts);
        }
        return at;
    }

    private int more(int bytes) throws IOException {
        boolean first = before + position == 0 && bytes <= FIRST;
        return more(bytes, first ? FIRST : page.length);
    }

    /// @param most bytes that the page holds then
    private int more(int bytes, int most) throws IOException {
        int kept = limit - position;
        System.arraycopy(page, position, page, 0, kept);
        before += position;
        position = 0;
        limit = kept;
        check(before);
        limit = kept + fill(page, kept, bytes - kept, most - kept);
        return 0;
    }

    private int fill(byte[] bytes, int offset, int least, int most) throws IOException {
        try {
            return source.read(bytes, offset, least, most);
        } catch (RuntimeException e) {
            throw passing(e);
        }
    }

    /// Called now and then with the bytes taken: checks what need not be checked for each value.
    abstract void check(long taken) throws IOException;

    /// Says that everything before was taken.
    public final void taken(int to) {
        position = to;
    }

    /// Reads a byte.
    public final byte getByte() throws IOException {
        int at = need(1);
        position = at + 1;
        return page[at];
    }

    /// Reads an unsigned byte.
    public final int getUnsigned() throws IOException {
        return Byte.toUnsignedInt(getByte());
    }

    /// Reads 2 bytes.
    public final short getShort() throws IOException {
        int at = need(Short.BYTES);
        position = at + Short.BYTES;
        short value = Page.getShort(page, at);
        return swapped ? Short.reverseBytes(value) : value;
    }

    /// Reads 4 bytes.
    public final int getInt() throws IOException {
        int at = need(Integer.BYTES);
        position = at + Integer.BYTES;
        int value = Page.getInt(page, at);
        return swapped ? Integer.reverseBytes(value) : value;
    }

    /// Reads 8 bytes.
    public final long getLong() throws IOException {
        int at = need(Long.BYTES);
        position = at + Long.BYTES;
        long value = Page.getLong(page, at);
        return swapped ? Long.reverseBytes(value) : value;
    }

    final char charAt(int at) {
        return swapped ? Page.getCharSwapped(page, at) : Page.getChar(page, at);
    }

    /// Reads the next reference if it is a short string that lies whole in the page, as most are
    /// where strings are kept together. It costs nothing to hash.
    ///
    /// @return null: it is something else, and still to be read
    public final @Nullable String shortText() {
        int at = position;
        if (limit - at <= Tag.LONGEST_SHORT_TEXT || page[at] >= 0) {
            return null;
        }
        int length = page[at] & Tag.LONGEST_SHORT_TEXT;
        position = at + 1 + length;
        return recent.get(page, at + 1, length);
    }

    /// Reads the next references as long as they are short strings, as [#shortText] does, and adds
    /// them: what a loop keeps in registers would be stored and loaded for each of them.
    ///
    /// @param most references to be read
    /// @return how many were
    public final int shortTexts(Collection<? super String> all, int most) {
        var here = page;
        var known = recent;
        int last = limit - Tag.LONGEST_SHORT_TEXT - 1;
        int at = position;
        int done = 0;
        for (; done < most && at <= last && here[at] < 0; done++) {
            int length = here[at] & Tag.LONGEST_SHORT_TEXT;
            all.add(known.get(here, at + 1, length));
            at += 1 + length;
        }
        position = at;
        return done;
    }

    /// As [#shortTexts(Collection, int)], for keys and values that both are.
    ///
    /// @param most entries to be read
    public final int shortTexts(Map<? super String, ? super String> all, int most) {
        var here = page;
        var known = recent;
        int last = limit - 2 * (Tag.LONGEST_SHORT_TEXT + 1);
        int at = position;
        int done = 0;
        for (; done < most && at <= last && here[at] < 0; done++) {
            int length = here[at] & Tag.LONGEST_SHORT_TEXT;
            int next = at + 1 + length;
            if (here[next] >= 0) {
                break;
            }
            int size = here[next] & Tag.LONGEST_SHORT_TEXT;
            var key = known.get(here, at + 1, length);
            at = next + 1 + size;
            position = at; // it may be asked for where a comparator fails
            all.put(key, known.get(here, next + 1, size));
        }
        return done;
    }

    /// Reads a short string whose tag was read.
    final String shortText(int tag) throws IOException {
        int length = tag & Tag.LONGEST_SHORT_TEXT;
        int at = position;
        if (limit - at < Tag.LONGEST_SHORT_TEXT) {
            return Text.readShort(this, length);
        }
        position = at + length;
        return recent.get(page, at, length);
    }

    /// Reads how many follow.
    public final int getCount() throws IOException {
        int count = getUnsigned();
        if (count == LONG_COUNT) {
            count = getInt();
            if (count < LONG_COUNT) {
                throw corrupt("a count of " + count + " in its long form");
            }
        }
        return count;
    }

    /// Reads bytes.
    public final void getBytes(byte[] bytes, int offset, int count) throws IOException {
        int some = Math.min(count, limit - position);
        System.arraycopy(page, position, bytes, offset, some);
        position += some;
        for (int done = some; done < count; done += some) {
            if (count - done < SMALL_ARRAY) {
                some = count - done;
                int at = need(some);
                System.arraycopy(page, at, bytes, offset + done, some);
                position = at + some;
            } else {
                emptied();
                some = fill(bytes, offset + done, 1, count - done);
                before += some;
                check(before);
            }
        }
    }

    private void emptied() {
        before += position;
        position = 0;
        limit = 0;
        passing = null;
    }

    /// Fills a primitive array other than `boolean[]`: what the page holds from there, the rest
    /// past it.
    public final void getArray(PrimitiveArray kind, Object array, int count) throws IOException {
        int done = 0;
        int size = kind.size();
        while (done < count) {
            int some = Math.min(count - done, (limit - position) / size);
            if (some > 0) {
                kind.load(segment, position, array, done, some);
                position += some * size;
                done += some;
            } else if ((long) (count - done) * size <= SMALL_ARRAY) {
                need(size);
            } else if (position != limit) {
                more(size, size); // the element that lies half in the page, and no more
            } else {
                emptied();
                fill(kind, array, done, count - done);
                before += (long) (count - done) * size;
                check(before);
                done = count;
            }
        }
        if (swapped) {
            kind.swap(array, count);
        }
    }

    /// An error for bytes that no encoder writes.
    public final StreamCorruptedException corrupt(@Nullable String what) {
        return new StreamCorruptedException(
                "at byte "
                        + position()
                        + " of the message's objects: "
                        + Visible.of(String.valueOf(what)));
    }

    private void fill(PrimitiveArray kind, Object array, int offset, int count) throws IOException {
        try {
            source.readArray(kind, array, offset, count);
        } catch (RuntimeException e) {
            throw passing(e);
        }
    }

    /// Says that an exception is none of the bytes: the source has thrown it, or a method of the
    /// program. Who reads the graph gets it as it is.
    public final RuntimeException passing(RuntimeException e) {
        passing = e;
        return e;
    }

    /// The same of what a method of a class has thrown. Those of the JDK's own classes throw at
    /// bytes that none of their objects has written.
    @SuppressWarnings("ReferenceEquality") // that very loader
    public final RuntimeException passing(RuntimeException e, Class<?> by) {
        var loader = by.getClassLoader();
        boolean ofTheJdk = loader == null || loader == ClassLoader.getPlatformClassLoader();
        return ofTheJdk ? e : passing(e);
    }

    /// The error for what has come of bytes that are no graph.
    ///
    /// @throws RuntimeException that very exception, where it is none of the bytes
    @SuppressWarnings("ReferenceEquality") // that very exception
    public final StreamCorruptedException garbage(RuntimeException e) {
        if (e == passing || e instanceof IbidemException) {
            passing = e;
            e.addSuppressed(new Place(position()));
            throw e;
        }
        var problem = corrupt(e.toString());
        problem.initCause(e);
        return problem;
    }
}
