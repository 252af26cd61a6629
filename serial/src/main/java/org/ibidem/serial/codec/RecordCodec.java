package org.ibidem.serial.codec;

import java.io.IOException;
import java.io.InvalidClassException;
import org.ibidem.serial.generate.Generator;
import org.ibidem.serial.generate.Plan;
import org.ibidem.serial.hook.RecordReader;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Records with a `readResolve`.
final class RecordCodec extends Codec {
    private final Codec writer;
    private final RecordReader reader;

    RecordCodec(Shape shape, Generator generator) throws InvalidClassException {
        super(shape.type, SHARED);
        var plan = new Plan(shape);
        this.writer = generator.codec(plan);
        this.reader = new RecordReader(plan, plan.description());
    }

    @Override
    public Description description() {
        return writer.description();
    }

    @Override
    public void write(Encoder to, Object object, int depth) throws IOException {
        writer.write(to, object, depth);
    }

    @Override
    public @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        return reader.read(from, depth);
    }
}
