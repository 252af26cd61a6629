package org.ibidem.channel;

import org.ibidem.link.FrameSource;

/// A channel of no link, for tests of who reads from one.
public final class LooseChannel {
    private LooseChannel() {}

    /// One from which these frames come.
    public static InChannel over(FrameSource source) {
        return new InChannel(null, null, source, 1);
    }

    /// As when its sender has gone.
    public static void gone(InChannel channel, String why) {
        channel.gone(why);
    }
}
