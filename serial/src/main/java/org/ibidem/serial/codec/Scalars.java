package org.ibidem.serial.codec;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Date;
import java.util.UUID;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Numbers, times and names of the JDK: a few primitives each. The times are values without
/// identity by their own word.
@SuppressWarnings("JavaUtilDate") // others use it
final class Scalars {
    private Scalars() {}

    static @Nullable Codec of(int tag) {
        return switch (tag) {
            case 50 -> id(tag);
            case 51 ->
                    new Scalar<>(
                            tag, BigInteger.class, Codec.SHARED, Scalars::number, Scalars::number);
            case 52 -> decimal(tag);
            case 53 -> instant(tag);
            case 54 -> duration(tag);
            case 55 ->
                    new Scalar<>(tag, LocalDate.class, Codec.VALUE, Scalars::date, Scalars::date);
            case 56 ->
                    new Scalar<>(
                            tag,
                            LocalTime.class,
                            Codec.VALUE,
                            (to, time) -> to.putLong(time.toNanoOfDay()),
                            from -> LocalTime.ofNanoOfDay(from.getLong()));
            case 57 -> dateAndTime(tag);
            case 58 ->
                    new Scalar<>(
                            tag,
                            Date.class,
                            Codec.SHARED,
                            (to, time) -> to.putLong(time.getTime()),
                            from -> new Date(from.getLong()));
            default -> null;
        };
    }

    private static Codec id(int tag) {
        return new Scalar<>(
                tag,
                UUID.class,
                Codec.SHARED,
                (to, id) -> {
                    to.putLong(id.getMostSignificantBits());
                    to.putLong(id.getLeastSignificantBits());
                },
                from -> new UUID(from.getLong(), from.getLong()));
    }

    private static Codec decimal(int tag) {
        return new Scalar<>(
                tag,
                BigDecimal.class,
                Codec.SHARED,
                (to, number) -> {
                    to.putInt(number.scale());
                    number(to, number.unscaledValue());
                },
                from -> {
                    int scale = from.getInt();
                    return new BigDecimal(number(from), scale);
                });
    }

    private static Codec instant(int tag) {
        return new Scalar<>(
                tag,
                Instant.class,
                Codec.VALUE,
                (to, time) -> {
                    to.putLong(time.getEpochSecond());
                    to.putInt(time.getNano());
                },
                from -> Instant.ofEpochSecond(from.getLong(), from.getInt()));
    }

    private static Codec duration(int tag) {
        return new Scalar<>(
                tag,
                Duration.class,
                Codec.VALUE,
                (to, time) -> {
                    to.putLong(time.getSeconds());
                    to.putInt(time.getNano());
                },
                from -> Duration.ofSeconds(from.getLong(), from.getInt()));
    }

    private static Codec dateAndTime(int tag) {
        return new Scalar<>(
                tag,
                LocalDateTime.class,
                Codec.VALUE,
                (to, time) -> {
                    date(to, time.toLocalDate());
                    to.putLong(time.toLocalTime().toNanoOfDay());
                },
                from -> LocalDateTime.of(date(from), LocalTime.ofNanoOfDay(from.getLong())));
    }

    private static void number(Encoder to, BigInteger number) throws IOException {
        var bytes = number.toByteArray();
        to.putCount(bytes.length);
        to.putBytes(bytes, 0, bytes.length);
    }

    private static BigInteger number(Decoder from) throws IOException {
        int length = from.getCount();
        from.array(byte[].class, length, 1);
        if (length == 0) {
            throw from.corrupt("a number of no bytes");
        }
        var bytes = new byte[length];
        from.getBytes(bytes, 0, length);
        from.cost(Decoder.costOfNumber(length));
        return new BigInteger(bytes);
    }

    private static void date(Encoder to, LocalDate date) throws IOException {
        to.putInt(date.getYear());
        to.putByte(date.getMonthValue());
        to.putByte(date.getDayOfMonth());
    }

    private static LocalDate date(Decoder from) throws IOException {
        return LocalDate.of(from.getInt(), from.getUnsigned(), from.getUnsigned());
    }

    /// Writes the parts of a value.
    private interface Writer<T> {
        void write(Encoder to, T value) throws IOException;
    }

    /// Makes a value of its parts.
    private interface Reader<T> {
        T read(Decoder from) throws IOException;
    }

    private static final class Scalar<T> extends Builtin {
        private final Class<T> kind;
        private final Writer<T> writer;
        private final Reader<T> reader;

        Scalar(int tag, Class<T> kind, int mode, Writer<T> writer, Reader<T> reader) {
            super(tag, kind, mode);
            this.kind = kind;
            this.writer = writer;
            this.reader = reader;
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            writer.write(to, kind.cast(object));
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            try {
                from.cost(0);
                var value = reader.read(from);
                if (mode == SHARED) {
                    from.cost(from.register(value), from.cost());
                }
                return value;
            } catch (DateTimeException | ArithmeticException e) {
                throw (IOException) from.invalid(e.getMessage()).initCause(e);
            }
        }
    }
}
