package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.SendSetup;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// Every message goes to several receive ports of the other process, which reads them in turn; all
/// sleep while there is nothing, for they are more than there are cores.
///
/// @param readers receive ports
/// @param copy whether each is written to alone, even where all could read what is written once
public record ToSeveral(int readers, boolean copy) implements Contestant {
    private static final String OPEN = "open";

    @Override
    public String name() {
        return "to-" + readers + (copy ? "-copies" : "") + "-select";
    }

    @Override
    public Waiting waiting() {
        return Waiting.SELECT;
    }

    @Override
    public String about() {
        return "message ports over shm, each message to "
                + readers
                + " receive ports"
                + (copy ? ", a copy each" : "");
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
        var end = new SeveralEnd(node, this);
        meeting.tell(node.id().toString());
        var peer = NodeId.parse(meeting.hear());
        end.connect(peer, readers);
        meeting.tell(OPEN);
        meeting.hear();
        return new Loop(end);
    }

    private static final class SeveralEnd implements End {
        private final List<ReceivePort> in = new ArrayList<>();
        private final SendPort out;

        SeveralEnd(Node node, ToSeveral how) {
            var type =
                    PortType.oneToMany()
                            .stack(how.copy ? "multicast(copy=true) > shm" : "shm")
                            .data(Data.DATA);
            for (int i = 0; i < how.readers; i++) {
                var setup = ReceiveSetup.USUAL.waiting(WaitPolicy.SLEEP);
                in.add(ReceivePort.open(node, type, "in " + i, setup));
            }
            out = SendPort.open(node, type, "out", SendSetup.USUAL.waiting(WaitPolicy.SLEEP));
        }

        void connect(NodeId peer, int readers) {
            for (int i = 0; i < readers; i++) {
                out.connect(peer, "in " + i);
            }
        }

        @Override
        public void send(Payload payload) {
            try (var message = out.newMessage()) {
                PortsEnd.write(payload, message);
                message.finish();
            }
        }

        @Override
        public void receive(Payload payload) {
            for (var port : in) {
                try (var message = port.receive()) {
                    PortsEnd.read(payload, message);
                }
            }
        }

        @Override
        public void close() {
            out.close();
            in.forEach(ReceivePort::close);
        }
    }
}
