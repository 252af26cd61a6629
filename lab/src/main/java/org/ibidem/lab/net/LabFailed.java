package org.ibidem.lab.net;

/// Something of a laboratory went wrong; the message says what.
public final class LabFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// With the reason, for people.
    public LabFailed(String why) {
        super(why);
    }

    /// With the reason and what caused it.
    public LabFailed(String why, Throwable cause) {
        super(why, cause);
    }
}
