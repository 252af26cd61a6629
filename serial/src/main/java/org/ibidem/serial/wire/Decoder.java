package org.ibidem.serial.wire;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.WriteAbortedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.Malformed;
import org.jspecify.annotations.Nullable;

/// Reads object graphs from one connection: the other end of an [Encoder].
///
/// Whatever comes, it answers with an object of allowed classes or an exception that names the
/// byte; no class is loaded before the gate allowed its name, and no memory is taken before it is
/// bounded. After an exception the rest of the message is lost, and the next one can be read. Not
/// for two threads.
public final class Decoder extends HandleReader {
    private static final int MOST_DESCRIPTION = 1 << 20;

    /// Bytes of the descriptions of one connection together.
    private static final int MOST_DESCRIPTIONS = 16 << 20;

    private static final int BYTE = 0xFF;

    private final CodecSource codecs;
    private final Screen screen;
    private final List<Described> described = new ArrayList<>();
    private final @Nullable Codec[] byTag = new @Nullable Codec[Tag.TEXT];

    private int descriptions;
    private @Nullable Desk desk;

    /// Depth at which the stack is spared.
    private final int deep;

    /// References that were followed without the stack.
    private long loops;

    private final long mostLoops;

    private int depth;

    private int discarding;
    private boolean begun;
    private boolean broken;
    private @Nullable Object attachment;

    /// A decoder for one connection.
    ///
    /// @param framed whether the source ends where a graph does, and there gives the next one anew
    public Decoder(CodecSource codecs, Source source, Gate gate, boolean framed) {
        super(source, framed);
        this.codecs = codecs;
        this.screen = new Screen(gate);
        this.deep = (int) Math.min(Encoder.DEEP, gate.limits().depth());
        this.mostLoops = gate.limits().depth() - deep;
    }

    /// Reads one graph.
    ///
    /// @throws java.io.StreamCorruptedException when the bytes are no graph; it says at which byte
    /// @throws IOException when a class is not allowed or a bound is passed
    /// @throws ClassNotFoundException when an allowed class is not there
    public @Nullable Object readRoot() throws IOException, ClassNotFoundException {
        if (broken) {
            throw new IOException(
                    "an object before it in this message could not be read, and they may share"
                            + " parts");
        }
        broken = true;
        try {
            beginMessage();
            beginGraph();
            screen.begin(position());
            var graph = read(tag(), 0);
            check(position());
            validate();
            endGraph();
            broken = false;
            return graph;
        } catch (WriteAbortedException e) {
            forget();
            e.addSuppressed(new Place(position()));
            endGraph();
            broken = false;
            throw e;
        } catch (Malformed e) {
            throw (IOException) corrupt(e.getMessage()).initCause(e);
        } catch (StackOverflowError e) {
            throw caused(invalid("objects nest too deep for this thread's stack"), e);
        } catch (InternalError e) {
            // the JDK's own collections throw it at bytes that no collection can have written
            throw caused(invalid("impossible object: " + e), e);
        } catch (IOException | ClassNotFoundException e) {
            e.addSuppressed(new Place(position()));
            throw e;
        } catch (RuntimeException e) {
            throw garbage(e);
        } finally {
            discarding = 0;
            loops = 0;
        }
    }

    private static IOException caused(IOException problem, Throwable cause) {
        problem.initCause(cause);
        return problem;
    }

    private void beginMessage() throws IOException {
        if (desk == null) {
            var mine = Desk.borrow();
            desk = mine;
            useHandles(mine);
            use(mine);
        }
        if (!begun) {
            int form = getUnsigned();
            if ((form & ~(Encoder.BIG | Encoder.UNNAMED)) != Encoder.FORM) {
                throw corrupt("objects do not begin with " + form);
            }
            order((form & ~Encoder.UNNAMED) != Encoder.NATIVE_FORM);
            unnamed((form & Encoder.UNNAMED) != 0);
            begun = true;
        }
    }

    /// The message ends, read or not: handles are forgotten.
    public void endMessage() {
        forget();
        begun = false;
        broken = false;
        if (!source().lasting()) {
            forgetClasses();
        }
        if (framed()) {
            close();
        }
    }

    private void forgetClasses() {
        if (!described.isEmpty()) {
            described.clear();
            Arrays.fill(byTag, Tag.FIRST_CLASS, byTag.length, null);
            descriptions = 0;
        }
    }

    /// Gives back all memory; the decoder may be used again.
    public void close() {
        forget();
        var mine = desk;
        if (mine != null) {
            desk = null;
            giveHandles(mine);
            drop();
            mine.giveBack();
        }
    }

    /// What a codec keeps with this decoder.
    public @Nullable Object attachment() {
        return attachment;
    }

    /// Keeps something with this decoder.
    public void attach(Object kept) {
        attachment = kept;
    }

    @Override
    void check(long taken) throws IOException {
        screen.check(taken, references());
    }

