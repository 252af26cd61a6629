package org.ibidem.port;

/// A connection that is over, as told to programs that ask.
///
/// @param peer who was at the other end: a [Target] or an [Origin]
/// @param broken false: the other end closed it in order
/// @param why for people
/// @param <P> the kind of end
public record Lost<P>(P peer, boolean broken, String why) {
    @Override
    public String toString() {
        return peer + ": " + why;
    }
}
