package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.connect.Unreachable;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a killed hub means for ports.
@Tag("lab")
class HubKilledTest {
    private final PortType type = PortType.oneToOne().stack("tcp");

    private static Node join(int port) {
        return Node.join(Join.pool("demo").hub("localhost:" + port));
    }

    @Test
    void connections_go_on_new_ones_fail_clearly_and_succeed_when_the_hub_is_back()
            throws Exception {
        try (var first = Other.hub(0)) {
            int port = Integer.parseInt(first.said("ready"));
            try (var one = join(port);
                    var two = join(port);
                    var three = join(port);
                    var in = ReceivePort.open(two, type, "in");
                    var out = SendPort.open(one, type, "out");
                    var never = ReceivePort.open(three, type, "in");
                    var late = SendPort.open(one, type, "late")) {
                one.awaitMembers(3, Other.LONG);
                out.connect(two.id(), "in");
                converse(out, in, 0);

                var lost = new CountDownLatch(1);
                var back = new CountDownLatch(1);
                one.events(event -> {
                    switch (event) {
                        case PoolEvent.HubLost _ -> lost.countDown();
                        case PoolEvent.HubBack _ -> back.countDown();
                        default -> {
                            // of no concern here
                        }
                    }
                });
                first.kill();
                assertThat(lost.await(Other.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
                converse(out, in, 100);
                assertThatThrownBy(() -> late.connect(three.id(), "in"))
                        .isInstanceOf(Unreachable.class)
                        .hasCauseInstanceOf(HubUnreachable.class)
                        .hasMessageContaining("localhost:" + port)
                        .hasMessageContaining(three.id().brief());
                converse(out, in, 200);

                try (var second = Other.hub(port)) {
                    assertThat(second.said("ready")).isEqualTo(String.valueOf(port));
                    assertThat(back.await(Other.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
                    late.connect(three.id(), "in");
                    converse(late, never, 300);
                    converse(out, in, 400);
                }
            }
        }
    }

    private static void converse(SendPort out, ReceivePort in, int from) {
        for (int i = from; i < from + 50; i++) {
            try (var message = out.newMessage()) {
                Role.write(message, i, 1000);
            }
            try (var message = in.receive()) {
                Role.verify(message, i, 1000);
            }
        }
    }
}
