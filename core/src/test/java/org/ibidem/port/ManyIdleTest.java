package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.util.ArrayList;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One receive port with many links of which few are busy.
@Tag("slow")
@Timeout(60)
@Isolated("looks again and again, which others make slow")
class ManyIdleTest {
    private static final PortType TYPE = PortType.manyToOne().stack("shm");
    private static final int LINKS = 70; // in two words, whatever else there is
    private static final int TIMES = 300;

    @ParameterizedTest
    @ValueSource(strings = {"spin", "sleep", "adaptive"})
    void whoever_has_been_idle_for_long_is_heard_beside_one_that_is_busy(String waiting) {
        Seeded.times(1, random -> idle(waiting, random));
    }

    private static void idle(String waiting, RandomGenerator random) {
        try (var pair = new Pair();
                var in = pair.receive(pair.there, TYPE, "in")) {
            in.waiting(WaitPolicy.parse(waiting));
            var out = new ArrayList<SendPort>();
            for (int i = 0; i < LINKS; i++) {
                out.add(pair.send(pair.here, TYPE, "out"));
                out.getLast().connect(pair.there.id(), "in");
            }
            eventually("all are connected", () -> in.connections().size() == LINKS);
            var expected = new int[LINKS];
            for (int i = 0; i < TIMES; i++) {
                int busy = expected[0];
                expected[0] += busy(in, out.getFirst(), busy, random);
                int which = random.nextInt(LINKS);
                send(out.get(which), which, expected[which]);
                read(in, which, expected[which]++);
            }
            out.forEach(SendPort::close);
        }
    }

    /// Long enough, mostly, that all others rest.
    private static int busy(ReceivePort in, SendPort out, int first, RandomGenerator random) {
        int times = random.nextInt(300);
        for (int i = 0; i < times; i++) {
            send(out, 0, first + i);
            read(in, 0, first + i);
        }
        return times;
    }

    private static void send(SendPort out, int which, int number) {
        try (var message = out.newMessage()) {
            message.writeInt(which).writeInt(number).finish();
        }
    }

    private static void read(ReceivePort in, int which, int number) {
        try (var message = in.receive()) {
            assertThat(message.readInt()).isEqualTo(which);
            assertThat(message.readInt()).isEqualTo(number);
        }
    }
}
