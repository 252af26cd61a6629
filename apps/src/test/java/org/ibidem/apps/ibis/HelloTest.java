package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The first program: two members elect a server, and the other one says hello to it.
@Timeout(60)
class HelloTest {
    private static final PortType ASKED_FOR = PortType.oneToOne();
    private static final PortType HANDED_OVER = PortType.oneToOne().with(Capability.UPCALLS);

    @Test
    void a_client_says_hello_to_a_server_that_receives() throws Exception {
        try (var pool = new Pool()) {
            assertThat(pool.run(2, HelloTest::explicit)).containsOnlyOnce("Hello, server", "said");
        }
    }

    private static String explicit(Node node) {
        var server = node.elections().elect("server").winner();
        if (!server.id().equals(node.id())) {
            return greet(node, server, ASKED_FOR);
        }
        try (var in = ReceivePort.open(node, ASKED_FOR, "in");
                var message = in.receive()) {
            return message.readString();
        }
    }

    private static String greet(Node node, Member server, PortType type) {
        try (var out = SendPort.open(node, type, "out")) {
            out.connect(server.id(), "in");
            try (var message = out.newMessage()) {
                message.writeString("Hello, server").finish();
            }
            return "said";
        }
    }

    @Test
    void a_client_says_hello_to_a_server_with_an_upcall() throws Exception {
        try (var pool = new Pool()) {
            assertThat(pool.run(2, HelloTest::upcall)).containsOnlyOnce("Hello, server", "said");
        }
    }

    private static String upcall(Node node) throws Exception {
        var server = node.elections().elect("server").winner();
        if (!server.id().equals(node.id())) {
            return greet(node, server, HANDED_OVER);
        }
        var heard = new CompletableFuture<String>();
        var setup =
                ReceiveSetup.USUAL
                        .upcall(message -> heard.complete(message.readString()))
                        .disabled();
        try (var in = ReceivePort.open(node, HANDED_OVER, "in", setup)) {
            in.enableConnections();
            in.enableUpcalls();
            return heard.get(40, TimeUnit.SECONDS);
        }
    }
}
