package org.ibidem.satin.rewrite;

/// What a `return` ends that is in a catch block around a spawned call, when that runs as an inlet.
public enum Returns {
    /// The method that has spawned the call, as in the program as it was compiled; what is open is
    /// aborted. Where the sync is in the same `try`, too, there is no inlet.
    METHOD,

    /// The inlet: the sync that has run it goes on, as if control had left the catch block at its
    /// end. So it is in the published Satin, which runs inlets beside their methods; also where the
    /// sync is in the same `try`. A program that counts on it gives something else when it is not
    /// rewritten.
    INLET;

    /// By its name in settings: `method` or `inlet`.
    ///
    /// @throws IllegalArgumentException when it is neither
    public static Returns parse(String name) {
        return switch (name) {
            case "method" -> METHOD;
            case "inlet" -> INLET;
            default ->
                    throw new IllegalArgumentException(
                            "ibidem.satin.returns is method or inlet, not " + name);
        };
    }
}
