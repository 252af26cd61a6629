package org.ibidem.port;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.params.ParameterizedTest;

class SpinningWriterTest {
    private static final int LARGER_THAN_ANY_RING = 8 << 20;

    @ParameterizedTest
    @Stacks({"loopback", "shm", "tcp"})
    void a_writer_that_never_sleeps_wakes_a_reader_that_does_when_it_runs_out_of_room(
            String stack) {
        var type = PortType.oneToOne().stack(stack);
        try (var pair = new Pair();
                var in =
                        ReceivePort.open(
                                pair.there,
                                type,
                                "in",
                                ReceiveSetup.USUAL.waiting(WaitPolicy.SLEEP));
                var out =
                        SendPort.open(
                                pair.here,
                                type,
                                "out",
                                SendSetup.USUAL.waiting(WaitPolicy.SPIN_ONLY))) {
            out.connect(pair.there.id(), "in");
            var got = new byte[LARGER_THAN_ANY_RING];
            var reading = Background.run(() -> read(in, got));
            assertTimeoutPreemptively(
                    ofSeconds(20),
                    () -> {
                        var sent = new byte[LARGER_THAN_ANY_RING];
                        sent[LARGER_THAN_ANY_RING - 1] = 7;
                        var message = out.newMessage();
                        message.writeArray(sent);
                        message.finish();
                        reading.get();
                    });
            assertThat(got[LARGER_THAN_ANY_RING - 1]).isEqualTo((byte) 7);
        }
    }

    private static void read(ReceivePort in, byte[] into) {
        try (var message = in.receive()) {
            message.readArray(into);
        }
    }
}
