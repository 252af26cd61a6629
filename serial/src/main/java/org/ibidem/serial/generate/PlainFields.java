package org.ibidem.serial.generate;

import java.io.IOException;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;

/// The fields of one level of a hierarchy.
public abstract class PlainFields {
    /// For generated classes.
    protected PlainFields() {}

    /// Writes them.
    ///
    /// @param at how far the page is filled
    /// @return how far it is then
    public abstract int put(Encoder to, Object object, int depth, int at) throws IOException;

    /// Reads them into an object.
    ///
    /// @return what it costs to hash what they refer to
    public abstract long fill(Decoder from, Object object, int depth)
            throws IOException, ClassNotFoundException;
}
