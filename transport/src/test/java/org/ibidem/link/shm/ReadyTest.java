package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.TestLower;
import org.ibidem.wait.Resting;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// How two ends find each other's ready words.
@Timeout(20)
@Isolated("looks at the files of the process")
class ReadyTest {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final int AT = ReadyPlace.ACTIVE;

    private final MemorySegment segment = Arena.ofAuto().allocate(4096, 64);
    private final ReadyPlace place = new ReadyPlace(segment, AT);

    @BeforeEach
    void needs() {
        assumeTrue(Files.isDirectory(FOLDER), "there is no " + FOLDER);
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "there is no /proc/self/fd");
    }

    private static ReadyPage page() {
        return Objects.requireNonNull(ReadyPage.create(FOLDER));
    }

    @Test
    void the_other_end_finds_the_bit_and_says_so() {
        var page = page();
        int slot = page.take();
        place.tell(page, slot);
        assertThat(place.told()).isFalse();
        Objects.requireNonNull(place.find()).set();
        assertThat(place.told()).isTrue();
        assertThat(page.bit(slot).take(-1)).isEqualTo(1L << slot % 64);
        assertThat(FOLDER.resolve("ibidem-ready-" + HexFormat.of().toHexDigits(page.key())))
                .as("a file with a name")
                .doesNotExist();
    }

    @Test
    void what_is_told_stands_where_the_wire_page_says() {
        var page = page();
        place.tell(page, 100);
        assertThat(segment.get(ValueLayout.JAVA_LONG, AT)).isEqualTo(page.key());
        assertThat(segment.get(ValueLayout.JAVA_INT, AT + 8))
                .isEqualTo((int) ProcessHandle.current().pid());
        assertThat(segment.get(ValueLayout.JAVA_INT, AT + 12)).isEqualTo(page.descriptor());
        assertThat(segment.get(ValueLayout.JAVA_INT, AT + 16)).isEqualTo(100);
        assertThat(ReadyPage.bit(segment, 100).word()).isEqualTo(64);
        assertThat(ReadyPage.bit(segment, 100).bit()).isEqualTo(36);
    }

    private void refused(int offset, int value) {
        segment.fill((byte) 0);
        var page = page();
        place.tell(page, page.take());
        segment.set(ValueLayout.JAVA_INT, AT + offset, value);
        assertThat(place.find()).as("%s at %s", value, offset).isNull();
        assertThat(place.told()).isFalse();
    }

    @Test
    void what_makes_no_sense_is_not_found() {
        for (int slot : new int[] {0, 63, 4096, -1, Integer.MIN_VALUE}) {
            refused(16, slot);
        }
        for (int descriptor : new int[] {-1, 0, 1_000_000}) {
            refused(12, descriptor);
        }
        for (int process : new int[] {-1, 0, Integer.MAX_VALUE}) {
            refused(8, process);
        }
        refused(0, 1); // another key
    }

    @Test
    void slots_are_given_out_once_until_there_is_none() {
        var page = page();
        for (int i = ReadyPage.FIRST_SLOT; i < ReadyPage.SLOTS; i++) {
            assertThat(page.take()).isEqualTo(i);
        }
        assertThat(page.take()).isNegative();
        page.free(1000);
        assertThat(page.take()).isEqualTo(1000);
    }

    private static FrameLink end(TestLower lower, ReadyPage page) {
        var meeting = new Meeting(lower, FOLDER, page);
        try {
            return lower.active() ? meeting.offer(new Shm(4096, 4096)) : meeting.take();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void each_end_of_a_link_sets_the_bit_of_the_other() throws Exception {
        var lowers = TestLower.pair();
        var active = inOwnThread(() -> end(lowers[0], page()));
        var passive = inOwnThread(() -> end(lowers[1], page()));
        sets(active.get(), passive.get());
        sets(passive.get(), active.get());
        active.get().close();
        passive.get().close();
    }

    private static CompletableFuture<FrameLink> inOwnThread(Supplier<FrameLink> end) {
        return CompletableFuture.supplyAsync(end, Thread::startVirtualThread);
    }

    private static void sets(FrameLink from, FrameLink to) {
        var resting = (Resting) to.source();
        var bit = Objects.requireNonNull(resting.bit());
        assertThat(resting.rest()).isTrue();
        var frame = new Frame();
        assertThat(from.sink().claim(frame, 8)).isTrue();
        frame.position += 8;
        assertThat(from.sink().commit(frame, 0)).isTrue();
        assertThat(bit.take(bit.mask())).isNotZero();
        assertThat(bit.take(bit.mask())).isZero();
        resting.rouse();
        assertThat(to.source().poll(frame)).isTrue();
    }
}
