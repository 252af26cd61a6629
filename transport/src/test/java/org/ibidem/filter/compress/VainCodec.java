package org.ibidem.filter.compress;

import java.nio.ByteBuffer;
import java.util.List;
import org.ibidem.codec.Codec;

/// Finds nothing smaller.
///
/// @param work what it does about that, for each block
record VainCodec(int number, String name, Runnable work) implements Codec {
    @Override
    public List<Level> levels() {
        return List.of(new Level(1, 1, 2));
    }

    @Override
    public Encoder encoder(int level) {
        return new Encoder() {
            @Override
            public boolean encode(ByteBuffer from, ByteBuffer to) {
                work.run();
                return false;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Decoder decoder() {
        throw new AssertionError("nothing was encoded");
    }
}
