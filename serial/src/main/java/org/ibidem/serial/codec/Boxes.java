package org.ibidem.serial.codec;

import java.io.IOException;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Boxed primitives: values without identity.
final class Boxes {
    private Boxes() {}

    static @Nullable Codec of(int tag) {
        return switch (tag) {
            case 16 -> new OfBoolean();
            case 17 -> new OfByte();
            case 18 -> new OfShort();
            case 19 -> new OfCharacter();
            case 20 -> new OfInteger();
            case 21 -> new OfLong();
            case 22 -> new OfFloat();
            case 23 -> new OfDouble();
            default -> null;
        };
    }

    private static final class OfBoolean extends Builtin {
        OfBoolean() {
            super(16, Boolean.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putByte((Boolean) object ? 1 : 0);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return from.getByte() != 0;
        }
    }

    private static final class OfByte extends Builtin {
        OfByte() {
            super(17, Byte.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putByte((Byte) object);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return from.getByte();
        }
    }

    private static final class OfShort extends Builtin {
        OfShort() {
            super(18, Short.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putShort((Short) object);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return from.getShort();
        }
    }

    private static final class OfCharacter extends Builtin {
        OfCharacter() {
            super(19, Character.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putShort((Character) object);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return (char) from.getShort();
        }
    }

    private static final class OfInteger extends Builtin {
        OfInteger() {
            super(20, Integer.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putInt((Integer) object);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return from.getInt();
        }
    }

    private static final class OfLong extends Builtin {
        OfLong() {
            super(21, Long.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putLong((Long) object);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return from.getLong();
        }
    }

    private static final class OfFloat extends Builtin {
        OfFloat() {
            super(22, Float.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putInt(Float.floatToRawIntBits((Float) object));
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return Float.intBitsToFloat(from.getInt());
        }
    }

    private static final class OfDouble extends Builtin {
        OfDouble() {
            super(23, Double.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            to.putLong(Double.doubleToRawLongBits((Double) object));
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            return Double.longBitsToDouble(from.getLong());
        }
    }
}
