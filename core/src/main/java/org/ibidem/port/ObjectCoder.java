package org.ibidem.port;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.config.Services;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.Serializer;
import org.jspecify.annotations.Nullable;

/// Objects inside messages: a graph is a row of pieces, each 4 bytes of length (more than 0) and so
/// many bytes, and a length of 0 at the end. So a reader that fails inside a graph can still find
/// its end.
final class ObjectCoder {
    private static final int PIECE = 8 << 10;

    private final @Nullable Serializer serializer;
    private final ObjectPolicy policy;

    private ObjectCoder(@Nullable Serializer serializer, ObjectPolicy policy) {
        this.serializer = serializer;
        this.policy = policy;
    }

    static ObjectCoder of(PortType type, ObjectPolicy policy) {
        if (type.objects().equals(PortType.NO_OBJECTS)) {
            return new ObjectCoder(null, policy);
        }
        var found = Services.of(Serializer.class);
        for (var serializer : found) {
            if (serializer.name().equals(type.objects())) {
                return new ObjectCoder(serializer, policy);
            }
        }
        throw new IllegalArgumentException(
                "no serializer '"
                        + type.objects()
                        + "'; known: "
                        + found.stream()
                                .map(Serializer::name)
                                .sorted()
                                .collect(Collectors.joining(", ")));
    }

    private Serializer required() {
        if (serializer == null) {
            throw new ObjectRefused(
                    "this port's type carries no objects; use PortType.objects(\"jdk\")");
        }
        return serializer;
    }

    void write(@Nullable Object graph, WriteMessage message) {
        var pieces = new Pieces(message);
        try {
            required().write(graph, pieces);
            pieces.end();
        } catch (IOException e) {
            throw new ObjectRefused("the object cannot be sent: " + e, e);
        }
    }

    @Nullable Object read(ReadMessage message) {
        var pieces = new JoinedPieces(message);
        try {
            var graph = required().read(pieces, policy);
            pieces.skipRest();
            return graph;
        } catch (IOException | ClassNotFoundException e) {
            pieces.skipRest();
            throw new ObjectRefused(
                    "the object at byte " + pieces.began + " of the message cannot be read: " + e,
                    e);
        } catch (IbidemException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            pieces.skipRest(); // hostile bytes make readObject methods of the JDK throw anything
            throw new ObjectRefused(
                    "the object at byte " + pieces.began + " of the message cannot be read: " + e,
                    e);
        }
    }

    private static final class Pieces extends OutputStream {
        private final WriteMessage message;
        private final byte[] piece = new byte[PIECE];
        private int filled;

        Pieces(WriteMessage message) {
            this.message = message;
        }

        @Override
        public void write(int value) {
            if (filled == PIECE) {
                flush();
            }
            piece[filled++] = (byte) value;
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            Objects.checkFromIndexSize(offset, count, bytes.length);
            if (count > PIECE - filled) {
                flush();
            }
            if (count > PIECE) {
                message.writeInt(count).writeArray(bytes, offset, count);
            } else {
                System.arraycopy(bytes, offset, piece, filled, count);
                filled += count;
            }
        }

        @Override
        public void flush() {
            if (filled > 0) {
                message.writeInt(filled).writeArray(piece, 0, filled);
                filled = 0;
            }
        }

        void end() {
            flush();
            message.writeInt(0);
        }
    }

    private static final class JoinedPieces extends InputStream {
        private final ReadMessage message;
        private final long began;
        private final byte[] one = new byte[1];
        private int left;
        private boolean over;

        JoinedPieces(ReadMessage message) {
            this.message = message;
            this.began = message.bytesRead();
        }

        private boolean more() {
            if (left == 0 && !over) {
                left = message.readInt();
                over = left == 0;
                if (left < 0) {
                    over = true;
                    left = 0;
                    throw new ReadMismatch(
                            "no object was written at byte " + began + " of the message");
                }
            }
            return !over;
        }

        @Override
        public int read() {
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int count) {
            Objects.checkFromIndexSize(offset, count, bytes.length);
            if (count == 0) {
                return 0;
            }
            if (!more()) {
                return -1;
            }
            int some = Math.min(count, left);
            message.readArray(bytes, offset, some);
            left -= some;
            return some;
        }

        void skipRest() {
            var scratch = new byte[PIECE];
            while (read(scratch, 0, PIECE) >= 0) {
                // only to get past it
            }
        }
    }
}
