package org.ibidem.channel;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.control.Recent;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The channels of a node at their sending ends. A receiver may say that it wants no more before
/// the channel is in use here: that is kept for it.
final class OutChannels {
    /// Notes kept about channels that are not in use here yet.
    static final int MOST_EARLY = 256;

    private record Numbered(NodeId peer, int channel) {}

    private final Map<Numbered, OutChannel> all = new HashMap<>();
    private final Map<Numbered, String> early = Recent.map(MOST_EARLY);

    /// This one is in use from now on, unless its receiver has closed it already.
    synchronized void add(OutChannel out) {
        var number = numbered(out);
        all.put(number, out);
        var why = early.remove(number);
        if (why != null) {
            out.closedByReceiver(why);
        }
    }

    /// Nobody uses it any more.
    synchronized void remove(OutChannel out) {
        all.remove(numbered(out));
    }

    /// The receiver of one of them wants no more.
    void close(NodeId peer, int channel, String why) {
        var out = closed(new Numbered(peer, channel), why);
        if (out != null) {
            out.ring();
        }
    }

    private synchronized @Nullable OutChannel closed(Numbered number, String why) {
        var out = all.get(number);
        if (out != null) {
            out.closedByReceiver(why);
        } else {
            early.put(number, why);
        }
        return out;
    }

    /// Those to a peer, in the order of their numbers.
    synchronized List<OutChannel> to(NodeId peer) {
        return all.values().stream()
                .filter(out -> out.peer().equals(peer))
                .sorted(Comparator.comparingInt(OutChannel::id))
                .toList();
    }

    private static Numbered numbered(OutChannel out) {
        return new Numbered(out.peer(), out.id());
    }
}
