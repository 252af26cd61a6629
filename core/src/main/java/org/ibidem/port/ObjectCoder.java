package org.ibidem.port;

import java.io.IOException;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.config.Services;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.Serializer;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;
import org.jspecify.annotations.Nullable;

/// Objects inside messages.
final class ObjectCoder {
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
        try {
            required().out(new Into(message)).write(graph);
        } catch (IOException e) {
            throw new ObjectRefused("the object cannot be sent: " + e, e);
        }
    }

    @Nullable Object read(ReadMessage message) {
        long began = message.bytesRead();
        try {
            return required().in(new OutOf(message), policy).read();
        } catch (IOException | ClassNotFoundException e) {
            throw refused(began, e);
        } catch (IbidemException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            throw refused(began, e); // hostile bytes make readObject methods throw anything
        }
    }

    private static ObjectRefused refused(long began, Throwable e) {
        return new ObjectRefused(
                "the object at byte " + began + " of the message cannot be read: " + e, e);
    }

    private record Into(WriteMessage message) implements Sink {
        @Override
        public void write(byte[] bytes, int offset, int count) {
            message.writeArray(bytes, offset, count);
        }

        @Override
        public void writeArray(PrimitiveArray kind, Object array, int offset, int count) {
            throw new IllegalStateException("not yet");
        }
    }

    private record OutOf(ReadMessage message) implements Source {
        @Override
        public int read(byte[] bytes, int offset, int least, int most) {
            message.readArray(bytes, offset, least);
            return least;
        }

        @Override
        public void readArray(PrimitiveArray kind, Object array, int offset, int count) {
            throw new IllegalStateException("not yet");
        }

        @Override
        public void unread(int count) {
            if (count > 0) {
                throw new IllegalStateException("never read too far");
            }
        }
    }
}
