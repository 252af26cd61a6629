package org.ibidem.circuit;

import org.ibidem.IbidemException;

/// A member of a circuit cannot be reached, or not any more.
public final class CircuitBroken extends IbidemException {
    private static final long serialVersionUID = 1L;
    private final int member;

    CircuitBroken(int member, String message, Throwable cause) {
        super(message, cause);
        this.member = member;
    }

    CircuitBroken(int member, String message) {
        super(message);
        this.member = member;
    }

    /// Which member, by its number in the circuit.
    public int member() {
        return member;
    }
}
