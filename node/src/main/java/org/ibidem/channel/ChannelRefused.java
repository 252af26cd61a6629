package org.ibidem.channel;

import org.ibidem.IbidemException;

/// The other node does not want this channel.
public final class ChannelRefused extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// The other node could not make its end of the link.
    public static final int NO_LINK = 255;

    /// Nobody there takes channels of this kind.
    public static final int NO_SUCH_KIND = 254;

    /// The node is leaving, and takes no more channels.
    public static final int LEAVING = 253;

    private final int code;

    ChannelRefused(int code, String why) {
        super(why);
        this.code = code;
    }

    /// The reason, for programs: one of this class or of the kind of channel.
    public int code() {
        return code;
    }
}
