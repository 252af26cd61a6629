package org.ibidem.serial.wire;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// How the objects of one class are written and read. One for each class and process, stateless.
///
/// Whoever calls [#write] has written the class's tag; whoever calls [#read] has read it.
public abstract class Codec {
    /// Mode: the object is written once, and named by its handle from then on.
    public static final int SHARED = 0;

    /// Mode: the object is written each time; nobody may ask whether two of them are the same.
    public static final int VALUE = 1;

    /// Mode: another object is written, which [#replacement] gives.
    public static final int REPLACED = 2;

    private static final AtomicInteger CODECS = new AtomicInteger();

    /// The class of the objects.
    public final Class<?> type;

    /// What stands for them in the stream: [#SHARED], [#VALUE] or [#REPLACED].
    public final int mode;

    /// A small number of its own, or that of the codec in whose place it comes: what connections
    /// know of the class stays.
    public final int index;

    /// From this depth on, `Deep` serves its objects, which takes no stack, where it can.
    final int deep;

    private @Nullable Codec successor;

    /// A codec for the objects of this class.
    protected Codec(Class<?> type, int mode) {
        this(type, mode, nextIndex());
    }

    /// As [#Codec(Class, int)], with a number that was asked for.
    protected Codec(Class<?> type, int mode, int index) {
        this(type, mode, index, Encoder.DEEP);
    }

    /// A codec whose calls take more stack than those of others.
    ///
    /// @param deep the depth from which on `Deep` is used; at most [Encoder#DEEP]
    protected Codec(Class<?> type, int mode, int index, int deep) {
        this.type = type;
        this.mode = mode;
        this.index = index;
        this.deep = deep;
    }

    /// A number for a codec.
    public static int nextIndex() {
        return CODECS.getAndIncrement();
    }

    /// The codec to use from now on: this one, or that which has come in its place.
    public final Codec latest() {
        // Without a lock: what a codec holds is final, and who does not see it yet loses nothing.
        var later = successor;
        return later == null ? this : later;
    }

    /// From now on that one does the same, faster.
    protected final void succeed(Codec later) {
        successor = later;
    }

    /// The codec that nothing will come in the place of: for code that keeps it as a constant.
    public Codec last() {
        return this;
    }

    /// Its tag where that is the same on all connections, else 0.
    public int tag() {
        return 0;
    }

    /// What a peer must know of the class; for codecs without [#tag].
    public Description description() {
        throw new IllegalStateException(type + " is not described");
    }

    /// Writes what is in the object.
    ///
    /// @param depth how many calls of such methods are below this one
    public abstract void write(Encoder to, Object object, int depth) throws IOException;

    /// As [#write], for code that knows how far the page is filled.
    ///
    /// @param at how far
    /// @return how far it is then
    public int put(Encoder to, Object object, int depth, int at) throws IOException {
        to.filled(at);
        write(to, object, depth);
        return to.position();
    }

    /// Reads an object. A [#SHARED] one calls [Decoder#register] before it reads any reference.
    ///
    /// @param depth how many calls of such methods are below this one
    public abstract @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException;

    /// The object to be written in the place of this one, for [#REPLACED].
    public @Nullable Object replacement(Object object) throws IOException {
        return object;
    }

    /// The references in an object, after all else in it was written; for graphs too deep for the
    /// stack. Null: the codec knows only [#write].
    public @Nullable Walk walk(Encoder to, Object object) throws IOException {
        return null;
    }

    /// Takes the references of an object, after all else in it was read; for graphs too deep for
    /// the stack. Null: the codec knows only [#read], and nothing was read.
    public @Nullable Build build(Decoder from) throws IOException, ClassNotFoundException {
        return null;
    }

    /// Whether it reads what was written in the other byte order, too.
    public boolean readsAnyOrder() {
        return false;
    }

    /// What hashing such an object costs at least: whether it asks the objects inside for theirs.
    /// See `Work`.
    public boolean hashesInside() {
        return false;
    }
}
