package org.ibidem.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A way to make blocks of bytes smaller; found by its `provides` line. Blocks know nothing of each
/// other, so several can be made at once. Stateless: what keeps state are its encoders and
/// decoders.
public interface Codec {
    /// What stands for it in formats: 1 to 255, for ever.
    int number();

    /// Its name, as it is written in stacks.
    String name();

    /// Its levels worth choosing from by measuring, the fastest first.
    List<Level> levels();

    /// Why it cannot be used in this process, as code that may not be loaded; null: it can.
    /// Whatever it has to load it loads when this is asked first, which may take some milliseconds.
    default @Nullable String objection() {
        return null;
    }

    /// One of its levels, and what it usually does to text: where nothing was measured yet, only
    /// the proportions between levels count.
    ///
    /// @param number as the codec's own documentation has it
    /// @param rate bytes a second that it takes in, on one core
    /// @param ratio bytes taken in for each that it gives
    record Level(int number, double rate, double ratio) {}

    /// Makes blocks smaller; one thread at a time.
    ///
    /// @param level any number that the codec knows, also one that is not among [#levels]
    /// @throws IllegalArgumentException when there is no such level; the message says which there
    ///   are
    Encoder encoder(int level);

    /// Makes them what they were; one thread at a time.
    Decoder decoder();

    /// Of one level; holds memory until it is closed.
    interface Encoder extends AutoCloseable {
        /// Encodes all of `from`, moving both positions.
        ///
        /// @param from a direct buffer
        /// @param to a direct buffer; with less room than `from` has bytes, where more would not
        ///   pay
        /// @return false: it does not fit; where the buffers stand then means nothing
        boolean encode(ByteBuffer from, ByteBuffer to);

        @Override
        void close();
    }

    /// Takes back what any level did; holds memory until it is closed.
    interface Decoder extends AutoCloseable {
        /// Decodes all of `from` and fills all of `to`. Never needs more memory than that of `to`
        /// and a fixed amount, whatever the bytes say.
        ///
        /// @throws IOException when these bytes are none of this codec's, or do not fill `to` and
        ///   no more
        void decode(ByteBuffer from, ByteBuffer to) throws IOException;

        @Override
        void close();
    }
}
