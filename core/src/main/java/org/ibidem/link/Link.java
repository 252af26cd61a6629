package org.ibidem.link;

/// What a driver gives when open: a two-way connection to one peer, in one of the two paradigms.
public sealed interface Link extends AutoCloseable permits FrameLink, ByteStream {
    /// Ends the link at once, in both directions; may be called any number of times, from any
    /// thread.
    @Override
    void close();

    /// What may become of frames on the way, in either direction; the same at both ends, as long as
    /// the link lives.
    default Delivery delivery() {
        return Delivery.FAITHFUL;
    }
}
