package org.ibidem.serial;

import java.io.IOException;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;
import org.jspecify.annotations.Nullable;

/// The serializer `object`: code generated for each class.
public class GeneratedSerializer implements Serializer {
    private final String name;
    private final Codecs codecs;

    /// Found by its `provides` line.
    public GeneratedSerializer() {
        this("object", Codecs.STANDARD);
    }

    GeneratedSerializer(String name, Codecs codecs) {
        this.name = name;
        this.codecs = codecs;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final ObjectOut out(Sink sink) {
        return new Out(new Encoder(codecs, sink));
    }

    @Override
    public final ObjectIn in(Source source, ObjectPolicy policy) {
        return new In(new Decoder(codecs, source, policy.gate(), true));
    }

    private record Out(Encoder encoder) implements ObjectOut {
        @Override
        public void write(@Nullable Object graph) throws IOException {
            encoder.writeRoot(graph);
        }

        @Override
        public void reset() throws IOException {
            encoder.reset();
        }

        @Override
        public void endMessage() {
            encoder.endMessage();
        }

        @Override
        public void introduce() throws IOException {
            encoder.introduce();
        }
    }

    private record In(Decoder decoder) implements ObjectIn {
        @Override
        public @Nullable Object read() throws IOException, ClassNotFoundException {
            return decoder.readRoot();
        }

        @Override
        public void endMessage() {
            decoder.endMessage();
        }

        @Override
        public void describe(byte[] description) {
            decoder.describe(description);
        }
    }
}
