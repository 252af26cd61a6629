package org.ibidem.serial.codec;

import org.ibidem.serial.wire.Codec;

/// A codec with a tag that every peer knows: there is nothing to describe.
abstract class Builtin extends Codec {
    private final int tag;

    Builtin(int tag, Class<?> type, int mode) {
        super(type, mode);
        this.tag = tag;
    }

    @Override
    public final int tag() {
        return tag;
    }
}
