package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// How one end finds the pipe that wakes the other.
@Timeout(20)
@Isolated("counts the files of the process")
class BellTest {
    private static final int AT = ReadyPlace.ACTIVE + BellPlace.BEHIND;

    private final MemorySegment segment = Arena.ofAuto().allocate(4096, 64);
    private final BellPlace place = new BellPlace(segment, AT);
    private final BellPipe pipe = made();
    private final ByteBuffer taken = ByteBuffer.allocate(64);

    private static BellPipe made() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "there is no /proc/self/fd");
        return Objects.requireNonNull(BellPipe.create());
    }

    @BeforeEach
    void tell() {
        place.tell(pipe);
    }

    @AfterEach
    void close() {
        pipe.close();
    }

    private BellPlace.Ringer found() {
        return Objects.requireNonNull(place.find());
    }

    private int drain() throws IOException {
        return pipe.drain(taken.clear());
    }

    @Test
    void the_other_end_finds_the_pipe_says_so_and_rings() throws IOException {
        assertThat(place.isOpened()).isFalse();
        var ringer = found();
        assertThat(place.isOpened()).isTrue();
        pipe.opened();
        assertThat(drain()).isZero();
        ringer.ring();
        ringer.ring();
        assertThat(drain()).isEqualTo(2);
        ringer.close();
        assertThat(drain()).as("the other end is gone").isEqualTo(-1);
    }

    @Test
    void what_is_told_stands_where_the_wire_page_says() {
        assertThat(AT).isEqualTo(160);
        assertThat(ReadyPlace.PASSIVE + BellPlace.BEHIND).isEqualTo(224);
        assertThat(segment.get(ValueLayout.JAVA_INT, AT))
                .isEqualTo((int) ProcessHandle.current().pid());
        int descriptor = segment.get(ValueLayout.JAVA_INT, AT + 4);
        assertThat(Path.of("/proc/self/fd/" + descriptor))
                .isSymbolicLink()
                .satisfies(file ->
                        assertThat(Files.readSymbolicLink(file))
                                .hasToString(
                                        "pipe:["
                                                + segment.get(ValueLayout.JAVA_LONG, AT + 8)
                                                + "]"));
        found().close();
        assertThat(segment.get(ValueLayout.JAVA_INT, AT + 16)).isEqualTo(1);
    }

    /// A file must not be opened for another's pipe, nor a pipe for another pipe.
    @Test
    void what_is_not_the_pipe_that_was_told_is_not_opened() throws IOException {
        var other = made();
        var file = Files.createTempFile("bell", "");
        try (var open = Files.newInputStream(file)) {
            segment.set(ValueLayout.JAVA_INT, AT + 4, other.descriptor);
            assertThat(place.find()).isNull();
            segment.set(ValueLayout.JAVA_INT, AT + 4, Integer.MAX_VALUE);
            assertThat(place.find()).isNull();
            segment.set(ValueLayout.JAVA_INT, AT + 4, pipe.descriptor);
            segment.set(ValueLayout.JAVA_INT, AT, Integer.MAX_VALUE);
            assertThat(place.find()).as("another process").isNull();
            segment.set(ValueLayout.JAVA_INT, AT, 0);
            assertThat(place.find()).as("there is no pipe").isNull();
            assertThat(open.available()).isZero();
        } finally {
            Files.delete(file);
            other.close();
        }
        assertThat(place.isOpened()).isFalse();
    }

    @Test
    @Tag("slow")
    void a_peer_that_takes_nothing_in_holds_nobody_up() throws IOException {
        var ringer = found();
        for (int i = 0; i < 1 << 17; i++) { // twice what a pipe holds
            ringer.ring();
        }
        int rings = 0;
        while (drain() > 0) {
            rings += taken.position();
        }
        assertThat(rings).isBetween(1024, 4096);
        ringer.ring();
        assertThat(drain()).as("it is heard again").isEqualTo(1);
        ringer.close();
    }

    @Test
    void who_rings_while_interrupted_rings_and_can_ring_again() throws IOException {
        var ringer = found();
        Thread.currentThread().interrupt();
        ringer.ring();
        assertThat(Thread.interrupted()).isTrue();
        ringer.ring();
        assertThat(drain()).isEqualTo(2);
        ringer.close();
    }

    @Test
    void who_rings_an_end_that_is_gone_is_told_so() {
        var ringer = found();
        pipe.close();
        assertThatThrownBy(ringer::ring).isInstanceOf(IOException.class);
        ringer.close();
    }

    @Test
    void nothing_stays_open() {
        long before = open();
        for (int i = 0; i < 20; i++) {
            var one = made();
            place.tell(one);
            var ringer = found();
            ringer.close();
            one.close();
        }
        eventually("all is closed", () -> open() <= before);
    }

    private static long open() {
        return Objects.requireNonNull(Path.of("/proc/self/fd").toFile().list()).length;
    }
}
