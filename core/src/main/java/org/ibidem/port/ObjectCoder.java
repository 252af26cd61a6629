package org.ibidem.port;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Run;
import org.ibidem.config.Services;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.Serializer;
import org.jspecify.annotations.Nullable;

/// Objects inside messages: the bytes of a graph are runs of kind `object`. The graphs of one
/// message share what they have in common.
final class ObjectCoder {
    /// The serializer of a type that names none.
    static final String USUAL = "jdk";

    private static final int PIECE = 8 << 10;

    private final @Nullable Serializer serializer;
    private final ObjectPolicy policy;

    private ObjectCoder(@Nullable Serializer serializer, ObjectPolicy policy) {
        this.serializer = serializer;
        this.policy = policy;
    }

    static ObjectCoder of(PortType type) {
        return of(type, ObjectPolicy.NOTHING_BUT_VALUES);
    }

    static ObjectCoder of(PortType type, ObjectPolicy policy) {
        if (type.data() != Data.OBJECT) {
            return new ObjectCoder(null, policy);
        }
        var found = Services.of(Serializer.class);
        for (var serializer : found) {
            if (serializer.name().equals(type.serializer())) {
                return new ObjectCoder(serializer, policy);
            }
        }
        throw new IllegalArgumentException(
                "no serializer '"
                        + type.serializer()
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

    Writing writing(WriteMessage message) {
        return new Writing(message);
    }

    Reading reading(ReadMessage message) {
        return new Reading(message);
    }

    /// The objects of one message being written.
    final class Writing {
        private final WriteMessage message;
        private final Pieces pieces;
        private Serializer.@Nullable Writer writer;

        private Writing(WriteMessage message) {
            this.message = message;
            this.pieces = new Pieces(message);
        }

        void write(@Nullable Object graph) {
            var to = required();
            message.beginObject();
            boolean written = false;
            try {
                if (writer == null) {
                    writer = to.writer(pieces);
                }
                writer.write(graph);
                pieces.flush();
                written = true;
            } catch (IOException e) {
                throw new ObjectRefused("the object cannot be sent: " + e, e);
            } finally {
                if (!written) {
                    end(); // nobody may refer to what it has half written
                }
                if (message.live()) {
                    message.endArray();
                }
            }
        }

        void reset() {
            var mine = writer;
            if (mine != null) {
                try {
                    mine.reset();
                } catch (IOException e) {
                    throw new ObjectRefused("the objects cannot be forgotten: " + e, e);
                }
            }
        }

        /// The message is over: what follows shares nothing with it.
        void end() {
            if (writer != null) {
                writer = null;
                pieces.forget();
            }
        }
    }

    /// The objects of one message being read.
    final class Reading {
        private final ReadMessage message;
        private Serializer.@Nullable Reader reader;
        private boolean failed;

        private Reading(ReadMessage message) {
            this.message = message;
        }

        @Nullable Object read() {
            int next = message.peek();
            if (next == Run.STRING) {
                return message.readString();
            }
            if (next >= Run.ARRAY && next < Run.STRING) {
                return ArrayReader.read(message, next);
            }
            return readGraph();
        }

        private @Nullable Object readGraph() {
            var by = required();
            long began = message.bytesRead();
            message.beginObject();
            try {
                if (failed) {
                    throw new IOException(
                            "an object before it in this message could not be read, and they may"
                                    + " share parts");
                }
                if (reader == null) {
                    reader = by.reader(new Joined(message), policy);
                }
                return reader.read();
            } catch (IbidemException e) {
                throw e;
            } catch (IOException | ClassNotFoundException | RuntimeException e) {
                throw refused(began, e); // hostile bytes make methods of the JDK throw anything
            } catch (StackOverflowError e) {
                throw refused(began, e);
            } finally {
                message.endObject();
            }
        }

        private ObjectRefused refused(long began, Throwable e) {
            failed = true;
            return new ObjectRefused(
                    "the object at byte " + began + " of the message cannot be read: " + e, e);
        }

        void end() {
            if (reader != null || failed) {
                reader = null;
                failed = false;
            }
        }
    }

    private static final class Pieces extends OutputStream {
        private final WriteMessage message;
        private final byte[] piece = new byte[PIECE];
        private final MemorySegment segment = MemorySegment.ofArray(piece);
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
                message.bytes(MemorySegment.ofArray(bytes), offset, count);
            } else {
                System.arraycopy(bytes, offset, piece, filled, count);
                filled += count;
            }
        }

        @Override
        public void flush() {
            message.bytes(segment, 0, filled);
            filled = 0;
        }

        void forget() {
            filled = 0;
        }
    }

    private static final class Joined extends InputStream {
        private final ReadMessage message;
        private final byte[] one = new byte[1];

        Joined(ReadMessage message) {
            this.message = message;
        }

        @Override
        public int read() {
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int count) {
            Objects.checkFromIndexSize(offset, count, bytes.length);
            return count == 0 ? 0 : message.objectBytes(bytes, offset, count);
        }
    }
}
