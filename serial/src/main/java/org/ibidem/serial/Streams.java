package org.ibidem.serial;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;

/// A sink and a source as the JDK's streams see them.
final class Streams {
    private Streams() {}

    /// Writes go on to a sink.
    static final class Out extends OutputStream {
        private final Sink sink;
        private final byte[] one = new byte[1];

        Out(Sink sink) {
            this.sink = sink;
        }

        @Override
        public void write(int value) throws IOException {
            one[0] = (byte) value;
            sink.write(one, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            Objects.checkFromIndexSize(offset, count, bytes.length);
            sink.write(bytes, offset, count);
        }
    }

    /// Reads what a source gives, up to the end of the graph.
    static final class In extends InputStream {
        private final Source source;
        private final byte[] one = new byte[1];

        In(Source source) {
            this.source = source;
        }

        @Override
        public int read() throws IOException {
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int offset, int count) throws IOException {
            Objects.checkFromIndexSize(offset, count, bytes.length);
            if (count == 0) {
                return 0;
            }
            try {
                return source.read(bytes, offset, 1, count);
            } catch (EOFException _) {
                return -1;
            }
        }
    }
}
