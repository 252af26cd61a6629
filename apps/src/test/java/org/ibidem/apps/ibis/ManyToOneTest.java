package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.Capability;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several ports that send into one, whose program polls, waits for a while, or gets upcalls.
@Timeout(60)
class ManyToOneTest {
    private static final PortType ASKED_FOR = PortType.manyToOne();
    private static final PortType HANDED_OVER =
            PortType.manyToOne().with(Capability.UPCALLS).without(Capability.EXPLICIT);
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int SENDERS = 3;
    private static final int EACH = 20;

    @Test
    @Tag("slow")
    void a_program_polls_and_does_something_else_meanwhile() throws Exception {
        try (var pool = new Pool(1 + SENDERS)) {
            assertThat(
                            pool.run(
                                    1 + SENDERS,
                                    node -> node.rank() == 0 ? poll(node) : send(node, ASKED_FOR)))
                    .containsOnlyOnce(SENDERS * EACH);
        }
    }

    private static int send(Node node, PortType type) {
        assertThat(node.awaitClosed(LONG)).isTrue();
        try (var out = SendPort.open(node, type, "out " + node.rank())) {
            out.connect(node.member(0).orElseThrow().id(), "in");
            for (int i = 0; i < EACH; i++) {
                try (var message = out.newMessage()) {
                    message.writeString("from " + out.name()).finish();
                }
            }
        }
        return 0;
    }

    private static int poll(Node node) {
        var from = new HashSet<Origin>();
        int got = 0;
        try (var in = ReceivePort.open(node, ASKED_FOR, "in")) {
            while (got < SENDERS * EACH) {
                try (var message = got % 2 == 0 ? in.poll() : in.receive(Duration.ofMillis(5))) {
                    if (message != null) {
                        assertThat(message.readString())
                                .isEqualTo("from " + message.origin().port());
                        from.add(message.origin());
                        got++;
                    }
                }
            }
        }
        assertThat(from).hasSize(SENDERS);
        return got;
    }

    @Test
    void an_upcall_gets_one_message_after_the_other() throws Exception {
        try (var pool = new Pool(1 + SENDERS)) {
            assertThat(
                            pool.run(
                                    1 + SENDERS,
                                    node ->
                                            node.rank() == 0
                                                    ? serve(node)
                                                    : send(node, HANDED_OVER)))
                    .containsOnlyOnce(SENDERS * EACH);
        }
    }

    private static int serve(Node node) throws InterruptedException {
        var heard = new LinkedBlockingQueue<Origin>();
        var setup = ReceiveSetup.USUAL.upcall(message -> heard.add(message.origin()));
        try (var _ = ReceivePort.open(node, HANDED_OVER, "in", setup)) {
            var from = new HashSet<Origin>();
            int got = 0;
            for (; got < SENDERS * EACH; got++) {
                from.add(heard.poll(40, TimeUnit.SECONDS));
            }
            assertThat(from).hasSize(SENDERS);
            return got;
        }
    }
}
