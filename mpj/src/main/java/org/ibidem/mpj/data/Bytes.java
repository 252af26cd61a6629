package org.ibidem.mpj.data;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Bytes in memory that grow as they are written.
final class Bytes extends OutputStream {
    private static final int SMALLEST = 512;
    private static final int MOST = Integer.MAX_VALUE - 8;

    private byte[] bytes;
    private int size;

    /// With so many zeros at the beginning.
    Bytes(int zeros) {
        this.bytes = new byte[Math.addExact(zeros, SMALLEST)];
        this.size = zeros;
    }

    /// How many there are.
    int size() {
        return size;
    }

    /// They, and what room there is beyond.
    MemorySegment memory() {
        return MemorySegment.ofArray(bytes);
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int count) throws IOException {
        if (count > MOST - size) {
            throw new IOException("the objects of one message take more than 2 GiB");
        }
        if (count > bytes.length - size) {
            bytes =
                    Arrays.copyOf(
                            bytes,
                            (int) Math.min(MOST, Math.max(2L * bytes.length, size + (long) count)));
        }
        System.arraycopy(from, offset, bytes, size, count);
        size += count;
    }
}
