package org.ibidem.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A link that carries bytes without borders: TCP, a routed connection, TLS over either. Never
/// blocks.
///
/// The two directions are independent: one thread may write while another reads. Buffers are
/// direct.
public non-sealed interface ByteStream extends Link {
    /// Takes what it can of `from`, moving its position.
    ///
    /// @return bytes taken; 0: BUSY
    int write(ByteBuffer from) throws IOException;

    /// Hands on what it keeps of the bytes it took, as the rest of a block: they reach the peer
    /// without another [#write]. Whoever stands over another stream flushes that one, too. To be
    /// called at the end of a message, not after each write.
    ///
    /// @return false: BUSY, some are still here, call again
    default boolean flush() throws IOException {
        return true;
    }

    /// Reads what is there into `into`, moving its position.
    ///
    /// @return bytes read; 0: nothing there now; -1: the peer ended its direction
    int read(ByteBuffer into) throws IOException;

    /// How to sleep until [#read] has something, or null where one can only look.
    @Nullable Waitable readable();

    /// How to sleep until [#write] takes something, or null where one can only look.
    @Nullable Waitable writable();
}
