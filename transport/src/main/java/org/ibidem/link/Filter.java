package org.ibidem.link;

/// A filter driver: an inner node of a stack, one added value. Found by its `provides` line;
/// stateless.
///
/// A filter is a [FrameFilter] or a [StreamFilter]; the stack builder puts an adapter below it
/// where the paradigms differ. One that is both needs none: it is put over what there is. Over
/// several links stand a [FanOut] and a [FanIn]; a [ConnectionFilter] gives the network driver
/// other connections.
public sealed interface Filter permits FrameFilter, StreamFilter, FanOut, FanIn, ConnectionFilter {
    /// Its name in the stack notation; also the name of its folder.
    String name();

    /// The record its options are bound to; the record's no-argument constructor gives the
    /// defaults.
    Class<? extends Record> options();

    /// The version of what it does to the bytes; both ends need the same.
    default int version() {
        return 1;
    }
}
