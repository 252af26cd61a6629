package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.Background;
import org.ibidem.service.Station;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// A stack that is rebuilt again and again while it is in use.
@ParameterizedClass
@ValueSource(
        strings = {
            "loopback",
            "shm",
            "tcp",
            "multi(loopback, tcp)",
            "multicast > checksum > tcp",
            "multiplex > tcp"
        })
@Timeout(60)
class ComingAndGoingTest {
    private static final int VISITS = 30;
    private static final int LAST = -1;

    private final PortType type;
    private final Pair pair = new Pair();
    private final Station third = pair.station();
    private final SendPort out;

    ComingAndGoingTest(String stack) {
        this.type = PortType.oneToMany().stack(stack);
        this.out = pair.send(pair.here, type, "out");
    }

    @AfterEach
    void close() {
        out.close();
        third.close();
        pair.close();
    }

    @Test
    void receivers_come_and_go_under_a_busy_writer() {
        var steady = pair.receive(pair.there, type, "steady");
        out.connect(pair.there.id(), "steady");
        var done = new AtomicBoolean();
        var writer =
                Background.run(() -> {
                    for (int i = 0; !done.get(); i++) {
                        numbered(out, i);
                    }
                    numbered(out, LAST);
                });
        var visits =
                Background.run(() -> {
                    for (int i = 0; i < VISITS; i++) {
                        visit();
                    }
                    done.set(true);
                });
        int got = number(steady);
        for (int next = 0; got != LAST; next++) {
            assertThat(got).isEqualTo(next);
            got = number(steady);
        }
        writer.join();
        visits.join();
        out.disconnect();
        steady.close();
    }

    /// Reads a few, consecutive ones, then has the writer let go of it.
    private void visit() {
        try (var in = pair.receive(third, type, "visitor")) {
            out.connect(third.id(), "visitor");
            int first = number(in);
            for (int i = 1; i < 5; i++) {
                assertThat(number(in)).isEqualTo(first + i);
            }
            var rest = Background.run(() -> readOn(in, first + 5));
            assertThat(out.disconnect(third.id(), "visitor")).isTrue();
            rest.join();
        }
    }

    private static void readOn(ReceivePort in, int from) {
        for (int next = from; !in.connections().isEmpty(); ) {
            try (var message = in.poll()) {
                if (message != null) {
                    assertThat(message.readInt()).isEqualTo(next++);
                }
            }
        }
    }

    private static void numbered(SendPort out, int number) {
        try (var message = out.newMessage()) {
            message.writeInt(number);
            if (number % 10 == 0) {
                message.writeArray(new byte[300_000]);
            }
            message.finish();
        }
    }

    private static int number(ReceivePort in) {
        try (var message = in.receive()) {
            return message.readInt();
        }
    }
}
