package mpjbuf;

import org.jspecify.annotations.Nullable;

/// A buffer is full, has come to its end, or holds something else.
public class BufferException extends Exception {
    private static final long serialVersionUID = 1L;

    /// Without a reason.
    public BufferException() {}

    /// @param message the reason
    public BufferException(@Nullable String message) {
        super(message);
    }

    /// @param message the reason
    /// @param cause what it came from
    public BufferException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
