package org.ibidem.lab.bench.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.accept.HubPlace;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Membership;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// A member of a pool whose trunk others speak on. It says to the hub no more than that it joins:
/// enough for as long as a turn takes.
///
/// @param id who it is
/// @param trunk proved, in blocking mode
/// @param words what comes over it
record Member(NodeId id, SocketChannel trunk, Words words) {
    /// The stream to the hub itself.
    static final int TALK = Integer.MAX_VALUE;

    private static final String POOL = "relay";

    /// @param port the hub's
    /// @param hub its id
    static Member join(int port, NodeId hub) throws IOException {
        var identity = Identity.create();
        var threads = new Threads("relay");
        var handshake = new Handshake(identity, threads, Handshake.LIMIT);
        var proved =
                new HubPlace("localhost", port)
                        .dial(handshake, Hello.routed(POOL, hub), threads, Duration.ofSeconds(10));
        var trunk = ((SocketPath) proved.path()).socket();
        var member = new Member(identity.id(), trunk, new Words(trunk));
        member.say(RoutedFrames.open(TALK, hub, 1 << 20));
        member.await(RoutedFrames.GRANT);
        member.say(member.attach());
        member.await(RoutedFrames.DATA); // that it is welcome, or it ends the connection
        return member;
    }

    /// A frame with a message on a control link.
    private byte[] attach() {
        var message =
                RequestCoding.encode(
                        new Request.Attach(
                                Protocol.VERSION,
                                new Contact(id, List.of(), Map.of()),
                                new Location(List.of("here")),
                                0,
                                -1,
                                Membership.NONE,
                                Request.Past.NONE));
        int length = Integer.BYTES + 1 + message.length;
        return ByteBuffer.allocate(RoutedFrames.HEADER + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(RoutedFrames.word(RoutedFrames.DATA, length))
                .putInt(TALK)
                .putInt(message.length)
                .put((byte) 0)
                .put(message)
                .array();
    }

    private void say(byte[] frame) throws IOException {
        for (var bytes = ByteBuffer.wrap(frame); bytes.hasRemaining(); ) {
            trunk.write(bytes);
        }
    }

    private void await(int wanted) throws IOException {
        var come = new AtomicBoolean();
        while (!come.get()) {
            words.next((kind, number, _) -> {
                if (kind == wanted && number == TALK) {
                    come.set(true);
                }
            });
        }
    }
}
