package org.ibidem.serial.hook;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The numbers and texts of custom data, big endian as [java.io.DataInput] says.
abstract class HookNumbers extends ObjectInputStream {
    HookNumbers() throws IOException {}

    @Override
    public int read(byte[] bytes) throws IOException {
        return read(bytes, 0, bytes.length);
    }

    @Override
    public void readFully(byte[] bytes) throws IOException {
        readFully(bytes, 0, bytes.length);
    }

    @Override
    public void readFully(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        for (int done = 0; done < count; ) {
            int some = read(bytes, offset + done, count - done);
            if (some < 0) {
                throw new EOFException();
            }
            done += some;
        }
    }

    @Override
    public int skipBytes(int count) throws IOException {
        int done = 0;
        while (done < count && read() >= 0) {
            done++;
        }
        return done;
    }

    private long number(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << Byte.SIZE | readUnsignedByte();
        }
        return value;
    }

    @Override
    public boolean readBoolean() throws IOException {
        return readUnsignedByte() != 0;
    }

    @Override
    public byte readByte() throws IOException {
        return (byte) readUnsignedByte();
    }

    @Override
    public int readUnsignedByte() throws IOException {
        int value = read();
        if (value < 0) {
            throw new EOFException();
        }
        return value;
    }

    @Override
    public short readShort() throws IOException {
        return (short) number(Short.BYTES);
    }

    @Override
    public int readUnsignedShort() throws IOException {
        return (int) number(Short.BYTES);
    }

    @Override
    public char readChar() throws IOException {
        return (char) number(Character.BYTES);
    }

    @Override
    public int readInt() throws IOException {
        return (int) number(Integer.BYTES);
    }

    @Override
    public long readLong() throws IOException {
        return number(Long.BYTES);
    }

    @Override
    public float readFloat() throws IOException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws IOException {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester")
    public @Nullable String readLine() throws IOException {
        return new DataInputStream(this).readLine();
    }

    @Override
    public String readUTF() throws IOException {
        return DataInputStream.readUTF(this);
    }
}
