package org.ibidem.serial.wire;

import org.jspecify.annotations.Nullable;

/// A class that the peer described.
public final class Described {
    /// What it said.
    public final Description description;

    /// How its objects are read here, once one came.
    @Nullable Codec codec;

    Described(Description description) {
        this.description = description;
    }
}
