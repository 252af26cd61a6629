package org.ibidem.satin;

/// Whom a process without work asks for some.
public enum Stealing {
    /// One of its own site, and meanwhile one of another site, for whose answer nobody waits while
    /// there is work (cluster-aware random stealing: van Nieuwpoort, Kielmann and Bal, PPoPP 2001).
    CLUSTER_AWARE,

    /// One of all, wherever it is, whose answer it waits for.
    RANDOM;

    /// By its name in settings: `cluster-aware` or `random`.
    ///
    /// @throws IllegalArgumentException when it is neither
    public static Stealing parse(String name) {
        return switch (name) {
            case "cluster-aware" -> CLUSTER_AWARE;
            case "random" -> RANDOM;
            default ->
                    throw new IllegalArgumentException(
                            "ibidem.satin.stealing is cluster-aware or random, not " + name);
        };
    }
}
