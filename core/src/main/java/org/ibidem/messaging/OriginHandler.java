package org.ibidem.messaging;

import org.ibidem.port.Origin;

/// What is done with each object that comes, and from whom.
///
/// @param <T> the kind of object
@FunctionalInterface
public interface OriginHandler<T> {
    /// One at a time, in the order in which they come; may block and send.
    ///
    /// @throws Exception is told to who asked for that by [Subject#failures], or logged
    void received(T object, Origin from) throws Exception;
}
