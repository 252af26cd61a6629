package org.ibidem.serial.codec;

import java.io.IOException;
import org.ibidem.config.Services;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.RemoteObjects;
import org.jspecify.annotations.Nullable;

/// A class of remote objects: what stands for one of them is for a [RemoteObjects] to say.
final class RemoteCodec extends Codec {
    private static final String REMOTE = "java.rmi.Remote"; // a module that nobody need have

    private final RemoteObjects remote;

    private RemoteCodec(Class<?> type, RemoteObjects remote) {
        super(type, REPLACED);
        this.remote = remote;
    }

    /// That of a class; null: its objects are like others, or nobody here knows about remote ones.
    static @Nullable Codec of(Class<?> type) {
        if (!isRemote(type)) {
            return null;
        }
        var known = Known.PROVIDED;
        return known == null ? null : new RemoteCodec(type, known);
    }

    private static boolean isRemote(Class<?> type) {
        for (var in = type; in != null && in != Object.class; in = in.getSuperclass()) {
            for (var each : in.getInterfaces()) {
                if (each.getName().equals(REMOTE) || isRemote(each)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Looked for when the first such class comes.
    private static final class Known {
        static final @Nullable RemoteObjects PROVIDED = first();

        private static @Nullable RemoteObjects first() {
            var all = Services.of(RemoteObjects.class);
            return all.isEmpty() ? null : all.getFirst();
        }
    }

    @Override
    public Object replacement(Object object) throws IOException {
        return remote.standIn(object);
    }

    @Override
    public void write(Encoder to, Object object, int depth) {
        throw new IllegalStateException("only the replacement is written");
    }

    @Override
    public Object read(Decoder from, int depth) {
        throw new IllegalStateException("only the replacement is read");
    }
}
