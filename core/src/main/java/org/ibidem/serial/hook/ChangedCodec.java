package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Reads objects of a class that the peer described otherwise than it is here.
public final class ChangedCodec extends Codec {
    private final ObjectCodec here;
    private final Layers layers;

    /// A codec for this one peer.
    public ChangedCodec(ObjectCodec here, Description there) throws InvalidClassException {
        super(here.type, SHARED);
        this.here = here;
        this.layers = here.match(there);
    }

    @Override
    public void write(Encoder to, Object object, int depth) {
        throw new IllegalStateException("it only reads");
    }

    @Override
    public @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        return here.read(from, depth, layers);
    }
}
