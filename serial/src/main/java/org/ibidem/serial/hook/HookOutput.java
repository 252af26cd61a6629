package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectOutputStream;
import java.io.UTFDataFormatException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Tag;
import org.jspecify.annotations.Nullable;

/// What `writeObject` and `writeExternal` write to. Primitives gather in pieces of custom data, big
/// endian as [java.io.DataOutput] says; objects go into the graph.
public final class HookOutput extends ObjectOutputStream {
    private static final int PIECE = 1024;
    private static final int LONGEST_UTF = 0xFFFF;

    private final Encoder to;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE);
    private @Nullable Active active;

    /// What is being written.
    private static final class Active {
        final @Nullable LevelCodec stratum;
        final Object object;
        final int depth;
        final boolean custom;
        @Nullable Puts puts;
        boolean fieldsTaken;

        Active(@Nullable LevelCodec stratum, Object object, int depth, boolean custom) {
            this.stratum = stratum;
            this.object = object;
            this.depth = depth;
            this.custom = custom;
        }
    }

    private HookOutput(Encoder to) throws IOException {
        this.to = to;
    }

    /// The one of this encoder.
    static HookOutput of(Encoder to) throws IOException {
        if (to.attachment() instanceof HookOutput known) {
            return known;
        }
        var made = new HookOutput(to);
        to.attach(made);
        return made;
    }

    /// Lets a level's `writeObject` write.
    void custom(LevelCodec stratum, Object object, int depth, MethodHandle writer)
            throws IOException {
        var outer = enter(new Active(stratum, object, depth, true));
        try {
            Calls.write(writer, object, this);
            end();
        } finally {
            leave(outer);
        }
    }

    /// Lets an object write itself.
    void external(java.io.Externalizable object, int depth) throws IOException {
        var outer = enter(new Active(null, object, depth, true));
        try {
            object.writeExternal(this);
            end();
        } finally {
            leave(outer);
        }
    }

    /// Lets the JDK put the default fields of a level that is closed to us; they are not written
    /// yet, so that objects which nest in each other are not also inside what the JDK calls.
    Puts lent(LevelCodec stratum, Object object, int depth) throws IOException {
        var mine = new Active(stratum, object, depth, false);
        var outer = enter(mine);
        try {
            Calls.write(stratum.defaultWriter(), object, this);
            var puts = mine.puts;
            if (puts == null) {
                throw new IllegalStateException("no fields of " + stratum.level.type + " were put");
            }
            return puts;
        } finally {
            leave(outer);
        }
    }

    /// Asks the JDK for a default field of an object closed to us, writing nothing.
    public static @Nullable Object peek(
            Encoder to, Object object, String field, MethodHandle writer) throws IOException {
        var stream = of(to);
        var outer = stream.active;
        var mine = new Active(null, object, 0, false);
        var seen = new Peeked(field);
        mine.puts = seen;
        stream.active = mine;
        try {
            Calls.write(writer, object, stream);
            return seen.value;
        } finally {
            stream.active = outer;
        }
    }

    /// Remembers one of the fields put.
    private static final class Peeked extends Puts {
        private final String name;
        private @Nullable Object value;

        Peeked(String name) {
            super(java.util.List.of());
            this.name = name;
        }

        @Override
        void put(String field, char code, @Nullable Object given) {
            if (field.equals(name)) {
                value = given;
            }
        }

        @Override
        void writeTo(Encoder to, int depth) {
            // it was only asked for
        }
    }

    private @Nullable Active enter(Active next) throws IOException {
        var outer = active;
        flushPiece();
        active = next;
        return outer;
    }

    private void leave(@Nullable Active outer) {
        active = outer;
        piece.clear();
    }

    private void end() throws IOException {
        flushPiece();
        to.putByte(Tag.END);
    }

    private Active active() throws NotActiveException {
        var now = active;
        if (now == null) {
            throw new NotActiveException("not in call to writeObject");
        }
        return now;
    }

    private void flushPiece() throws IOException {
        if (piece.position() > 0) {
            to.putByte(Tag.CUSTOM);
            to.putCount(piece.position());
            to.putBytes(piece.array(), 0, piece.position());
            piece.clear();
        }
    }

    private ByteBuffer room(int bytes) throws IOException {
        if (active == null) {
            throw new NotActiveException("not in call to writeObject");
        }
        if (piece.remaining() < bytes) {
            flushPiece();
        }
        return piece;
    }

    @Override
    protected void writeObjectOverride(@Nullable Object object) throws IOException {
        var now = active();
        flushPiece();
        to.write(object, now.depth);
    }

    @Override
    public void writeUnshared(@Nullable Object object) throws IOException {
        var now = active();
        flushPiece();
        to.writeUnshared(object, now.depth);
    }

    @Override
    public void defaultWriteObject() throws IOException {
        var now = active();
        var stratum = stratum(now);
        take(now);
        flushPiece();
        if (stratum.fields != null) {
            to.putByte(Tag.FIELDS);
            stratum.writeFields(to, now.object, now.depth);
        } else {
            var puts = lent(stratum, now.object, now.depth);
            to.putByte(Tag.FIELDS);
            puts.writeTo(to, now.depth);
        }
    }

    /// The default fields are written by one of two ways, and once.
    private static void take(Active now) throws NotActiveException {
        if (now.fieldsTaken) {
            throw new NotActiveException("not in writeObject invocation or fields already written");
        }
        now.fieldsTaken = true;
    }

    private static LevelCodec stratum(Active now) throws NotActiveException {
        if (now.stratum == null) {
            throw new NotActiveException("not in call to writeObject");
        }
        return now.stratum;
    }

    @Override
    public PutField putFields() throws IOException {
        var now = active();
        var puts = now.puts;
        if (puts == null) {
            puts = new Puts(stratum(now).level.slots);
            take(now);
            now.puts = puts;
        }
        return puts;
    }

    @Override
    public void writeFields() throws IOException {
        var now = active();
        var puts = now.puts;
        if (puts == null) {
            throw new NotActiveException("no current PutField object");
        }
        if (now.custom) { // else whoever lends them goes on
            flushPiece();
            to.putByte(Tag.FIELDS);
            puts.writeTo(to, now.depth);
        }
    }

    @Override
    public void reset() throws IOException {
        throw new IOException("stream active");
    }

    @Override
    public void write(int value) throws IOException {
        room(1).put((byte) value);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        java.util.Objects.checkFromIndexSize(offset, count, bytes.length);
        if (count <= PIECE) {
            room(count).put(bytes, offset, count);
        } else {
            active();
            flushPiece();
            to.putByte(Tag.CUSTOM);
            to.putCount(count);
            to.putBytes(bytes, offset, count);
        }
    }

    @Override
    public void writeBoolean(boolean value) throws IOException {
        write(value ? 1 : 0);
    }

    @Override
    public void writeByte(int value) throws IOException {
        write(value);
    }

    @Override
    public void writeShort(int value) throws IOException {
        room(Short.BYTES).putShort((short) value);
    }

    @Override
    public void writeChar(int value) throws IOException {
        room(Character.BYTES).putChar((char) value);
    }

    @Override
    public void writeInt(int value) throws IOException {
        room(Integer.BYTES).putInt(value);
    }

    @Override
    public void writeLong(long value) throws IOException {
        room(Long.BYTES).putLong(value);
    }

    @Override
    public void writeFloat(float value) throws IOException {
        room(Float.BYTES).putFloat(value);
    }

    @Override
    public void writeDouble(double value) throws IOException {
        room(Double.BYTES).putDouble(value);
    }

    @Override
    public void writeBytes(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            write(text.charAt(i));
        }
    }

    @Override
    public void writeChars(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            writeChar(text.charAt(i));
        }
    }

    /// Modified UTF-8, as [java.io.DataOutput] says.
    @Override
    public void writeUTF(String text) throws IOException {
        if (text.length() > LONGEST_UTF) {
            throw tooLong();
        }
        var bytes = new java.io.ByteArrayOutputStream(text.length() + Short.BYTES);
        try (var data = new java.io.DataOutputStream(bytes)) {
            data.writeUTF(text);
        } catch (UTFDataFormatException e) {
            throw tooLong();
        }
        write(bytes.toByteArray());
    }

    private static UTFDataFormatException tooLong() {
        return new UTFDataFormatException(
                "a string of more than " + LONGEST_UTF + " bytes; write it as an object");
    }

    @Override
    public void flush() {
        // the message decides when bytes travel
    }

    @Override
    protected void drain() {
        // nothing is drained by halves
    }

    @Override
    public void close() {
        // belongs to the message
    }

    @Override
    public void useProtocolVersion(int version) {
        // one of the JDK's stream; it has no meaning here
    }
}
