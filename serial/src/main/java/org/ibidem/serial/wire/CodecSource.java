package org.ibidem.serial.wire;

import java.io.InvalidClassException;
import java.io.NotSerializableException;

/// Finds codecs.
public interface CodecSource {
    /// The codec for objects of this class.
    ///
    /// @throws NotSerializableException when such objects cannot travel
    /// @throws InvalidClassException when the class says wrong things about how they do
    Codec of(Class<?> type) throws NotSerializableException, InvalidClassException;

    /// As [#of], for code that keeps it as a constant and cannot answer a refusal yet: the last one
    /// that the class will have, or one that refuses when it is used.
    Codec known(Class<?> type);

    /// The codec for an object of this class that stands for itself, although the class may replace
    /// its objects.
    Codec unreplaced(Class<?> type) throws NotSerializableException, InvalidClassException;

    /// The codec that reads objects of a class as another process described it.
    ///
    /// @param described the class
    /// @param from whom to ask for the classes it names
    Codec reading(Described described, Decoder from)
            throws java.io.IOException, ClassNotFoundException;

    /// The codec with this tag below [Tag#FIRST_CLASS], on every connection; null: none has.
    @org.jspecify.annotations.Nullable
    Codec builtin(int tag);
}
