package org.ibidem.serial.wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The lower half of an [Encoder]: what is written gathers in a page that stays in the first-level
/// cache and goes to the sink in pieces; large arrays go past it.
public abstract sealed class PageWriter permits Encoder {
    private static final int HEAD = 8;
    private static final int SMALL_ARRAY = 256;

    private final Sink sink;
    private byte[] page = Desk.NONE;
    private MemorySegment segment = MemorySegment.NULL;
    private int position;

    /// Bytes of this message that went to the sink.
    private long flushed;

    PageWriter(Sink sink) {
        this.sink = sink;
    }

    final Sink sink() {
        return sink;
    }

    final void use(Desk mine) {
        page = mine.page;
        segment = mine.segment;
        position = 0;
        flushed = 0;
    }

    /// Bytes of this message so far.
    public final long written() {
        return flushed + position;
    }

    /// The page; valid until the next call of [#room].
    public final byte[] page() {
        return page;
    }

    /// Makes sure that `bytes` (at most [Page#SIZE]) fit into the page, and says where.
    public final int room(int bytes) throws IOException {
        return room(position, bytes);
    }

    /// As [#room(int)], for code that knows how far the page is filled. Such code hands the place
    /// on from call to call: in a register, while a field would be stored and loaded all the time.
    public final int room(int at, int bytes) throws IOException {
        return at > page.length - bytes ? more(at) : at;
    }

    private int more(int at) throws IOException {
        position = at;
        flush();
        return 0;
    }

    /// How far the page is filled.
    public final int position() {
        return position;
    }

    /// Says that the page is filled up to here.
    public final void filled(int to) {
        position = to;
    }

    final void flush() throws IOException {
        int count = position;
        position = 0;
        sink.write(page, 0, count);
        flushed += count;
    }

    /// Writes a byte.
    public final void putByte(int value) throws IOException {
        int at = room(1);
        page[at] = (byte) value;
        position = at + 1;
    }

    /// Writes 2 bytes.
    public final void putShort(int value) throws IOException {
        int at = room(Short.BYTES);
        Page.putShort(page, at, (short) value);
        position = at + Short.BYTES;
    }

    /// Writes 4 bytes.
    public final void putInt(int value) throws IOException {
        int at = room(Integer.BYTES);
        Page.putInt(page, at, value);
        position = at + Integer.BYTES;
    }

    /// Writes 8 bytes.
    public final void putLong(long value) throws IOException {
        int at = room(Long.BYTES);
        Page.putLong(page, at, value);
        position = at + Long.BYTES;
    }

    /// Writes how many follow: 1 byte up to 254, else 5.
    public final void putCount(int count) throws IOException {
        position = putCount(count, position);
    }

    /// As [#putCount(int)].
    ///
    /// @param at how far the page is filled
    /// @return how far it is then
    public final int putCount(int count, int at) throws IOException {
        int here = room(at, HEAD);
        if (count < PageReader.LONG_COUNT) {
            page[here] = (byte) count;
            return here + 1;
        }
        page[here] = (byte) PageReader.LONG_COUNT;
        Page.putInt(page, here + 1, count);
        return here + 1 + Integer.BYTES;
    }

    /// Writes bytes.
    public final void putBytes(byte[] bytes, int offset, int count) throws IOException {
        if (count > page.length - position) {
            flush();
        }
        if (count > page.length) {
            sink.write(bytes, offset, count);
            flushed += count;
        } else {
            System.arraycopy(bytes, offset, page, position, count);
            position += count;
        }
    }

    /// Writes elements of a primitive array other than `boolean[]`: large ones past the page.
    public final void putArray(PrimitiveArray kind, Object array, int count) throws IOException {
        long bytes = (long) count * kind.size();
        if (bytes <= SMALL_ARRAY) {
            int at = room((int) bytes);
            kind.store(array, 0, segment, at, count);
            position = at + (int) bytes;
        } else {
            flush();
            sink.writeArray(kind, array, 0, count);
            flushed += bytes;
        }
    }
}
