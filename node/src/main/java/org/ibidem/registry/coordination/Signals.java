package org.ibidem.registry.coordination;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.ibidem.config.Limit;
import org.ibidem.registry.uplink.Uplink;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.topology.NodeId;

/// Short texts to a set of members, through the hub: each gets a signal as a
/// [org.ibidem.registry.PoolEvent.Signalled], once, in the order of all changes of the pool. For
/// the rare word to many; what is much, or often, goes through ports.
public final class Signals {
    /// Bytes of a signal in UTF-8, at most.
    public static final int MOST_BYTES = Protocol.SIGNAL_BYTES;

    private final Uplink uplink;
    private final Duration limit;

    /// Made by [org.ibidem.registry.Node].
    @SuppressWarnings("exports") // only Node has one to give
    public Signals(Uplink uplink) {
        this(uplink, Limit.HUB.get());
    }

    private Signals(Uplink uplink, Duration limit) {
        this.uplink = uplink;
        this.limit = limit;
    }

    /// The same with another time limit than 10 s for whatever is asked of the hub.
    public Signals within(Duration limit) {
        return new Signals(uplink, limit);
    }

    /// Signals to these members; those who are no members are left out.
    ///
    /// @return to how many it goes
    /// @throws org.ibidem.registry.HubUnreachable when the hub does not answer in time
    public int send(String signal, Collection<NodeId> to) {
        var ids = to.stream().distinct().toList();
        int sent = 0;
        for (int from = 0; from < ids.size(); from += Protocol.MOST_ADDRESSEES) {
            int end = Math.min(ids.size(), from + Protocol.MOST_ADDRESSEES);
            sent += send(signal, false, ids.subList(from, end));
        }
        return sent;
    }

    /// Signals to these members; those who are no members are left out.
    ///
    /// @return to how many it goes
    public int send(String signal, NodeId... to) {
        return send(signal, List.of(to));
    }

    /// Signals to all who are members now, this node among them.
    ///
    /// @return to how many it goes
    public int sendAll(String signal) {
        return send(signal, true, List.of());
    }

    private int send(String signal, boolean toAll, List<NodeId> to) {
        var text = HubCall.text("a signal", signal, MOST_BYTES);
        return Math.toIntExact(
                HubCall.number(uplink.operate(new Operation.Signal(text, toAll, to), limit)));
    }
}
