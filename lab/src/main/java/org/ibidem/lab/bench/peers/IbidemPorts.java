package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// Ibidem whole, as a user has it: hub, nodes, a send and a receive port at each side, messages
/// with explicit receive.
///
/// @param label what distinguishes it from other stacks, in its name
/// @param stack in the stack notation
/// @param waiting spinning, asleep in a selector, or as usual: a while the one, then the other
/// @param checked whether reads are checked against writes, as they are usually
/// @param held whether the messages of a stream are held back, and leave together
public record IbidemPorts(
        String label, String stack, Waiting waiting, boolean checked, boolean held)
        implements Contestant {
    /// What shared code is shown before anything is measured: networks and filters of every form.
    private static final List<String> MIXED =
            List.of("loopback", "fragment > loopback", "shm", "tcp");

    /// Where checking matters: it costs some nanoseconds a message.
    private static final Set<String> SMALL = Set.of("half-8B", "rate-32B");

    private static final String CONNECTED = "connected";
    private static final int MIXED_MESSAGES = 20_000;

    /// As they usually are.
    public IbidemPorts(String label, String stack, Waiting waiting) {
        this(label, stack, waiting, true, false);
    }

    /// The same where the messages of a stream are held back.
    public static IbidemPorts held(String label, String stack, Waiting waiting) {
        return new IbidemPorts(label, stack, waiting, true, true);
    }

    @Override
    public String name() {
        return "ibidem-"
                + label
                + (waiting == Waiting.SPIN ? "" : "-" + waiting.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public String about() {
        return "message ports over "
                + stack
                + (checked ? "" : ", reads not checked against writes")
                + (held ? ", held back until 768 KiB leave together" : "")
                + "; the tree by the usual serializer";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() != Measure.Kind.CALL
                && (checked || SMALL.contains(measure.name()))
                && (!held || measure.kind() == Measure.Kind.BANDWIDTH);
    }

    private WaitPolicy policy() {
        return switch (waiting) {
            case SPIN -> WaitPolicy.SPIN_ONLY;
            case SELECT, BLOCK -> WaitPolicy.SLEEP;
            case USUAL -> WaitPolicy.ADAPTIVE;
        };
    }

    @Override
    public void mix() {
        var payloads =
                List.of(
                        new Payload.Word(),
                        new Payload.Five(),
                        new Payload.Bytes(1000),
                        new Payload.Doubles(1000));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var here = join(hub.port());
                var there = join(hub.port())) {
            for (var mixed : MIXED) {
                try (var from = new PortsEnd(here, type(mixed), policy());
                        var to = new PortsEnd(there, type(mixed), policy())) {
                    from.connect(there.id());
                    for (int i = 0; i < MIXED_MESSAGES; i++) {
                        var payload = payloads.get(i % payloads.size());
                        payload.rewrite(i);
                        from.send(payload);
                        to.receive(payload);
                        payload.verify(i);
                    }
                }
            }
        }
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
        var node = join(hub);
        var end = new PortsEnd(node, type(stack), policy());
        meeting.tell(node.id().toString());
        var peer = NodeId.parse(meeting.hear());
        if (meeting.leads()) {
            end.connect(peer);
            meeting.tell(CONNECTED);
        } else {
            meeting.hear();
            end.connect(peer); // takes the free half of the link that the leader has made
        }
        return new Loop(held ? new HeldPortsEnd(end) : end);
    }

    private PortType type(String stack) {
        var type = PortType.oneToOne().stack(stack);
        return checked ? type : type.with(Capability.UNCHECKED);
    }

    static Node join(int hub) {
        return Node.join(Join.pool("bench").hub("127.0.0.1:" + hub));
    }
}
