package org.ibidem.arbitration;

import java.time.InstantSource;

/// The one source of time. Tests bring one they move by hand.
public interface Clock {
    /// The clock of this machine: monotonic, not the time of day.
    Clock SYSTEM = System::nanoTime;

    /// The time of day of this machine, which may be wrong: for what others have dated.
    InstantSource TIME_OF_DAY = InstantSource.system();

    /// Nanoseconds since some moment; only differences mean anything. Never goes back.
    long nanoTime();

    /// Asks to be called whenever the clock was moved by other means than by waiting; a clock that
    /// nobody can move ignores this.
    default void whenMoved(Runnable look) {}
}