    /// Says that another codec has come in the place of one that was found.
    @SuppressWarnings("ReferenceEquality") // that very codec
    public void latest(Codec before, Codec codec) {
        for (int tag = Tag.FIRST_CLASS; tag < byTag.length; tag++) {
            if (byTag[tag] == before) {
                byTag[tag] = codec;
            }
        }
        for (var each : described) {
            if (each.codec == before) {
                each.codec = codec;
            }
        }
    }

    /// Takes a class description that came on a way of its own.
    ///
    /// @throws Malformed when it is none
    public void describe(byte[] description) {
        var in = new ControlReader(description);
        int number = in.u16("number");
        if (number > described.size()) {
            throw in.bad("number", number + " comes after " + described.size() + " classes");
        }
        var what = Description.of(in);
        if (number == described.size()) {
            descriptions += description.length;
            if (descriptions > MOST_DESCRIPTIONS) {
                throw in.bad(
                        "number",
                        "classes described in more than " + MOST_DESCRIPTIONS + " bytes together");
            }
            described.add(new Described(what));
        } else if (!described.get(number).description.equals(what)) {
            throw in.bad("number", number + " was described as another class");
        }
    }

    /// Reads the tag of the next reference; negative for short strings.
    public int tag() throws IOException {
        int at = need(1);
        position = at + 1;
        return page[at];
    }

    /// The codec of a tag, where that is known already and no string.
    public @Nullable Codec codec(int tag) {
        return tag < 0 ? null : byTag[tag];
    }

    /// Reads the reference with this tag.
    ///
    /// @param below how many calls of codecs are below this one
    public @Nullable Object read(int tag, int below) throws IOException, ClassNotFoundException {
        if (tag < 0) {
            return shortText(tag);
        }
        var codec = byTag[tag];
        return codec != null ? enter(codec, below) : readRare(tag, below);
    }

    /// Reads the next reference.
    ///
    /// @param below how many calls of codecs are below this one
    public @Nullable Object read(int below) throws IOException, ClassNotFoundException {
        var text = shortText();
        return text != null ? text : readOther(below);
    }

    /// As [#read(int)], where [#shortText] has found nothing.
    public @Nullable Object readOther(int below) throws IOException, ClassNotFoundException {
        int at = position;
        if (limit - at <= Tag.LONGEST_SHORT_TEXT) {
            return read(tag(), below);
        }
        int tag = page[at]; // a handle lies whole in the page
        if (tag == Tag.HANDLE_8) {
            position = at + 2;
            return handle(page[at + 1] & BYTE);
        }
        position = at + 1;
        return read(tag, below);
    }

    /// The depth from which on [#enter] has to be called instead of a codec.
    public int deep() {
        return deep;
    }

    /// Reads what is in an object whose tag was read.
    public @Nullable Object enter(Codec codec, int below)
            throws IOException, ClassNotFoundException {
        if (below < Math.min(deep, codec.deep)) {
            return codec.read(this, below + 1);
        }
        checkDepth(below);
        var build = codec.build(this);
        return build == null
                ? codec.read(this, Deep.below(this, below))
                : Deep.read(this, build, below);
    }

    private @Nullable Object readRare(int tag, int below)
            throws IOException, ClassNotFoundException {
        depth = below + 1;
        return switch (tag) {
            case Tag.NULL -> null;
            case Tag.HANDLE_8 -> handle(getUnsigned());
            case Tag.HANDLE_16 -> handle(Short.toUnsignedInt(getShort()));
            case Tag.HANDLE_32 -> handle(getInt());
            case Tag.LATIN, Tag.WIDE_8, Tag.WIDE -> text(tag);
            case Tag.DESCRIBE -> {
                describeHere();
                yield read(tag(), below);
            }
            case Tag.RESET -> reset(below);
            case Tag.CLASS_16 -> enter(resolve(Short.toUnsignedInt(getShort())), below);
            case Tag.ABORTED -> throw aborted();
            default -> enter(first(tag), below);
        };
    }

    private static WriteAbortedException aborted() {
        return new WriteAbortedException(
                "the writer failed to write this graph",
                new IOException("see what the writer was told"));
    }

    /// The codec with which an object begins; null for all other references.
    @Nullable Codec codecOf(int tag) throws IOException, ClassNotFoundException {
        if (tag < Tag.FIRST_BUILTIN) {
            return null;
        }
        var codec = byTag[tag];
        return codec != null ? codec : first(tag);
    }

    /// The codec of a tag that comes for the first time.
    private Codec first(int tag) throws IOException, ClassNotFoundException {
        if (tag >= Tag.FIRST_CLASS) {
            return resolve(tag - Tag.FIRST_CLASS);
        }
        var codec = tag < Tag.FIRST_BUILTIN ? null : codecs.builtin(tag);
        if (codec == null) {
            throw corrupt("tag " + tag + " where a reference should be");
        }
        screen.allow(codec.type.getName());
        screen.enter(codec.type, this);
        byTag[tag] = codec;
        return codec;
    }

