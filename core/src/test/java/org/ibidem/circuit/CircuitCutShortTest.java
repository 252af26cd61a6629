package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.port.Segments;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The memory of a link is cut short by another process of the same user: the member is gone, with
/// the reason, for programs that pack pieces and for those that fill frames themselves.
// Compiled code throws what a fault of memory throws, but later than where that came about.
@Tag("cold")
@Isolated("it looks for what has come into being")
@Timeout(60)
class CircuitCutShortTest {
    private static final String CUT = "the shared memory was cut short";

    private final Group group = new Group(2);
    private List<Messages> ends = List.of();
    private Segments segments;

    @BeforeEach
    void look() {
        assumeTrue(Segments.canBeFound(), "there is no /proc/self/fd");
        segments = Segments.ofLinks();
    }

    @AfterEach
    void close() {
        ends.forEach(Messages::close);
        group.close();
    }

    private void open(String stack) {
        ends =
                group.stations.stream()
                        .map(station -> Messages.open(station, "pieces", group.ids(), stack))
                        .toList();
    }

    private static MemorySegment piece(int bytes) {
        return Arena.ofAuto().allocate(bytes);
    }

    private static void isGone(Throwable thrown, int member) {
        assertThat(thrown)
                .isInstanceOf(CircuitBroken.class)
                .hasMessageContaining("member " + member + " is gone")
                .hasMessageContaining(CUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "checksum > shm"})
    void who_packs_is_told_that_the_member_is_gone_and_so_is_the_next(String stack) {
        open(stack);
        var message = ends.getFirst().begin(1);
        message.pack(piece(100), SendMode.CHEAPER);
        segments.cutShort(1);
        isGone(
                catchThrowable(() -> {
                    message.pack(piece(100), SendMode.CHEAPER);
                    message.end();
                }),
                1);
        try (var next = ends.getFirst().begin(1)) { // nobody waits for the one before
            isGone(catchThrowable(() -> next.pack(piece(1), SendMode.CHEAPER)), 1);
        } catch (CircuitBroken e) {
            isGone(e, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "checksum > shm"})
    void who_unpacks_is_told_so_too(String stack) {
        open(stack);
        try (var message = ends.getFirst().begin(1)) {
            message.pack(piece(100), SendMode.CHEAPER);
        }
        var message = ends.getLast().receive();
        segments.cutShort(1);
        isGone(catchThrowable(() -> message.unpack(piece(100), ReceiveMode.EXPRESS)), 0);
        message.close();
        assertThat(catchThrowable(() -> ends.getLast().receive()))
                .isInstanceOf(CircuitBroken.class)
                .hasMessageContaining("all other members");
    }

    @Test
    void who_fills_frames_asks_the_circuit_what_it_means() {
        open("shm");
        var circuit = ends.getFirst().circuit();
        var room = new Frame();
        ends.getFirst().claim(1, room, 8);
        segments.cutShort(1);
        circuit.enter();
        try {
            var cut = catchThrowable(() -> room.memory.set(Mailbox.LONG, room.position, 1));
            assertThat(cut).isInstanceOf(InternalError.class);
            isGone(circuit.unwritable(1, (InternalError) cut), 1);
            isGone(catchThrowable(() -> circuit.claim(1, room, 8)), 1);
        } finally {
            circuit.leave();
        }
    }
}
