package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.ibidem.port.Capability;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server that answers each client over a port of the client's own, whose name its requests say.
@Timeout(60)
class RequestReplyTest {
    private static final PortType REQUESTS = PortType.manyToOne().with(Capability.UPCALLS);
    private static final PortType REPLIES = PortType.oneToOne();
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int CLIENTS = 3;
    private static final int EACH = 20;

    @Test
    void each_client_gets_the_replies_to_its_own_requests() throws Exception {
        try (var pool = new Pool()) {
            assertThat(pool.run(1 + CLIENTS, RequestReplyTest::program))
                    .containsExactlyInAnyOrder(0, EACH, EACH, EACH);
        }
    }

    private static int program(Node node) throws Exception {
        var server = node.elections().elect("server").winner().id();
        return server.equals(node.id()) ? serve(node) : ask(node, server);
    }

    private static int serve(Node node) {
        var replies = new HashMap<Origin, SendPort>();
        var setup = ReceiveSetup.USUAL.upcall(request -> answer(node, replies, request));
        try (var _ = ReceivePort.open(node, REQUESTS, "requests", setup)) {
            for (int i = 0; i < CLIENTS; i++) {
                assertThat(node.tokens().take("client is content", LONG)).isTrue();
            }
            return 0;
        }
    }

    /// In the upcall itself: it may connect, and wait.
    private static void answer(Node node, Map<Origin, SendPort> replies, ReadMessage request) {
        var client = request.origin();
        var replyPort = request.readString();
        var question = request.readString();
        var out =
                replies.computeIfAbsent(
                        client,
                        _ -> {
                            var fresh = SendPort.open(node, REPLIES, "to " + client.port());
                            fresh.connect(client.node(), replyPort);
                            return fresh;
                        });
        try (var reply = out.newMessage()) {
            reply.writeString(question.toUpperCase(Locale.ROOT)).finish();
        }
    }

    private static int ask(Node node, NodeId server) {
        int right = 0;
        try (var replies = ReceivePort.open(node, REPLIES, "replies");
                var requests = SendPort.open(node, REQUESTS, "asks")) {
            requests.connect(server, "requests");
            for (int i = 0; i < EACH; i++) {
                try (var request = requests.newMessage()) {
                    request.writeString(replies.name()).writeString("what is " + i).finish();
                }
                try (var reply = replies.receive()) {
                    right += reply.readString().equals("WHAT IS " + i) ? 1 : 0;
                }
            }
        }
        node.tokens().add("client is content", 1);
        return right;
    }
}