    private String text(int tag) throws IOException {
        int length = tag == Tag.WIDE_8 ? getUnsigned() : getInt();
        screen.array(String.class, length, tag == Tag.LATIN ? 1 : Character.BYTES, this);
        if (length > (tag == Tag.LATIN ? Growth.LONGEST : Text.LONGEST_WIDE)) {
            throw corrupt("a string of " + length + " characters, which no JVM holds");
        }
        var text = tag == Tag.LATIN ? Text.readLatin(this, length) : Text.readWide(this, length);
        register(text);
        cost(costOf(text));
        return text;
    }

    /// Reads a string, or null.
    ///
    /// @param tag what it begins with
    public @Nullable String readText(int tag, int below)
            throws IOException, ClassNotFoundException {
        if (tag < 0) {
            return shortText(tag);
        }
        return tag == Tag.NULL ? null : Text.of(read(tag, below));
    }

    /// Takes a class description that stands in line.
    public void describeHere() throws IOException {
        int length = getInt();
        if (length < 0 || length > MOST_DESCRIPTION) {
            throw corrupt("a class description of " + length + " bytes");
        }
        var bytes = new byte[length];
        getBytes(bytes, 0, length);
        describe(bytes);
    }

    private @Nullable Object reset(int below) throws IOException, ClassNotFoundException {
        if (below != 0) {
            throw corrupt("handles are forgotten in the middle of a graph");
        }
        forget();
        return read(tag(), below);
    }

    private Codec resolve(int number) throws IOException, ClassNotFoundException {
        var what = described(number);
        var codec = what.codec;
        if (codec == null) {
            codec = codecs.reading(what, this);
            what.codec = codec;
            if (number < Tag.SHORT_CLASSES) {
                byTag[Tag.FIRST_CLASS + number] = codec;
            }
        }
        return codec;
    }

    /// The class the peer gave this number.
    public Described described(int number) throws IOException {
        if (number >= described.size()) {
            throw corrupt("class " + number + " was not described");
        }
        return described.get(number);
    }

    /// Loads a class by name, if it and its superclasses are let in; it is not initialized.
    public Class<?> load(String name) throws IOException, ClassNotFoundException {
        screen.allow(name);
        var type = screen.load(name);
        screen.enter(type, this);
        return type;
    }

    /// Asks about those superclasses about which [#load] has not: see [Screen].
    public void superclasses(Class<?> type, Description there) throws InvalidClassException {
        screen.superclasses(type, there, this);
    }

    /// Where classes are found.
    public ClassLoader loader() {
        return screen.loader();
    }

    /// Says that a class that is not in the stream takes part, such as that of a replacement.
    public void filter(Class<?> type, int length) throws InvalidClassException {
        screen.filter(type, length, this);
    }

    /// Asks whether an array, or the table of a collection, may be allocated.
    ///
    /// @param length elements, as announced
    /// @param bytes of one element
    public void array(Class<?> type, int length, int bytes) throws InvalidClassException {
        screen.array(type, length, bytes, this);
    }

    /// How many references are above the one being read.
    public long depth() {
        return depth + loops;
    }

    /// Says how deep a codec is before it asks for a class or an array.
    public void depth(int below) {
        depth = below;
    }

    /// Counts a reference that a codec follows in a loop.
    public void loop() throws InvalidClassException {
        if (++loops > mostLoops) {
            screen.depth(loops + 1);
        }
    }

    void checkDepth(int below) throws InvalidClassException {
        screen.depth(below + loops + 1);
    }

    /// Ends the counting of `followed` references.
    public void unloop(int followed) {
        loops -= followed;
    }

    /// Charges steps of hashing to the budget of the graph.
    public void work(long steps) throws InvalidClassException {
        screen.work(known(steps));
    }

    /// Reads the next reference that nobody waits for: null where its class is missing.
    public @Nullable Object discard(int below) throws IOException, ClassNotFoundException {
        return discard(tag(), below);
    }

    /// As [#discard(int)], with the tag of the reference.
    public @Nullable Object discard(int tag, int below) throws IOException, ClassNotFoundException {
        discarding++;
        var object = read(tag, below);
        discarding--;
        return object;
    }

    /// Reads a reference to an object that nothing else names, before or later.
    public @Nullable Object readUnshared(int below) throws IOException, ClassNotFoundException {
        return readUnshared(tag(), below);
    }

    /// As [#readUnshared(int)], with the tag of the reference.
    public @Nullable Object readUnshared(int tag, int below)
            throws IOException, ClassNotFoundException {
        if (tag == Tag.HANDLE_8 || tag == Tag.HANDLE_16 || tag == Tag.HANDLE_32) {
            throw invalid("cannot read back reference as unshared");
        }
        int handle = beginUnshared();
        var object = read(tag, below);
        unshare(handle, object);
        return object;
    }

    /// The gate as a filter of the JDK, for streams that stand on this decoder.
    public ObjectInputFilter filter() {
        return screen.gate().filter();
    }

    @Override
    public boolean discarding() {
        return discarding > 0;
    }

    @Override
    void metAgain() throws InvalidClassException {
        screen.filter(null, -1, this);
    }
}
