package org.ibidem.satin;

/// Whom a process without work asks for some.
public enum Stealing {
    /// One of its own site, and meanwhile one of another site, for whose answer nobody waits while
    /// there is work (cluster-aware random stealing: van Nieuwpoort, Kielmann and Bal, PPoPP 2001).
    CLUSTER_AWARE,

    /// One of all, wherever it is, whose answer it waits for.
    RANDOM
}
