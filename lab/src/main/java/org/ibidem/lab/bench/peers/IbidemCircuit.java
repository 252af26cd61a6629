package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.util.List;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Player;
import org.ibidem.topology.NodeId;

/// A circuit of two members, frames filled by hand: what it takes more than [SeamLink] over the
/// same stack is what its groups, turns and handlers cost.
///
/// @param stack of its links, in the stack notation
public record IbidemCircuit(String stack) implements Contestant {
    private static final String WAIT = "ibidem.wait";

    @Override
    public String name() {
        return "circuit-" + stack;
    }

    @Override
    public Waiting waiting() {
        return Waiting.SPIN;
    }

    @Override
    public String about() {
        return "a circuit of two members over " + stack + ", frames by hand";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.name().equals("half-8B");
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
        System.setProperty(WAIT, "spin"); // a node reads it when it joins
        var node = IbidemPorts.join(hub);
        System.clearProperty(WAIT);
        meeting.tell(node.id().toString());
        var other = NodeId.parse(meeting.hear());
        var members = meeting.leads() ? List.of(node.id(), other) : List.of(other, node.id());
        return new Loop(new CircuitEnd(node, members, stack));
    }
}
