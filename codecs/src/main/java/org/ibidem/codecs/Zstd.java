package org.ibidem.codecs;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.ibidem.codec.Codec;
import org.jspecify.annotations.Nullable;

/// The codec `zstd` (RFC 8878), by zstd-jni. A block is a frame without its magic number, content
/// size, dictionary and sum; so no older format and no frame to be skipped can be meant.
///
/// Levels 1 to 9, and -1 to -50: the fast ones, of which lower numbers are faster.
public final class Zstd implements Codec {
    private static final double MB = 1e6;
    private static final int FASTEST = -50;
    private static final int HARDEST = 9;

    /// The sources of a JDK, in blocks of 128 KiB, on a core of 3 GHz.
    private static final List<Level> LEVELS =
            List.of(
                    new Level(-50, 950 * MB, 1.6),
                    new Level(-7, 600 * MB, 3.2),
                    new Level(1, 500 * MB, 4.9),
                    new Level(3, 410 * MB, 5.2),
                    new Level(6, 105 * MB, 5.6),
                    new Level(9, 35 * MB, 5.8));

    private final Library library;

    /// Found by its `provides` line.
    public Zstd() {
        this(Library.SHARED);
    }

    Zstd(Library library) {
        this.library = library;
    }

    @Override
    public int number() {
        return 3;
    }

    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public List<Level> levels() {
        return LEVELS;
    }

    @Override
    public @Nullable String objection() {
        return library.objection();
    }

    @Override
    public Encoder encoder(int level) {
        if (level == 0 || level < FASTEST || level > HARDEST) {
            throw new IllegalArgumentException(
                    "zstd has the levels 1 to %d, and -1 to %d for more speed, not %d"
                            .formatted(HARDEST, FASTEST, level));
        }
        library.require();
        return new Encoding(
                new ZstdCompressCtx()
                        .setLevel(level)
                        .setMagicless(true)
                        .setContentSize(false)
                        .setDictID(false)
                        .setChecksum(false));
    }

    @Override
    public Decoder decoder() {
        library.require();
        return new Decoding(new ZstdDecompressCtx().setMagicless(true));
    }

    private record Encoding(ZstdCompressCtx context) implements Encoder {
        @Override
        public boolean encode(ByteBuffer from, ByteBuffer to) {
            try {
                int size =
                        context.compressDirectByteBuffer(
                                to,
                                to.position(),
                                to.remaining(),
                                from,
                                from.position(),
                                from.remaining());
                from.position(from.limit());
                to.position(to.position() + size);
                return true;
            } catch (ZstdException e) {
                if (e.getErrorCode() == com.github.luben.zstd.Zstd.errDstSizeTooSmall()) {
                    return false;
                }
                throw e;
            }
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /// Straight into the buffer, which is all the memory that a frame gets, whatever window and
    /// size it says to need.
    private record Decoding(ZstdDecompressCtx context) implements Decoder {
        @Override
        public void decode(ByteBuffer from, ByteBuffer to) throws IOException {
            int size;
            try {
                size =
                        context.decompressDirectByteBuffer(
                                to,
                                to.position(),
                                to.remaining(),
                                from,
                                from.position(),
                                from.remaining());
            } catch (ZstdException e) {
                throw new IOException("a block of zstd was altered: " + e.getMessage(), e);
            }
            if (size != to.remaining()) {
                throw new IOException("a block of zstd has another length than it says");
            }
            from.position(from.limit());
            to.position(to.limit());
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
