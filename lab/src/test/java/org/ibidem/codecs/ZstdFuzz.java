package org.ibidem.codecs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.ibidem.codec.Codec;

/// Whatever comes as a block of zstd: it fills what it was given or is refused, and touches nothing
/// beside it; and it grows to what it was, when it is made smaller itself.
///
/// The last two bytes say how much it is to fill; vectors begin with the header of a block, which
/// is tried with and without.
public final class ZstdFuzz {
    private static final int HEADER = 8;
    private static final int GUARD = 32;
    private static final byte UNTOUCHED = 0x5A;
    private static final Codec ZSTD = new Zstd();
    private static final Codec.Decoder DECODER = ZSTD.decoder();
    private static final List<Codec.Encoder> ENCODERS =
            List.of(ZSTD.encoder(-7), ZSTD.encoder(1), ZSTD.encoder(6));

    private ZstdFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 3) {
            return;
        }
        int size = 1 + (input[input.length - 1] & 0xFF) + ((input[input.length - 2] & 0xFF) << 8);
        var block = ByteBuffer.allocateDirect(input.length).put(input).flip();
        decode(block, size);
        decode(block, 72);
        if (input.length > HEADER) {
            decode(block.slice(HEADER, input.length - HEADER), 72);
        }
        ENCODERS.forEach(encoder -> thereAndBack(encoder, block));
    }

    private static void decode(ByteBuffer block, int size) {
        var all = ByteBuffer.allocateDirect(GUARD + size + GUARD);
        while (all.hasRemaining()) {
            all.put(UNTOUCHED);
        }
        var from = block.duplicate();
        var to = all.slice(GUARD, size);
        try {
            DECODER.decode(from, to);
            if (to.hasRemaining() || from.hasRemaining()) {
                throw new AssertionError("taken, and not filled: " + to + " from " + from);
            }
        } catch (IOException _) {
            // refused
        }
        for (int i = 0; i < GUARD; i++) {
            if (all.get(i) != UNTOUCHED || all.get(GUARD + size + i) != UNTOUCHED) {
                throw new AssertionError("written beside what it was given");
            }
        }
    }

    private static void thereAndBack(Codec.Encoder encoder, ByteBuffer bytes) {
        var made = ByteBuffer.allocateDirect(bytes.remaining() + HEADER + GUARD);
        if (!encoder.encode(bytes.duplicate(), made)) {
            throw new AssertionError("it grew by more than the head of a frame");
        }
        var back = ByteBuffer.allocateDirect(bytes.remaining());
        try {
            DECODER.decode(made.flip(), back);
        } catch (IOException e) {
            throw new AssertionError("its own block is refused", e);
        }
        if (!back.flip().equals(bytes)) {
            throw new AssertionError("other bytes came back");
        }
    }
}
