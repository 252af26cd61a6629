package mpjbuf;

/// Memory of a [Buffer]; made by [BufferFactory].
public final class RawBuffer {
    private final byte[] bytes;

    RawBuffer(int capacity) {
        this.bytes = new byte[capacity];
    }

    byte[] bytes() {
        return bytes;
    }

    /// How many bytes there are.
    public int getCapacity() {
        return bytes.length;
    }

    /// Nothing: memory frees itself.
    public void free() {}
}
