package org.ibidem.port;

import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;

/// A kind of primitive, written and read as what it has of a long.
@SuppressWarnings("ImmutableEnumChecker") // what it holds are functions without state
enum Primitive {
    BOOLEAN(1, v -> v & 1, (m, v) -> m.writeBoolean(v != 0), m -> m.readBoolean() ? 1 : 0),
    BYTE(1, v -> (byte) v, (m, v) -> m.writeByte((byte) (long) v), ReadMessage::readByte),
    CHAR(2, v -> (char) v, (m, v) -> m.writeChar((char) (long) v), ReadMessage::readChar),
    SHORT(2, v -> (short) v, (m, v) -> m.writeShort((short) (long) v), ReadMessage::readShort),
    INT(4, v -> (int) v, (m, v) -> m.writeInt((int) (long) v), ReadMessage::readInt),
    FLOAT(4, v -> (short) v, (m, v) -> m.writeFloat(v), m -> (long) m.readFloat()),
    LONG(8, v -> v, WriteMessage::writeLong, ReadMessage::readLong),
    DOUBLE(8, v -> (int) v, (m, v) -> m.writeDouble(v), m -> (long) m.readDouble());

    private final int size;
    private final LongUnaryOperator part;
    private final BiConsumer<WriteMessage, Long> writing;
    private final ToLongFunction<ReadMessage> reading;

    Primitive(
            int size,
            LongUnaryOperator part,
            BiConsumer<WriteMessage, Long> writing,
            ToLongFunction<ReadMessage> reading) {
        this.size = size;
        this.part = part;
        this.writing = writing;
        this.reading = reading;
    }

    /// Bytes of a value.
    int size() {
        return size;
    }

    /// What it has of a long.
    long of(long value) {
        return part.applyAsLong(value);
    }

    void write(WriteMessage message, long value) {
        writing.accept(message, of(value));
    }

    long read(ReadMessage message) {
        return reading.applyAsLong(message);
    }

    /// As messages to people name it.
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
