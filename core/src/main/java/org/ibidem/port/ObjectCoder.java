package org.ibidem.port;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.buffer.Malformed;
import org.ibidem.buffer.Run;
import org.ibidem.config.Services;
import org.ibidem.serial.ObjectIn;
import org.ibidem.serial.ObjectOut;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.Serializer;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;
import org.jspecify.annotations.Nullable;

/// Objects inside messages: the bytes of a graph are runs of kind `object`. The graphs of one
/// message share what they have in common. What the reader must know of a class is said once on a
/// connection, in runs of its own kind, which are read even in messages that nobody reads.
final class ObjectCoder {
    /// The serializer of a type that names none.
    static final String USUAL = "object";

    private static final long NOWHERE = -1;

    private final @Nullable Serializer serializer;
    private final ObjectPolicy policy;

    /// Whether classes are described once on a connection: not where messages may be lost, or have
    /// no tags by which the descriptions are found.
    private final boolean lasting;

    private ObjectCoder(@Nullable Serializer serializer, ObjectPolicy policy, PortType type) {
        this.serializer = serializer;
        this.policy = policy;
        this.lasting = type.describes();
    }

    static ObjectCoder of(PortType type) {
        return of(type, ObjectPolicy.NOTHING_BUT_VALUES);
    }

    static ObjectCoder of(PortType type, ObjectPolicy policy) {
        if (type.data() != Data.OBJECT) {
            return new ObjectCoder(null, policy, type);
        }
        var found = Services.of(Serializer.class);
        for (var serializer : found) {
            if (serializer.name().equals(type.serializer())) {
                return new ObjectCoder(serializer, policy, type);
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
                    "this port's type carries no objects; use PortType.data(Data.OBJECT)");
        }
        return serializer;
    }

    Writing writing(WriteMessage message) {
        return new Writing(message);
    }

    Reading reading() {
        return new Reading();
    }

    /// The objects that a send port writes, message after message.
    final class Writing implements Sink {
        private final WriteMessage message;
        private @Nullable ObjectOut out;

        /// Somebody may have missed what was said of a class.
        private boolean unknown;

        /// Where the first byte of the message's objects is, and how much of the message had gone
        /// before that frame.
        private long firstAt = NOWHERE;

        private long firstAfter;

        /// A graph is being written: its writer must not be ended under it.
        private boolean busy;

        /// The message has objects: most of a port that carries some have none.
        private boolean used;

        /// There was no room for a part of a graph: what its writer still has must not go out.
        private boolean cut;

        private Writing(WriteMessage message) {
            this.message = message;
        }

        void write(@Nullable Object graph) {
            var by = required();
            message.beginObject();
            var mine = out;
            if (mine == null) {
                mine = by.out(this);
                out = mine;
                unknown = false;
            }
            busy = true;
            used = true;
            cut = false;
            try {
                if (unknown) {
                    mine.introduce();
                    unknown = false;
                }
                mine.write(graph);
            } catch (IOException e) {
                throw new ObjectRefused("the object cannot be sent: " + e, e);
            } finally {
                busy = false;
                written(mine);
            }
        }

        @SuppressWarnings("ReferenceEquality") // that very one
        private void written(ObjectOut by) {
            if (by != out || !message.live) {
                by.endMessage(); // the message, or its last receiver, went meanwhile
                firstAt = NOWHERE;
            }
            if (message.live) {
                message.endArray();
            }
        }

        void reset() {
            var mine = out;
            if (mine != null) {
                used = true;
                try {
                    mine.reset(); // goes out with the next object
                } catch (IOException e) {
                    throw new ObjectRefused("the objects cannot be forgotten: " + e, e);
                }
            }
        }

        /// The message is over: what follows shares nothing with it.
        void end() {
            if (used) {
                ended();
            }
        }

        private void ended() {
            if (out != null && !busy) {
                used = false;
                try {
                    out.endMessage();
                } finally {
                    firstAt = NOWHERE;
                }
            }
        }

        /// The message is given up, perhaps in the middle of an object.
        void abandoned() {
            firstAt = NOWHERE;
            end();
            missed();
        }

        @Override
        public void amend(byte first) {
            if (firstAt != NOWHERE && message.holds(firstAfter)) {
                message.frame.memory.set(ValueLayout.JAVA_BYTE, firstAt, first);
            }
        }

        /// Others listen now, or some may have missed a part of a message.
        void missed() {
            unknown = true;
        }

