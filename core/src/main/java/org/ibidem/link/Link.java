package org.ibidem.link;

/// What a driver gives when open: a two-way connection to one peer, in one of the two paradigms.
public sealed interface Link extends AutoCloseable permits FrameLink, ByteStream {
    /// Ends the link at once, in both directions; may be called any number of times, from any
    /// thread.
    @Override
    void close();
}
