package org.ibidem.serial;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Sink;
import org.jspecify.annotations.Nullable;

/// Writes object graphs, one after the other, to a stream, a channel or memory; [ObjectReader]
/// reads them. Each class is described once, where the first of its objects comes. Not for two
/// threads.
///
/// ```java
/// try (var out = ObjectWriter.to(Files.newOutputStream(file))) {
///     out.write(order);
/// }
/// try (var in = ObjectReader.from(Files.newInputStream(file), policy.allow("com.example.**"))) {
///     var order = in.read();
/// }
/// ```
public final class ObjectWriter implements AutoCloseable {
    private final Encoder encoder;
    private final Closing end;
    private long before;

    /// What closing means.
    interface Closing {
        void close() throws IOException;
    }

    ObjectWriter(Codecs codecs, Sink sink, Closing end) {
        this.encoder = new Encoder(codecs, sink);
        this.end = end;
    }

    /// Writes to a stream, in pieces of some kilobytes; closing closes it.
    public static ObjectWriter to(OutputStream stream) {
        return new ObjectWriter(Codecs.STANDARD, new ToStream(stream), stream::close);
    }

    /// Writes to a channel that blocks; closing closes it.
    public static ObjectWriter to(WritableByteChannel channel) {
        return new ObjectWriter(Codecs.STANDARD, new ToChannel(channel), channel::close);
    }

    /// Writes into memory from its beginning; a graph that does not fit is refused with an
    /// [IOException], and so is whatever comes after it. How much was filled: [#bytesWritten].
    public static ObjectWriter to(MemorySegment memory) {
        return new ObjectWriter(Codecs.STANDARD, new ToMemory(memory), () -> {});
    }

    /// Writes one graph, and hands all of it over to where it goes. Handles do not outlive it.
    ///
    /// @throws java.io.NotSerializableException when an object in it cannot travel
    /// @throws IOException when the bytes cannot be taken or an object's own method fails
    public void write(@Nullable Object graph) throws IOException {
        try {
            encoder.writeMessage(graph);
        } finally {
            before += encoder.written();
        }
    }

    /// Bytes of all graphs so far.
    public long bytesWritten() {
        return before;
    }

    @Override
    public void close() throws IOException {
        end.close();
    }
}
