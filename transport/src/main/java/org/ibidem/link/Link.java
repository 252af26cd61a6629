package org.ibidem.link;

import java.time.Duration;

/// What a driver gives when open: a two-way connection to one peer, in one of the two paradigms.
public sealed interface Link extends AutoCloseable permits FrameLink, ByteStream {
    /// Ends the link at once, in both directions; may be called any number of times, from any
    /// thread.
    @Override
    void close();

    /// Waits until what was handed on here ([FrameSink#push], [ByteStream#flush]) arrives even if
    /// this process ends in order: the other end has acknowledged it, or the system has it, which
    /// sends it on. May be called from any thread, also after [#close]: then what lingers is waited
    /// for.
    ///
    /// @param limit how long; zero: only looks
    /// @return false: not within the limit, or the link broke before; the thread's interrupt status
    ///   ends the wait, too, and stays
    default boolean drain(Duration limit) {
        return true;
    }

    /// What may become of frames on the way, in either direction; the same at both ends, as long as
    /// the link lives.
    default DeliveryFaults delivery() {
        return DeliveryFaults.FAITHFUL;
    }
}
