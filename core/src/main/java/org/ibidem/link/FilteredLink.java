package org.ibidem.link;

/// A link made of a filter's two ends over a lower link, which it closes.
///
/// @param sink the direction away from here
/// @param source the direction towards here
/// @param lower what lies below
public record FilteredLink(FrameSink sink, FrameSource source, Link lower) implements FrameLink {
    @Override
    public void close() {
        lower.close();
    }
}
