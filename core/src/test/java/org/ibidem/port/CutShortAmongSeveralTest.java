package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The memory of one of several connections is cut short: the others go on.
// Compiled code throws what a fault of memory throws, but later than where that came about.
@Tag("cold")
@Isolated("it looks for what has come into being")
@Timeout(60)
class CutShortAmongSeveralTest {
    private static final String CUT = "the shared memory was cut short";

    private final Pair pair = new Pair();
    private Segments segments;
    private Collection<Path> mine = List.of();

    @BeforeEach
    void look() {
        assumeTrue(Segments.canBeFound(), "there is no /proc/self/fd");
        segments = Segments.ofLinks();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /// Connects to three, and notes where the memory of one of them is.
    private void connect(SendPort out, List<ReceivePort> ins, int which) {
        for (int i = 0; i < 3; i++) {
            ins.add(pair.receive(pair.there, out.type(), "in " + i));
            out.connect(pair.there.id(), "in " + i);
            if (i < which) {
                segments.spare();
            } else if (i == which) {
                mine = segments.found();
            }
        }
    }

    private static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    private static int receive(ReceivePort in) {
        while (true) {
            try (var message = in.receive()) {
                return message.readInt();
            } catch (InternalError e) { // of the memory that is gone, which had no message
                assertThat(e).matches(Segments::isLate, "told late");
            }
        }
    }

    /// The first one's memory is written to, and copied from there to the others.
    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "2, false", "0, true", "1, true", "2, true"})
    void of_several_receivers_the_others_stay(int which, boolean afterAPart) {
        var type = PortType.oneToMany().stack("shm");
        var ins = new ArrayList<ReceivePort>();
        try (var out = pair.send(pair.here, type, "out")) {
            connect(out, ins, which);
            var message = out.newMessage();
            message.writeInt(1);
            if (afterAPart) {
                message.flush();
            }
            message.writeInt(2);
            Segments.cutShort(mine);
            var thrown = catchThrowable(() -> message.writeArray(new int[100]).finish());
            message.close();
            if (thrown != null && !Segments.isLate(thrown)) {
                assertThat(thrown).isInstanceOf(ConnectionLost.class);
            }
            if (thrown == null || !said(thrown).contains("in " + which)) { // told with the next
                assertThatThrownBy(() -> send(out, 3))
                        .isInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("in " + which)
                        .hasMessageContaining(CUT);
            }
            assertThat(out.connections()).hasSize(2);
            ins.remove(which).close();
            send(out, 4);
            for (var in : ins) {
                assertThat(next(in)).isEqualTo(4);
            }
        } finally {
            ins.forEach(ReceivePort::close);
        }
    }

    /// Whose memory is only copied to is left out, and the others get the message whole; unless the
    /// JVM speaks so late, in compiled code, that it cannot be told whose it was: then the message
    /// is given up. (That the copy itself is caught: `MulticastTest`.)
    @ParameterizedTest
    @CsvSource({"1, shm", "2, shm", "1, checksum > shm", "2, checksum > shm"})
    void a_copy_that_fails_costs_one_receiver(int which, String stack) {
        var type = PortType.oneToMany().stack(stack);
        var ins = new ArrayList<ReceivePort>();
        try (var out = pair.send(pair.here, type, "out")) {
            connect(out, ins, which);
            var message = out.newMessage();
            message.writeInt(1).writeInt(2);
            Segments.cutShort(mine);
            var late = catchThrowable(() -> message.writeArray(new int[100]).finish());
            message.close();
            boolean whole = late == null || said(late).contains("in " + which);
            var told = late != null && whole ? late : catchThrowable(() -> send(out, 3));
            assertThat(told)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("in " + which)
                    .hasMessageContaining(CUT);
            assertThat(out.connections()).hasSize(2);
            ins.remove(which).close();
            send(out, 4);
            for (var in : ins) {
                if (whole) {
                    try (var all = in.receive()) {
                        assertThat(all.readInt()).isEqualTo(1);
                        assertThat(all.readInt()).isEqualTo(2);
                        all.readArray(new int[100]);
                    }
                }
                assertThat(next(in)).isEqualTo(4);
            }
        } finally {
            ins.forEach(ReceivePort::close);
        }
    }

    /// What the JVM says of a connection's memory when that was found to be gone already, as it may
    /// of a second look at it, costs no other connection.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void what_is_said_twice_is_of_the_same_one(int which) {
        var type = PortType.oneToMany().stack("shm");
        var ins = new ArrayList<ReceivePort>();
        try (var out = pair.send(pair.here, type, "out")) {
            connect(out, ins, which);
            var message = out.newMessage();
            message.writeInt(1).flush();
            Segments.cutShort(mine);
            var found = catchThrowable(() -> message.writeInt(2).flush());
            assertThat(found == null || Segments.isLate(found)).as("%s", found).isTrue();
            message.close();
            assertThatThrownBy(() -> send(out, 3)).hasMessageContaining("in " + which);
            assertThat(out.connections()).hasSize(2);
            ins.remove(which).close();
            send(out, 4);
            for (var in : ins) {
                assertThat(next(in)).isEqualTo(4);
            }
        } finally {
            ins.forEach(ReceivePort::close);
        }
    }

    private static String said(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    /// The next message; of those before there may be nothing, a part or all.
    private static int next(ReceivePort in) {
        while (true) {
            try (var message = in.receive()) {
                int first = message.readInt();
                if (first == 3) {
                    continue; // by which the sender was told
                }
                if (first != 1) {
                    return first;
                }
                assertThat(message.readInt()).isEqualTo(2);
                message.readArray(new int[100]);
            } catch (MessageAbandoned e) {
                assertThat(e).hasMessageContaining("out");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void of_several_senders_the_others_are_heard(int which) {
        var type = PortType.manyToOne().stack("shm");
        var outs = new ArrayList<SendPort>();
        try (var in = pair.receive(pair.there, type, "in")) {
            for (int i = 0; i < 3; i++) {
                outs.add(pair.send(pair.here, type, "out " + i));
                outs.get(i).connect(pair.there.id(), "in");
                if (i < which) {
                    segments.spare();
                } else if (i == which) {
                    mine = segments.found();
                }
            }
            for (var out : outs) {
                send(out, 1);
                assertThat(receive(in)).isEqualTo(1);
            }
            Segments.cutShort(mine);
            outs.remove(which);
            for (int i = 0; i < 1000; i++) {
                send(outs.get(i % 2), i);
                assertThat(receive(in)).isEqualTo(i); // a loss is told where there is no message
            }
            Throwable loss = null;
            while (loss == null || Segments.isLate(loss)) {
                loss = catchThrowable(in::poll);
            }
            assertThat(loss)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("out " + which)
                    .hasMessageContaining(CUT);
            assertThat(in.connections()).hasSize(2);
        } finally {
            outs.forEach(SendPort::close);
        }
    }
}
