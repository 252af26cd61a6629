package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.util.Locale;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Player;
import org.ibidem.port.PortType;
import org.ibidem.topology.NodeId;

/// Ports over shared memory, with so many links into each receive port that say nothing, beside the
/// one that is measured.
///
/// @param idle links
/// @param waiting spinning, or asleep in a selector
public record BesideIdle(int idle, Waiting waiting) implements Contestant {
    private static final String CONNECTED = "connected";

    @Override
    public String name() {
        return "beside-"
                + idle
                + (waiting == Waiting.SPIN ? "" : "-" + waiting.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public String about() {
        return "message ports over shm, " + idle + " links into the port are idle";
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        int hub;
        if (meeting.leads()) {
            hub = Hub.start(Hub.Options.DEFAULT.port(0)).port(); // lives as long as the process
            meeting.tell(Integer.toString(hub));
        } else {
            hub = Integer.parseInt(meeting.hear());
        }
        var node = IbidemPorts.join(hub);
        var policy = waiting == Waiting.SPIN ? WaitPolicy.SPIN_ONLY : WaitPolicy.SLEEP;
        var end = new PortsEnd(node, PortType.manyToOne().stack("shm"), policy);
        meeting.tell(node.id().toString());
        var peer = NodeId.parse(meeting.hear());
        if (meeting.leads()) {
            end.connect(peer, idle);
            meeting.tell(CONNECTED);
            meeting.hear();
        } else {
            meeting.hear();
            end.connect(peer, idle);
            meeting.tell(CONNECTED);
        }
        return new Loop(end);
    }
}
