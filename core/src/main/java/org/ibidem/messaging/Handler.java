package org.ibidem.messaging;

/// What is done with each object that comes.
///
/// @param <T> the kind of object
@FunctionalInterface
public interface Handler<T> {
    /// One at a time, in the order in which they come; may block and send.
    ///
    /// @throws Exception is told to who asked for that by [Subject#failures], or logged
    void received(T object) throws Exception;
}
