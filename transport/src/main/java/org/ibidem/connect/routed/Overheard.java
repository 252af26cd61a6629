package org.ibidem.connect.routed;

/// A stream between the very ends of a connection that carries others, too: whatever comes over
/// that is a sign of life of this stream's other end.
@FunctionalInterface
public interface Overheard {
    /// Sets what is run whenever something comes over the connection, by the thread that reads it.
    void onSign(Runnable told);
}
