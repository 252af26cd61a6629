package org.ibidem.lab.model;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;

/// What a message may hold: how a value is made, written, and read when it is known what was
/// written.
@SuppressWarnings("ImmutableEnumChecker") // functions without state
enum Kind {
    BYTE(
            Data.BYTES,
            r -> (byte) r.nextInt(),
            (m, v) -> m.writeByte((byte) v),
            (m, _) -> m.readByte()),
    BYTES(
            Data.BYTES,
            r -> bytes(r, 300),
            (m, v) -> m.writeArray((byte[]) v),
            (m, v) -> {
                var got = new byte[((byte[]) v).length];
                m.readArray(got);
                return got;
            }),
    /// Written from a buffer, read as an array.
    BUFFER(
            Data.BYTES,
            r -> bytes(r, 40),
            (m, v) -> m.write(ByteBuffer.wrap((byte[]) v)),
            (m, v) -> {
                var got = new byte[((byte[]) v).length];
                m.readArray(got);
                return got;
            }),
    BOOLEAN(
            Data.DATA,
            RandomGenerator::nextBoolean,
            (m, v) -> m.writeBoolean((boolean) v),
            (m, _) -> m.readBoolean()),
    SHORT(
            Data.DATA,
            r -> (short) r.nextInt(),
            (m, v) -> m.writeShort((short) v),
            (m, _) -> m.readShort()),
    CHAR(
            Data.DATA,
            r -> (char) r.nextInt(),
            (m, v) -> m.writeChar((char) v),
            (m, _) -> m.readChar()),
    INT(Data.DATA, RandomGenerator::nextInt, (m, v) -> m.writeInt((int) v), (m, _) -> m.readInt()),
    LONG(
            Data.DATA,
            RandomGenerator::nextLong,
            (m, v) -> m.writeLong((long) v),
            (m, _) -> m.readLong()),
    FLOAT(
            Data.DATA,
            RandomGenerator::nextFloat,
            (m, v) -> m.writeFloat((float) v),
            (m, _) -> m.readFloat()),
    DOUBLE(
            Data.DATA,
            RandomGenerator::nextDouble,
            (m, v) -> m.writeDouble((double) v),
            (m, _) -> m.readDouble()),
    INTS(
            Data.DATA,
            r -> r.ints(r.nextInt(100)).toArray(),
            (m, v) -> m.writeArray((int[]) v),
            (m, v) -> {
                var got = new int[((int[]) v).length];
                m.readArray(got, 0, got.length);
                return got;
            }),
    /// Read in two parts.
    DOUBLES(
            Data.DATA,
            r -> r.doubles(r.nextInt(60)).toArray(),
            (m, v) -> m.writeArray((double[]) v),
            (m, v) -> {
                var got = new double[((double[]) v).length];
                int first = got.length / 3;
                if (first > 0) { // to read none of it is to read an empty array
                    m.readArray(got, 0, first);
                }
                m.readArray(got, first, got.length - first);
                return got;
            }),
    STRING(
            Data.DATA,
            r -> "Δ€𝄞".repeat(r.nextInt(8)) + r.nextInt(),
            (m, v) -> m.writeString((String) v),
            (m, _) -> m.readString()),
    OBJECT(
            Data.OBJECT,
            r ->
                    new ArrayList<>(
                            List.of(
                                    r.nextInt(),
                                    "b" + r.nextInt(),
                                    BigInteger.valueOf(r.nextLong()))),
            WriteMessage::writeObject,
            (m, _) -> m.readObject()),
    /// Written as an array, read as an object.
    LONGS(
            Data.OBJECT,
            r -> r.longs(r.nextInt(50)).toArray(),
            (m, v) -> m.writeArray((long[]) v),
            (m, _) -> m.readObject());

    private final Data least;
    private final Function<RandomGenerator, Object> maker;
    private final BiConsumer<WriteMessage, Object> writer;
    private final BiFunction<ReadMessage, Object, Object> reader;

    Kind(
            Data least,
            Function<RandomGenerator, Object> maker,
            BiConsumer<WriteMessage, Object> writer,
            BiFunction<ReadMessage, Object, Object> reader) {
        this.least = least;
        this.maker = maker;
        this.writer = writer;
        this.reader = reader;
    }

    private static byte[] bytes(RandomGenerator random, int most) {
        var bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Some kind that this port type carries; to read an array as an object takes tags.
    static Kind some(RandomGenerator random, PortType type) {
        var all =
                Stream.of(values())
                        .filter(kind -> kind.least.compareTo(type.data()) <= 0)
                        .filter(kind -> kind != LONGS || !type.has(Capability.UNCHECKED))
                        .toList();
        return all.get(random.nextInt(all.size()));
    }

    Object make(RandomGenerator random) {
        return maker.apply(random);
    }

    void write(WriteMessage message, Object value) {
        writer.accept(message, value);
    }

    Object read(ReadMessage message, Object written) {
        return reader.apply(message, written);
    }
}
