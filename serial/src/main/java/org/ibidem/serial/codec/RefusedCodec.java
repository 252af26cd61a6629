package org.ibidem.serial.codec;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectStreamException;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;

/// Stands for a class whose objects cannot travel, and says why whenever one should.
final class RefusedCodec extends Codec {
    private final ObjectStreamException why;

    RefusedCodec(Class<?> type, ObjectStreamException why) {
        super(type, REPLACED);
        this.why = why;
    }

    /// The reason, with a trace of its own.
    private ObjectStreamException fresh() {
        return why instanceof NotSerializableException
                ? new NotSerializableException(why.getMessage())
                : invalid();
    }

    private InvalidClassException invalid() {
        var message = why.getMessage();
        var again = new InvalidClassException(message == null ? type.getName() : message);
        again.initCause(why);
        return again;
    }

    /// Throws the reason.
    InvalidClassException again() throws NotSerializableException {
        if (why instanceof NotSerializableException) {
            throw new NotSerializableException(why.getMessage());
        }
        return invalid();
    }

    @Override
    public Object replacement(Object object) throws IOException {
        throw fresh();
    }

    @Override
    public void write(Encoder to, Object object, int depth) throws IOException {
        throw fresh();
    }

    @Override
    public Object read(Decoder from, int depth) throws IOException {
        throw fresh();
    }
}
