package mpjbuf;

/// Makes memory for buffers.
public final class BufferFactory {
    private BufferFactory() {}

    /// So many bytes.
    public static RawBuffer create(int capacity) {
        return new RawBuffer(capacity);
    }

    /// Nothing: memory frees itself.
    public static void destroy(RawBuffer buffer) {}
}
