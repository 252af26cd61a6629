package org.ibidem.apps.sat;

import ibis.satin.Inlet;

/// An assignment was found.
public final class Satisfied extends Inlet {
    private static final long serialVersionUID = 1;

    private final byte[] values;

    Satisfied(byte[] values) {
        this.values = values;
    }

    byte[] values() {
        return values;
    }
}
