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

    /// A small number of its own.
    public final int index = CODECS.getAndIncrement();

    /// A codec for the objects of this class.
    protected Codec(Class<?> type, int mode) {
        this.type = type;
        this.mode = mode;
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
