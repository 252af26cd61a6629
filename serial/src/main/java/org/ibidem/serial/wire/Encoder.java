package org.ibidem.serial.wire;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes object graphs to one connection. What is said once on a connection (which class has which
/// number) lives as long as it; what is said once in a message (which object has which handle)
/// until [#endMessage].
///
/// Its methods are for generated code: they are small, and check once for several values. Not for
/// two threads.
public final class Encoder extends PageWriter {
    /// Calls inside each other before a graph is walked without the stack.
    public static final int DEEP = 256;

    /// What the first object of a message begins with: the version, and the order of this machine.
    static final int FORM = 0x10;

    /// In [#FORM]: the most significant byte comes first.
    static final int BIG = 1;

    /// In [#FORM]: no handle is used in this message. It is known when all is written, and so it is
    /// said where the first byte can be changed still. The reader then keeps no table, which is a
    /// fifth of what it costs to read a small object.
    static final int UNNAMED = 2;

    /// [#FORM] as this machine writes it.
    static final int NATIVE_FORM =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? FORM | BIG : FORM;

    /// Room for a tag and what may follow it at once.
    private static final int HEAD = 8;

    private final CodecSource codecs;
    private int[] tags = new int[Tag.FIRST_CLASS];
    private final List<Codec> described = new ArrayList<>();

    private @Nullable Desk desk;

    /// Whether a handle was written in this message, or it is not known.
    private boolean named;

    private IdentityTable table = Desk.EMPTY;

    private @Nullable Class<?> lastClass;
    private @Nullable Codec lastCodec;
    private @Nullable IdentityHashMap<Object, Replaced> replaced;
    private @Nullable Object attachment;

    private record Replaced(@Nullable Object by) {}

    /// An encoder for one connection.
    public Encoder(CodecSource codecs, Sink sink) {
        super(sink);
        this.codecs = codecs;
    }

    /// Writes one graph. Objects that an earlier graph of the same message contained are named by
    /// their handles.
    ///
    /// @throws java.io.NotSerializableException when an object in it cannot travel
    public void writeRoot(@Nullable Object graph) throws IOException {
        putRoot(graph);
        flush();
    }

    /// Writes a message of one graph.
    ///
    /// @throws java.io.NotSerializableException when an object in it cannot travel
    public void writeMessage(@Nullable Object graph) throws IOException {
        try {
            putRoot(graph);
            if (!named && written() == position()) {
                page()[0] = (byte) (NATIVE_FORM | UNNAMED);
            }
            flush();
        } finally {
            endMessage();
        }
    }

    private void putRoot(@Nullable Object graph) throws IOException {
        beginMessage();
        try {
            write(graph, 0);
        } catch (StackOverflowError e) {
            giveUp(e);
            throw tooDeep(e);
        } catch (IOException | RuntimeException e) {
            giveUp(e);
            throw e;
        }
    }

    /// Tells the reader, who is where a tag is expected, that nothing of this graph will follow.
    private void giveUp(Throwable why) {
        forget();
        named = true; // of what is cut off nothing is said
        try {
            putByte(Tag.ABORTED);
            flush();
        } catch (IOException | RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    private static IOException tooDeep(StackOverflowError e) {
        var problem =
                new InvalidObjectException(
                        "objects nest too deep through writeObject methods for this thread's stack");
        problem.initCause(e);
        return problem;
    }

    private void beginMessage() throws IOException {
        if (desk == null) {
            var mine = Desk.borrow();
            desk = mine;
            table = mine.table;
            named = false;
            use(mine);
            putByte(NATIVE_FORM);
        }
    }

    /// The message ends: handles are forgotten.
    public void endMessage() {
        var mine = desk;
        if (mine != null) {
            forget();
            desk = null;
            table = Desk.EMPTY;
            mine.giveBack();
            if (!sink().lasting()) {
                described.clear();
                Arrays.fill(tags, 0);
            }
            if (!named) {
                sink().amend((byte) (NATIVE_FORM | UNNAMED));
            }
        }
    }

    private void forget() {
        table.reset();
        replaced = null;
    }

    /// Forgets the handles in the middle of a message: objects written again are sent again.
    public void reset() throws IOException {
        if (desk != null) {
            forget();
            putByte(Tag.RESET);
        }
    }

    /// Describes all classes again that were described so far, for a peer that came later.
    public void introduce() throws IOException {
        beginMessage();
        for (int number = 0; number < described.size(); number++) {
            describe(described.get(number).description().toBytes(number));
        }
    }

    private void describe(byte[] description) throws IOException {
        if (!sink().describe(description)) {
            putByte(Tag.DESCRIBE);
            putInt(description.length);
            putBytes(description, 0, description.length);
        }
    }

    /// What a codec keeps with this encoder.
    public @Nullable Object attachment() {
        return attachment;
    }

    /// Keeps something with this encoder.
    public void attach(Object kept) {
        attachment = kept;
    }

    /// Writes any reference.
    ///
    /// @param depth how many calls of codecs are below this one
    public void write(@Nullable Object object, int depth) throws IOException {
        filled(write(object, depth, position()));
    }

    /// As [#write(Object, int)].
    ///
    /// @param at how far the page is filled
    /// @return how far it is then
    public int write(@Nullable Object object, int depth, int at) throws IOException {
        if (object == null) {
            return putNull(at);
        }
        var type = object.getClass();
        if (type == String.class) {
            return putText((String) object, at);
        }
        var codec = type == lastClass && lastCodec != null ? lastCodec : find(type, at);
        int inside = open(object, codec, depth, at);
        return inside < 0 ? ~inside : enter(codec, object, depth, inside);
    }

    private Codec find(Class<?> type, int at) throws IOException {
        filled(at); // a refusal is written behind it
        return find(type);
    }

    /// Says that another codec has come in the place of one that was found.
    public void latest(Codec codec) {
        if (codec.type == lastClass) {
            lastCodec = codec;
        }
    }

    Codec find(Class<?> type) throws IOException {
        var codec = codecs.of(type);
        lastClass = type;
        lastCodec = codec;
        return codec;
    }

    /// Writes what is in an object whose tag was written.
    ///
    /// @param at how far the page is filled
    /// @return how far it is then
    public int enter(Codec codec, Object object, int depth, int at) throws IOException {
        if (depth < codec.deep) {
            return codec.put(this, object, depth + 1, at);
        }
        filled(at);
        var walk = codec.walk(this, object);
        if (walk == null) {
            return codec.put(this, object, Deep.below(object, depth), position());
        }
        Deep.write(this, walk, depth);
        return position();
    }

    /// Writes an object as new, whatever was written before, and so that it is never named again.
    public void writeUnshared(@Nullable Object object, int depth) throws IOException {
        if (object == null || object instanceof Class<?>) {
            write(object, depth);
            return;
        }
        if (object instanceof String text) {
            int end = Text.putShort(this, text, position());
            if (end < 0) {
                table.skip();
                end = Text.putLong(this, text, ~end);
            }
            filled(end);
            return;
        }
        var codec = find(object.getClass());
        if (codec.mode == Codec.REPLACED) {
            writeUnshared(codec.replacement(object), depth);
        } else {
            if (codec.mode == Codec.SHARED) {
                table.skip();
            }
            filled(enter(codec, object, depth, begin(codec, position())));
        }
    }

    private void replace(Object object, Codec codec, int depth) throws IOException {
        int handle = table.find(object);
        if (handle >= 0) {
            filled(handle(handle, position()));
            return;
        }
        var map = replaced;
        if (map == null) {
            map = new IdentityHashMap<>();
            replaced = map;
        }
        var known = map.get(object);
        if (known == null) {
            known = new Replaced(codec.replacement(object));
            map.put(object, known);
        }
        var by = known.by;
        if (by != null && by.getClass() == object.getClass()) {
            writeKept(by, depth);
        } else {
            write(by, depth);
        }
    }

    /// Writes an object whose class replaces its objects, but not this one.
    private void writeKept(Object object, int depth) throws IOException {
        var codec = codecs.unreplaced(object.getClass());
        int inside = fresh(object, codec, position());
        filled(inside < 0 ? ~inside : enter(codec, object, depth, inside));
    }

    /// Writes that there is no object.
    public int putNull(int at) throws IOException {
        int here = room(at, 1);
        page()[here] = Tag.NULL;
        return here + 1;
    }

    /// Writes a string: a short one is a value, a long one has a handle.
    public int putText(String text, int at) throws IOException {
        int end = Text.putShort(this, text, at);
        return end >= 0 ? end : putLongText(text, ~end);
    }

    private int putLongText(String text, int at) throws IOException {
        int handle = table.putText(text);
        return handle >= 0 ? handle(handle, at) : Text.putLong(this, text, at);
    }

    /// Writes a string, or null.
    public int putTextOrNull(@Nullable String text, int at) throws IOException {
        return text == null ? putNull(at) : putText(text, at);
    }

    /// Writes the beginning of an object whose codec is known.
    ///
    /// @param at how far the page is filled
    /// @return how far it is when what is in the object has to be written now; else the complement
    public int open(Object object, Codec codec, int depth, int at) throws IOException {
        if (codec.mode == Codec.SHARED) {
            return fresh(object, codec, at);
        }
        if (codec.mode == Codec.VALUE) {
            return begin(codec, at);
        }
        filled(at);
        replace(object, codec, depth);
        return ~position();
    }

    /// Writes the handle of an object that was written before, or else gives it one and writes the
    /// tag of its class. Results as [#open].
    private int fresh(Object object, Codec codec, int at) throws IOException {
        int handle = table.put(object);
        return handle >= 0 ? ~handle(handle, at) : begin(codec, at);
    }

    private int begin(Codec codec, int at) throws IOException {
        int index = codec.index;
        var all = tags;
        int tag = index < all.length ? all[index] : 0;
        if (tag == 0) {
            filled(at);
            tag = describe(codec);
            return tag(tag, position());
        }
        return tag(tag, at);
    }

    private int tag(int tag, int at) throws IOException {
        int here = room(at, HEAD);
        var page = page();
        if (tag < Tag.TEXT) {
            page[here] = (byte) tag;
            return here + 1;
        }
        page[here] = Tag.CLASS_16;
        Page.putShort(page, here + 1, (short) (tag - Tag.FIRST_CLASS));
        return here + 1 + Short.BYTES;
    }

    private int handle(int handle, int at) throws IOException {
        named = true;
        int here = room(at, HEAD);
        var page = page();
        if (handle <= 0xFF) {
            page[here] = Tag.HANDLE_8;
            page[here + 1] = (byte) handle;
            return here + 1 + Byte.BYTES;
        }
        if (handle <= 0xFFFF) {
            page[here] = Tag.HANDLE_16;
            Page.putShort(page, here + 1, (short) handle);
            return here + 1 + Short.BYTES;
        }
        page[here] = Tag.HANDLE_32;
        Page.putInt(page, here + 1, handle);
        return here + 1 + Integer.BYTES;
    }

    char[] chars() {
        var mine = desk;
        if (mine == null) {
            throw new IllegalStateException("no message is being written");
        }
        return mine.chars;
    }

    /// The number by which this connection knows the class, describing it if need be.
    public int number(Codec codec) throws IOException {
        int tag = codec.index < tags.length ? tags[codec.index] : 0;
        return (tag == 0 ? describe(codec) : tag) - Tag.FIRST_CLASS;
    }

    private int describe(Codec codec) throws IOException {
        int tag = codec.tag();
        if (tag == 0) {
            int number = described.size();
            if (number == Tag.MOST_CLASSES) {
                throw new IOException(
                        "this connection knows " + number + " classes already, which is the most");
            }
            var bytes = codec.description().toBytes(number);
            described.add(codec);
            describe(bytes);
            tag = Tag.FIRST_CLASS + number;
        }
        if (codec.index >= tags.length) {
            tags = Arrays.copyOf(tags, codec.index + Tag.FIRST_CLASS);
        }
        tags[codec.index] = tag;
        return tag;
    }
}
