package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.util.Arrays;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;

/// A stack that is rebuilt again and again while it is in use.
@ParameterizedClass
@Stacks({
    "loopback",
    "shm",
    "tcp",
    "multi(loopback, tcp)",
    "multicast > checksum > tcp",
    "multiplex > tcp"
})
@Timeout(60)
@Isolated("looks again and again, which others make slow")
class ComingAndGoingTest {
    private static final int VISITS = 30;
    private static final int VISITORS = 200;
    private static final int WORDS = 5;
    private static final int LARGE = 300_000;
    private static final int LAST = -1;

    private final PortType type;
    private final PortType fromMany;
    private final Pair pair = new Pair();
    private final NodeRuntime third = pair.runtime();
    private final SendPort out;

    ComingAndGoingTest(String stack) {
        this.type = PortType.oneToMany().stack(stack);
        this.fromMany = PortType.manyToOne().stack(stack.replace("multicast", "multireceive"));
        this.out = pair.send(pair.here, type, "out");
    }

    @AfterEach
    void close() {
        out.close();
        third.close();
        pair.close();
    }

    @Test
    @Tag("slow")
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

    /// Each visitor goes when it has said its words, read or not.
    @Test
    @Tag("slow")
    void senders_come_and_go_under_a_busy_reader() {
        var in = pair.receive(pair.there, fromMany, "in");
        var done = new AtomicBoolean();
        var steady =
                Background.run(() -> {
                    try (var mine = pair.send(pair.here, fromMany, "steady")) {
                        mine.connect(pair.there.id(), "in");
                        for (int i = 0; !done.get(); i++) {
                            say(mine, i, i % 10 == 0);
                        }
                        say(mine, LAST, false);
                    }
                });
        var visits =
                Background.run(() -> {
                    for (int i = 0; i < VISITORS; i++) {
                        try (var visitor = pair.send(third, fromMany, "visitor " + i)) {
                            visitor.connect(pair.there.id(), "in");
                            for (int word = 0; word < WORDS; word++) {
                                say(visitor, word, word == i % WORDS);
                            }
                        }
                    }
                    done.set(true);
                });
        var next = new HashMap<Origin, Integer>();
        int words = 0;
        for (boolean more = true; more || words < VISITORS * WORDS; ) {
            try (var message = in.receive()) {
                int number = heard(message, next.getOrDefault(message.origin(), 0));
                next.put(message.origin(), number + 1);
                words += message.origin().node().equals(third.id()) ? 1 : 0;
                more &= number != LAST;
            }
        }
        steady.join();
        visits.join();
        assertThat(next).as("each is heard").hasSize(VISITORS + 1);
        eventually(
                "all have gone",
                () -> {
                    assertThat(in.poll()).as("more than was said").isNull();
                    return in.connections().isEmpty();
                });
        in.close();
    }

    /// In the middle of a large one others are there to come between its frames.
    private static void say(SendPort out, int number, boolean large) {
        var body = new byte[large ? LARGE : 10];
        Arrays.fill(body, mark(out.name(), number));
        try (var message = out.newMessage()) {
            message.writeInt(number).writeInt(body.length).writeArray(body).finish();
        }
    }

    private static byte mark(String name, int number) {
        return (byte) (name.hashCode() * 31 + number);
    }

    /// Reads the one with this number, or the last.
    private static int heard(ReadMessage message, int expected) {
        int number = message.readInt();
        var body = new byte[message.readInt()];
        message.readArray(body);
        if (number != LAST) {
            assertThat(number).as("number from %s", message.origin()).isEqualTo(expected);
        }
        var whole = new byte[body.length];
        Arrays.fill(whole, mark(message.origin().port(), number));
        assertThat(Arrays.equals(body, whole)).as("of %s alone", message.origin()).isTrue();
        return number;
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
                message.writeArray(new byte[LARGE]);
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
