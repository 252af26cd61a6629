package org.ibidem.circuit;

import org.ibidem.IbidemException;

/// A member of a circuit cannot be reached, or not any more.
public final class CircuitBroken extends IbidemException {
    private static final long serialVersionUID = 1L;
    private final int member;
    private final String why;

    CircuitBroken(int member, String message) {
        super(message);
        this.member = member;
        this.why = message;
    }

    private CircuitBroken(int member, String message, String why) {
        super(message);
        this.member = member;
        this.why = why;
    }

    /// A member is gone.
    static CircuitBroken gone(int member, String why) {
        return new CircuitBroken(member, "member " + member + " is gone: " + why, why);
    }

    /// Why it is gone, without who that is.
    public String why() {
        return why;
    }

    /// Which member, by its number in the circuit.
    public int member() {
        return member;
    }
}
