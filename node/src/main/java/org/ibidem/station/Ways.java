package org.ibidem.station;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.channel.Channels;
import org.ibidem.control.Peers;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.peer.Purpose;
import org.ibidem.topology.NodeId;

/// Says which channels go to a peer now, over which stack each, and how its link was made: for
/// people who ask, here or at another node. Nothing is tried for it.
///
/// ```
/// WAYS     | node 16 |
/// answer   | as that of EXPLAIN: kind, age of the link, 1, what it serves and over what |
/// ```
public final class Ways {
    private final Peers peers;
    private final Channels channels;

    Ways(Peers peers, Channels channels) {
        this.peers = peers;
        this.channels = channels;
        peers.serve(Peers.WAYS, this::answer);
    }

    /// From here.
    public Deliberation to(NodeId peer) {
        return new Deliberation(peer, Purpose.DATA, all(peer));
    }

    private List<Tried> all(NodeId peer) {
        var outs = channels.to(peer);
        int told = outs.size() > Tried.MOST ? Tried.MOST - 1 : outs.size();
        var all =
                outs.stream()
                        .limit(told)
                        .map(out ->
                                new Tried(
                                        out.kind(),
                                        Duration.ZERO,
                                        out.course().age(),
                                        true,
                                        out.inWords()))
                        .collect(Collectors.toCollection(ArrayList::new));
        if (told < outs.size()) {
            var rest = (outs.size() - told) + " more, which are not told";
            all.add(new Tried("and", Duration.ZERO, Duration.ZERO, true, rest));
        }
        return all;
    }

    /// From another node.
    public Deliberation to(NodeId from, NodeId peer, Duration limit) {
        var request = new ControlWriter(NodeId.BYTES);
        peer.write(request);
        var answer = peers.request(from, Peers.WAYS, request.toBytes(), limit);
        return new Deliberation(peer, Purpose.DATA, Tried.read(new ControlReader(answer)));
    }

    private byte[] answer(NodeId asking, byte[] message) {
        var in = new ControlReader(message);
        var peer = NodeId.read(in, "node");
        in.end();
        return Tried.write(all(peer));
    }
}
