package org.ibidem.serial;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Source;
import org.jspecify.annotations.Nullable;

/// Reads object graphs that [ObjectWriter] wrote. Only classes are let in that the policy allows.
/// Not for two threads.
public final class ObjectReader implements AutoCloseable {
    private final Decoder decoder;
    private final ObjectWriter.Closing end;
    private boolean broken;

    private ObjectReader(Source source, ObjectPolicy policy, ObjectWriter.Closing end) {
        this(Codecs.STANDARD, source, policy, end);
    }

    ObjectReader(Codecs codecs, Source source, ObjectPolicy policy, ObjectWriter.Closing end) {
        this.decoder = new Decoder(codecs, source, policy.gate(), false);
        this.end = end;
    }

    /// Reads from a stream, perhaps more than the graphs asked for; closing closes it.
    public static ObjectReader from(InputStream stream, ObjectPolicy policy) {
        return new ObjectReader(new FromStream(stream), policy, stream::close);
    }

    /// Reads from a channel that blocks, perhaps more than the graphs asked for; closing closes it.
    public static ObjectReader from(ReadableByteChannel channel, ObjectPolicy policy) {
        return new ObjectReader(new FromChannel(channel), policy, channel::close);
    }

    /// Reads from memory.
    public static ObjectReader from(MemorySegment memory, ObjectPolicy policy) {
        return new ObjectReader(new FromMemory(memory), policy, () -> {});
    }

    /// Reads the next graph.
    ///
    /// @throws java.io.EOFException when there is none any more, or not all of it
    /// @throws java.io.WriteAbortedException when its writer failed; the next can be read
    /// @throws java.io.StreamCorruptedException when the bytes are no graph, with the number of the
    ///   byte where that was found and, as its cause, what it led to: then nothing more can be read
    /// @throws java.io.InvalidClassException when a class is not allowed, is another one here, or a
    ///   bound is passed: the same
    /// @throws IOException otherwise what the stream, or a method of a class such as `readObject`,
    ///   has thrown; a `RuntimeException` of these comes as it is, too
    /// @throws ClassNotFoundException when an allowed class is not there
    public @Nullable Object read() throws IOException, ClassNotFoundException {
        if (broken) {
            throw new IOException("an earlier graph could not be read, so its end is not known");
        }
        broken = true;
        try {
            var graph = decoder.readRoot();
            broken = false;
            return graph;
        } catch (java.io.WriteAbortedException e) {
            broken = false;
            throw e;
        } finally {
            decoder.endMessage();
        }
    }

    @Override
    public void close() throws IOException {
        decoder.close();
        end.close();
    }
}
