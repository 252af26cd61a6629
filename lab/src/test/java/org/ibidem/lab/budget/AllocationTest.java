package org.ibidem.lab.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of primitives and arrays with explicit receive allocate nothing in steady state.
@Timeout(120)
@Isolated("looks again and again, which others make slow")
class AllocationTest {
    private static final int COUNT = 2_000;

    /// Bytes of all messages of a round, about, where the messages are large.
    private static final int MUCH = 1 << 26;

    /// Of all messages of a round together: what the JVM itself does now and then, and waiting in a
    /// selector for the first time. The smallest object for each message is more.
    private static final long MOST_BYTES = 5 * COUNT;

    /// What a frame of a message holds besides its array, about.
    private static final int FRAME = 48;

    /// By which two loops around the same engines differ, for a message.
    private static final long ABOUT = 300;

    /// On a busy machine the compiler may not be done with the first ones.
    private static final int MOST_ROUNDS = 1_500;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "shm", "tcp", "fragment(size=512) > tcp", "checksum > tcp"})
    void no_bytes_for_a_message(String stack) throws Exception {
        play(stack, new Amount(100, COUNT, MOST_BYTES));
    }

    /// Larger than a ring at its beginning, than a buffer of the pool, than what a socket takes.
    @Tag("lab")
    @ParameterizedTest
    @CsvSource({
        "shm, 64",
        "shm, 1024",
        "tcp, 64",
        "tcp, 1024",
        "fragment(size=16k) > shm, 1024",
        "fragment(size=16k) > tcp, 64"
    })
    void no_bytes_for_a_large_message(String stack, int kibibytes) throws Exception {
        int bytes = kibibytes * 1024;
        play(stack, new Amount(bytes / Double.BYTES, MUCH / bytes, MOST_BYTES));
    }

    /// About what the engines of the JDK allocate themselves for as many bytes: how much that is
    /// follows from what the compiler makes of them. To the byte: `GarbageTest` in `core`. Where C1
    /// alone compiles, ciphers take a hundred times as long.
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"100, 1000", "8192, 300"})
    void about_as_many_bytes_for_an_encrypted_message_as_by_the_engines_alone(
            int doubles, int count) throws Exception {
        long bare = BareTls.bytes(doubles * Double.BYTES + FRAME, count);
        play("tls > tcp", new Amount(doubles, count, bare + count * ABOUT));
    }

    /// What is written once is read by three, of whom one answers.
    @Test
    void no_bytes_for_a_message_to_several() throws Exception {
        var type = PortType.oneToMany().stack("shm");
        var others = new ArrayList<CompletableFuture<Void>>();
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var here = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var there = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var in = ReceivePort.open(there, type, "in");
                var second = ReceivePort.open(there, type, "second");
                var third = ReceivePort.open(there, type, "third");
                var out = SendPort.open(here, type, "out");
                var backIn = ReceivePort.open(here, type, "back");
                var backOut = SendPort.open(there, type, "back")) {
            for (var each : List.of(in, second, third)) {
                out.connect(there.id(), each.name());
            }
            for (var each : List.of(second, third)) {
                var done = new CompletableFuture<Void>();
                others.add(done);
                Thread.ofPlatform().start(() -> readAll(each, done));
            }
            backOut.connect(here.id(), "back");
            var echo = new CompletableFuture<Long>();
            var amount = new Amount(100, COUNT, MOST_BYTES);
            Thread.ofPlatform()
                    .start(() -> echo.complete(new Player(in, backOut, amount).follow()));
            long asked = new Player(backIn, out, amount).lead();
            assertThat(asked).as("bytes for asking and hearing").isLessThan(MOST_BYTES);
            assertThat(echo.join()).as("bytes for hearing and answering").isLessThan(MOST_BYTES);
            for (var other : others) {
                other.join();
            }
        }
    }

    private static void readAll(ReceivePort in, CompletableFuture<Void> done) {
        int number = 0;
        while (number != -1) {
            try (var message = in.receive()) {
                number = message.readInt();
            }
        }
        done.complete(null);
    }

    private static void play(String stack, Amount amount) throws Exception {
        var type = PortType.oneToOne().stack(stack);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var here = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var there = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out");
                var backIn = ReceivePort.open(here, type, "back");
                var backOut = SendPort.open(there, type, "back")) {
            out.connect(there.id(), "in");
            backOut.connect(here.id(), "back");
            var echo = new CompletableFuture<Long>();
            Thread.ofPlatform()
                    .start(() -> echo.complete(new Player(in, backOut, amount).follow()));
            long asked = new Player(backIn, out, amount).lead();
            assertThat(asked).as("bytes for asking and hearing").isLessThan(amount.most);
            assertThat(echo.join()).as("bytes for hearing and answering").isLessThan(amount.most);
        }
    }

    /// @param doubles in a message
    /// @param count messages of a round
    /// @param most bytes that a round may allocate at each side
    private record Amount(int doubles, int count, long most) {}

    /// One side; says in every message whether it has had a round without garbage.
    private static final class Player {
        private final ReceivePort in;
        private final SendPort out;
        private final int count;
        private final long most;
        private final double[] doubles;
        private long least = Long.MAX_VALUE;
        private boolean otherDone;

        Player(ReceivePort in, SendPort out, Amount amount) {
            this.in = in;
            this.out = out;
            this.doubles = new double[amount.doubles];
            this.count = amount.count;
            this.most = amount.most;
        }

        long lead() {
            for (int i = 0; i < MOST_ROUNDS && !(done() && otherDone); i++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int number = 0; number < count; number++) {
                    send(number);
                    receive(number);
                }
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            send(-1);
            return least;
        }

        long follow() {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int number = 0; receive(number); number = (number + 1) % count) {
                send(number);
                if (number == count - 1) {
                    long now = THREADS.getCurrentThreadAllocatedBytes();
                    least = Math.min(least, now - before);
                    before = now;
                }
            }
            return least;
        }

        private boolean done() {
            return least < most;
        }

        private void send(int number) {
            try (var message = out.newMessage()) {
                message.writeInt(number).writeLong(number).writeBoolean(done());
                message.writeArray(doubles, 0, doubles.length).finish();
            }
        }

        /// False: that was the last one.
        private boolean receive(int number) {
            try (var message = in.receive()) {
                int got = message.readInt();
                if (got != -1 && (got != number || message.readLong() != number)) {
                    throw new AssertionError(got + " instead of message " + number);
                }
                if (got != -1) {
                    otherDone = message.readBoolean();
                    message.readArray(doubles, 0, doubles.length);
                }
                return got != -1;
            }
        }
    }
}
