package org.ibidem.lab.bench.serial;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.ibidem.serial.GeneratedSerializer;
import org.ibidem.serial.ObjectIn;
import org.ibidem.serial.ObjectOut;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;
import org.jspecify.annotations.Nullable;

/// Ours, as on a connection: one message for each graph, and classes are described in the first.
final class IbidemCoder implements Coder {
    private static final int ROOM = 64 << 20;

    private final byte[] buffer = new byte[ROOM];
    private final MemorySegment memory = MemorySegment.ofArray(buffer);
    private final Into into = new Into();
    private final OutOf outOf = new OutOf();
    private final GeneratedSerializer serializer = new GeneratedSerializer();
    private final ObjectOut out = serializer.out(into);
    private final ObjectIn in =
            serializer.in(
                    outOf,
                    ObjectPolicy.NOTHING_BUT_VALUES
                            .allow("org.ibidem.lab.bench.serial.*")
                            .allow("java.util.*"));

    @Override
    public int write(Object graph) throws IOException {
        into.position = 0;
        out.write(graph);
        out.endMessage();
        return into.position;
    }

    @Override
    public @Nullable Object read() throws IOException, ClassNotFoundException {
        outOf.position = 0;
        var graph = in.read();
        in.endMessage();
        return graph;
    }

    private final class Into implements Sink {
        private int position;

        @Override
        public void write(byte[] bytes, int offset, int count) {
            System.arraycopy(bytes, offset, buffer, position, count);
            position += count;
        }

        @Override
        public void writeArray(PrimitiveArray kind, Object array, int offset, int count) {
            kind.store(array, offset, memory, position, count);
            position += count * kind.size();
        }

        @Override
        public void amend(byte first) {
            buffer[0] = first;
        }
    }

    private final class OutOf implements Source {
        private int position;

        @Override
        public int read(byte[] bytes, int offset, int least, int most) throws EOFException {
            int some = Math.min(most, into.position - position);
            if (some < least) {
                throw new EOFException();
            }
            System.arraycopy(buffer, position, bytes, offset, some);
            position += some;
            return some;
        }

        @Override
        public void readArray(PrimitiveArray kind, Object array, int offset, int count) {
            kind.load(memory, position, array, offset, count);
            position += count * kind.size();
        }
    }
}
