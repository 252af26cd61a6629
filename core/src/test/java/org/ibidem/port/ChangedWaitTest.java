package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/// How a port waits is changed while it waits: asleep, spinning, or without room.
@Timeout(60)
class ChangedWaitTest {
    private static final List<WaitPolicy> ALL =
            List.of(
                    WaitPolicy.SLEEP,
                    WaitPolicy.SPIN_ONLY,
                    WaitPolicy.ADAPTIVE,
                    WaitPolicy.fixed(20_000));

    private static void send(SendPort out, byte[] bytes) {
        try (var message = out.newMessage()) {
            message.writeArray(bytes).finish();
        }
    }

    @ParameterizedTest
    @Stacks({"loopback", "shm", "tcp"})
    void a_reader_gets_what_comes_after_each_change(String stack) throws Exception {
        var type = PortType.oneToOne().stack(stack);
        try (var pair = new Pair();
                var in = ReceivePort.open(pair.there, type, "in", ReceiveSetup.USUAL);
                var out = SendPort.open(pair.here, type, "out", SendSetup.USUAL)) {
            out.connect(pair.there.id(), "in");
            var reading =
                    Background.run(() -> {
                        for (int i = 0; i < 2 * ALL.size() * ALL.size(); i++) {
                            try (var message = in.receive()) {
                                message.readArray(new byte[1]);
                            }
                        }
                    });
            int sent = 0;
            for (var first : ALL) {
                for (var second : ALL) {
                    in.waiting(first);
                    send(out, new byte[1]);
                    int before = ++sent;
                    eventually("it has read", () -> in.messages() == before);
                    in.waiting(second); // while it waits for the next one
                    send(out, new byte[1]);
                    int after = ++sent;
                    eventually("it has read then", () -> in.messages() == after);
                }
                pair.there.waiting().choose(first); // holds where the port has none
                in.waiting(null);
            }
            reading.get();
        }
    }

    @ParameterizedTest
    @Stacks({"shm", "tcp"})
    void a_writer_without_room_goes_on_after_each_change(String stack) throws Exception {
        var type = PortType.oneToOne().stack(stack);
        var bytes = new byte[1 << 20];
        var written = new AtomicInteger();
        try (var pair = new Pair();
                var in = ReceivePort.open(pair.there, type, "in", ReceiveSetup.USUAL);
                var out = SendPort.open(pair.here, type, "out", SendSetup.USUAL)) {
            out.connect(pair.there.id(), "in");
            var writing =
                    Background.run(() -> {
                        for (int i = 0; i < ALL.size() * ALL.size(); i++) {
                            send(out, bytes);
                            written.incrementAndGet();
                        }
                    });
            for (var first : ALL) {
                for (var second : ALL) {
                    out.waiting(first);
                    try (var message = in.receive()) {
                        out.waiting(second);
                        message.readArray(new byte[bytes.length]);
                    }
                }
            }
            writing.get();
            assertThat(written).hasValue(ALL.size() * ALL.size());
        }
    }
}