        /// Nobody listens any more: whoever comes is told all anew.
        void forget() {
            end();
            out = null;
        }

        @Override
        public boolean lasting() {
            return lasting;
        }

        @Override
        public boolean describe(byte[] description) {
            if (lasting) {
                message.description(description);
            }
            return lasting;
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            writeArray(PrimitiveArray.BYTE, bytes, offset, count);
        }

        private int roomFor(int size) {
            if (cut) {
                throw new WriteTimedOut(message.port.toString()); // its writer is to know it, too
            }
            try {
                return message.roomFor(size);
            } catch (WriteTimedOut | WaitInterrupted e) {
                cut = true;
                throw e;
            }
        }

        @Override
        public void writeArray(PrimitiveArray kind, Object array, int offset, int count) {
            int size = kind.size();
            for (int done = 0; done < count; ) {
                int some = Math.min(count - done, roomFor(size) / size);
                var frame = message.frame;
                if (firstAt == NOWHERE) {
                    firstAt = frame.position;
                    firstAfter = message.committed();
                }
                kind.store(array, offset + done, frame.memory, frame.position, some);
                frame.position += (long) some * size;
                done += some;
            }
        }
    }

    /// The objects that come over one connection, message after message.
    final class Reading implements Source {
        private @Nullable ReadMessage message;
        private @Nullable ObjectIn in;

        /// The message has objects, or says what they are.
        private boolean used;

        private final byte[] split = new byte[Long.BYTES];
        private final MemorySegment splitMemory = MemorySegment.ofArray(split);

        @Nullable Object read(ReadMessage from) {
            int next = from.peek();
            if (next == Run.STRING) {
                return from.readString();
            }
            if (next >= Run.ARRAY && next < Run.STRING) {
                return ArrayReader.read(from, next);
            }
            return readGraph(from);
        }

        private ObjectIn in() {
            var mine = in;
            used = true;
            if (mine == null) {
                mine = required().in(this, policy);
                in = mine;
            }
            return mine;
        }

        private @Nullable Object readGraph(ReadMessage from) {
            var by = in();
            long began = from.bytesRead();
            from.beginObject();
            message = from;
            boolean over = true;
            try {
                return by.read();
            } catch (Malformed e) {
                throw refused(began, e);
            } catch (IbidemException e) {
                over = false; // the message is
                throw e;
            } catch (IOException | ClassNotFoundException | RuntimeException e) {
                if (e.getCause() instanceof InternalError late && !from.frame.isThere()) {
                    over = false;
                    throw from.cut(late);
                }
                throw refused(began, e); // hostile bytes make methods of the JDK throw anything
            } catch (StackOverflowError e) {
                throw refused(began, e);
            } finally {
                message = null;
                if (over) {
                    from.endObject();
                }
            }
        }

        private static ObjectRefused refused(long began, Throwable e) {
            return new ObjectRefused(
                    "the object at byte "
                            + began
                            + " of the message cannot be read: "
                            + IbidemException.describe(e),
                    e);
        }

        /// A class description came.
        void describe(byte[] description) {
            in().describe(description);
        }

        /// The message is over, read or not.
        void end() {
            if (used) {
                ended();
            }
        }

        private void ended() {
            used = false;
            if (in != null) {
                in.endMessage();
            }
        }

        @Override
        public boolean lasting() {
            return lasting;
        }

        private ReadMessage message() {
            var now = message;
            if (now == null) {
                throw new IllegalStateException("no object is being read");
            }
            return now;
        }

        private static EOFException over() {
            return new EOFException("the object ends too early");
        }

        @Override
        public int read(byte[] bytes, int offset, int least, int most) throws EOFException {
            var from = message();
            int done = 0;
            while (done < least) {
                int some = from.objectBytes(bytes, offset + done, most - done);
                if (some < 0) {
                    throw over();
                }
                done += some;
            }
            return done;
        }

        @Override
        public void readArray(PrimitiveArray kind, Object array, int offset, int count)
                throws EOFException {
            var from = message();
            var frame = from.frame;
            int size = kind.size();
            for (int done = 0; done < count; ) {
                int some = (int) Math.min(count - done, from.objectHere() / size);
                if (some > 0) {
                    kind.load(frame.memory, frame.position, array, offset + done, some);
                    frame.position += (long) some * size;
                    done += some;
                } else {
                    read(split, 0, size, size);
                    kind.load(splitMemory, 0, array, offset + done, 1);
                    done++;
                }
            }
        }
    }
}
