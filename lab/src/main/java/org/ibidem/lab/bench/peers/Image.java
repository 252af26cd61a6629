package org.ibidem.lab.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.TreeNode;

/// Payloads in byte buffers, for peers that move bytes and nothing else.
///
/// Primitives and arrays have the size that both ends know, so they go without framing. A tree goes
/// as users would send it: its JDK serialization behind its length in four bytes. Buffers are in
/// the machine's own byte order.
final class Image {
    /// Bytes of the length in front of a tree.
    static final int LENGTH = Integer.BYTES;

    /// The byte order of everything here.
    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /// No message here is larger.
    private static final int LARGEST = 1 << 26;

    private final Reusable serialized = new Reusable();

    /// Lends its bytes instead of copying them.
    private static final class Reusable extends ByteArrayOutputStream {
        private Reusable() {
            super(1 << 16);
        }

        private void putInto(ByteBuffer to) {
            to.putInt(count).put(buf, 0, count);
        }
    }

    /// A direct buffer for messages of up to so many bytes.
    static ByteBuffer buffer(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ORDER);
    }

    /// A buffer that holds `wanted` bytes: the one given, empty, or a larger one.
    static ByteBuffer atLeast(int wanted, ByteBuffer old) {
        return old.capacity() >= wanted
                ? old.clear()
                : buffer(Math.max(wanted, 2 * old.capacity()));
    }

    /// Bytes of this payload's next message, which has to be [#put] before anything else is asked.
    int size(Payload payload) throws IOException {
        if (payload instanceof Payload.Tree tree) {
            serialized.reset();
            try (var out = new ObjectOutputStream(serialized)) {
                out.writeObject(tree.root);
            }
            return LENGTH + serialized.size();
        }
        return (int) payload.bytes();
    }

    /// Writes the message, moving the buffer's position by its [#size].
    void put(Payload payload, ByteBuffer to) {
        switch (payload) {
            case Payload.Word word -> to.putLong(word.value);
            case Payload.Five five ->
                    to.putInt(five.a)
                            .putLong(five.b)
                            .putLong(five.c)
                            .putInt(five.d)
                            .putLong(five.e);
            case Payload.Bytes bytes -> to.put(bytes.data);
            case Payload.Ints ints -> {
                to.asIntBuffer().put(ints.data);
                to.position(to.position() + (int) ints.bytes());
            }
            case Payload.Doubles doubles -> {
                to.asDoubleBuffer().put(doubles.data);
                to.position(to.position() + (int) doubles.bytes());
            }
            case Payload.Tree _ -> serialized.putInto(to);
        }
    }

    /// How many bytes have to be there before [#body] can be told, or before [#get] where there is
    /// no length.
    static int head(Payload payload) {
        return payload instanceof Payload.Tree ? LENGTH : (int) payload.bytes();
    }

    /// Bytes that follow the head; 0 where the head is all.
    ///
    /// @param at where the head begins
    static int body(Payload payload, ByteBuffer from, int at) throws IOException {
        if (!(payload instanceof Payload.Tree)) {
            return 0;
        }
        int length = from.getInt(at);
        if (length < 0 || length > LARGEST) {
            throw new IOException("a tree of " + length + " bytes");
        }
        return length;
    }

    /// Reads the message, whole, head and body.
    static void get(Payload payload, ByteBuffer from) throws IOException {
        switch (payload) {
            case Payload.Word word -> word.value = from.getLong();
            case Payload.Five five -> {
                five.a = from.getInt();
                five.b = from.getLong();
                five.c = from.getLong();
                five.d = from.getInt();
                five.e = from.getLong();
            }
            case Payload.Bytes bytes -> from.get(bytes.data);
            case Payload.Ints ints -> from.asIntBuffer().get(ints.data);
            case Payload.Doubles doubles -> from.asDoubleBuffer().get(doubles.data);
            case Payload.Tree tree -> tree.root = tree(from);
        }
    }

    private static TreeNode tree(ByteBuffer from) throws IOException {
        var image = new byte[from.getInt()];
        from.get(image);
        try (var in = new ObjectInputStream(new ByteArrayInputStream(image))) {
            return (TreeNode) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
