package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The memory of one of several connections is cut short under objects: what follows comes whole to
/// the others, and is not changed by what was given up.
// Compiled code throws what a fault of memory throws, but later than where that came about.
@Tag("cold")
@Isolated("it looks for what has come into being")
@Timeout(60)
class ObjectsCutShortTest {
    private static final PortType TYPE = PortType.oneToMany().stack("shm").data(Data.OBJECT);
    private static final int RECEIVERS = 3;
    private static final int BROKEN = 1;
    private static final int PLAIN = 100;

    /// A message at a time is read, and it fits into a ring.
    private static final int ROUNDS = 4;

    private final Pair pair = new Pair();
    private final List<ReceivePort> ins = new ArrayList<>();
    private Segments segments;
    private Collection<Path> mine = List.of();

    /// What ended a task of the nodes.
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();

    private Thread.UncaughtExceptionHandler usual;

    @BeforeEach
    void look() {
        usual = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, e) -> thrown.add(e));
        assumeTrue(Segments.canBeFound(), "there is no /proc/self/fd");
        segments = Segments.ofLinks();
    }

    @AfterEach
    void close() {
        ins.forEach(ReceivePort::close);
        pair.close();
        Thread.setDefaultUncaughtExceptionHandler(usual);
        assertThat(thrown).isEmpty();
    }

    /// An object that can be named.
    static final class Leaf implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number;

        Leaf(int number) {
            this.number = number;
        }
    }

    /// Cuts the memory short where it is written.
    @SuppressWarnings("serial")
    private final class Cut implements Serializable {
        private static final long serialVersionUID = 2L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(BROKEN);
            Segments.cutShort(mine);
        }
    }

    /// Where the memory is when the message is begun, and what is done to it then.
    enum When {
        IN_THE_OBJECT,
        BEFORE_A_PLAIN_WRITE,
        BEFORE_THE_END
    }

    private static Stream<Arguments> cases() {
        return IntStream.range(0, RECEIVERS)
                .boxed()
                .flatMap(which ->
                        Stream.of(When.values())
                                .flatMap(when ->
                                        Stream.of(false, true)
                                                .flatMap(shared ->
                                                        Stream.of(false, true)
                                                                .map(known ->
                                                                        Arguments.of(
                                                                                which, when,
                                                                                shared, known)))));
    }

    /// So many leaves, each of them twice or not.
    private static Object[] leaves(int count, boolean shared) {
        var all = IntStream.range(0, count).mapToObj(Leaf::new).toArray();
        var graph = Arrays.copyOf(all, shared ? 2 * count : count);
        if (shared) {
            System.arraycopy(all, 0, graph, count, count);
        }
        return graph;
    }

    private static void requireLeaves(Object got, int count, boolean shared) {
        var graph = (Object[]) got;
        assertThat(graph).hasSize(shared ? 2 * count : count);
        for (int i = 0; i < count; i++) {
            assertThat(((Leaf) graph[i]).number).isEqualTo(i);
            if (shared) {
                assertThat(graph[count + i]).isSameAs(graph[i]);
            }
        }
    }

    private SendPort connected(int which) {
        var out = pair.send(pair.here, TYPE, "out");
        for (int i = 0; i < RECEIVERS; i++) {
            ins.add(pair.receive(pair.there, TYPE, "in " + i));
            out.connect(pair.there.id(), "in " + i);
            if (i < which) {
                segments.spare();
            } else if (i == which) {
                mine = segments.found();
            }
        }
        return out;
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("cases")
    void the_others_get_the_objects_that_follow(
            int which, When when, boolean shared, boolean known) {
        try (var out = connected(which)) {
            if (known) {
                send(out, PLAIN, shared);
                ins.forEach(in -> receive(in, PLAIN, shared));
            }
            var message = out.newMessage();
            message.writeInt(BROKEN);
            var thrown = catchThrowable(() -> breakUnder(message, when, shared));
            message.close();
            assertThat(out.turn().isMine()).isFalse();
            tell(out, thrown, which);
            assertThat(out.connections()).hasSize(RECEIVERS - 1);
            ins.remove(which).close();
            for (int i = 0; i < ROUNDS; i++) {
                int number = PLAIN + i;
                boolean both = (i & 1) == 0 == shared;
                send(out, number, both);
                ins.forEach(in -> receive(in, number, both));
            }
        }
    }

    private void breakUnder(WriteMessage message, When when, boolean shared) {
        if (when == When.IN_THE_OBJECT) {
            var graph = new ArrayList<Object>(List.of(leaves(10, shared)));
            graph.add(new Cut());
            graph.addAll(List.of(leaves(50_000, shared)));
            message.writeObject(graph);
        } else {
            message.writeObject(leaves(10, shared));
            Segments.cutShort(mine);
        }
        if (when == When.BEFORE_A_PLAIN_WRITE) {
            message.writeArray(new int[1000]);
        }
        message.finish();
    }

    /// The sender is told which it was, at once or with the next message: the JVM may speak of a
    /// copy when it is over.
    private static void tell(SendPort out, Throwable thrown, int which) {
        if (thrown != null && !Segments.isLate(thrown)) {
            assertThat(thrown).isInstanceOf(ConnectionLost.class);
        }
        if (thrown == null || !String.valueOf(thrown.getMessage()).contains("in " + which)) {
            assertThatThrownBy(() -> send(out, 0, false))
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("in " + which)
                    .hasMessageContaining("the shared memory was cut short");
        }
    }

    /// Numbers, and behind them objects in one message, and numbers alone in the next.
    private static void send(SendPort out, int number, boolean shared) {
        var numbers = numbers(number);
        try (var message = out.newMessage()) {
            message.writeInt(number).writeArray(numbers);
            message.writeObject(leaves(20, shared)).writeArray(numbers).finish();
        }
        try (var message = out.newMessage()) {
            message.writeInt(-number).writeArray(numbers).finish();
        }
    }

    private static int[] numbers(int number) {
        var numbers = new int[64];
        Arrays.fill(numbers, number);
        return numbers;
    }

    private static void receive(ReceivePort in, int number, boolean shared) {
        var got = new int[64];
        try (var message = following(in, number)) {
            message.readArray(got);
            assertThat(got).containsOnly(number);
            requireLeaves(message.readObject(), 20, shared);
            message.readArray(got);
            assertThat(got).containsOnly(number);
        }
        try (var message = in.receive()) {
            assertThat(message.readInt()).isEqualTo(-number);
            message.readArray(got);
            assertThat(got).containsOnly(number);
        }
    }

    /// The message of this number; what was broken before may have come in part or whole, and so
    /// may the one by which the sender was told.
    private static ReadMessage following(ReceivePort in, int number) {
        while (true) {
            ReadMessage message = null;
            try {
                message = in.receive();
                int first = message.readInt();
                if (first == number) {
                    return message;
                }
                assertThat(first).isIn(BROKEN, 0);
            } catch (MessageAbandoned e) {
                assertThat(e).hasMessageContaining("out");
            }
            if (message != null) {
                close(message);
            }
        }
    }

    /// It may be known only at its end that it was given up.
    private static void close(ReadMessage message) {
        try {
            message.close();
        } catch (MessageAbandoned e) {
            assertThat(e).hasMessageContaining("out");
        }
    }
}
