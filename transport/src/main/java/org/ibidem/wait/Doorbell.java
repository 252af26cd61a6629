package org.ibidem.wait;

/// Wakes whoever sleeps behind it; a ring before the sleep is not lost.
@FunctionalInterface
public interface Doorbell {
    /// Wakes the waiter; cheap, from any thread, never blocks.
    void ring();
}
