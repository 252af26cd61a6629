package org.ibidem.port;

import org.ibidem.link.Doorbell;
import org.ibidem.link.FrameSource;
import org.ibidem.link.Sleepy;
import org.ibidem.service.InChannel;

/// One connection of a receive port.
///
/// @param origin who is at the other end
/// @param channel the direction of a data link it has
/// @param sleepy how to wait for it
record Input(Origin origin, InChannel channel, Sleepy sleepy) {
    Input(Origin origin, InChannel channel) {
        this(origin, channel, Sleepy.of(channel.source()));
    }

    /// Whom to wake when something comes.
    void ringAt(Doorbell bell) {
        sleepy.bell(bell);
    }

    FrameSource source() {
        return channel.source();
    }

    /// The sender closed it in order: the direction is free for another.
    void ended() {
        source().release();
        channel.ended();
    }

    /// The link is broken.
    void broken(String why) {
        channel.broken(why);
    }

    /// This end wants no more of it.
    void refuseRest(String why) {
        channel.refuseRest(why);
    }
}
