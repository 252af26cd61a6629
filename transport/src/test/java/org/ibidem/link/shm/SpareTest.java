package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.TestLower;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Links of a process that has many already.
@Timeout(60)
@Isolated("takes what the links of the process may keep open, and counts its files")
class SpareTest {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @Test
    void half_of_the_descriptors_are_for_ends_that_have_all() {
        var have = new AtomicLong();
        var three = Stream.generate(() -> Spare.take(have, 16)).limit(3).toList();
        assertThat(three.stream().map(Spare::given)).containsExactly(true, true, false);
        three.get(1).close();
        three.get(1).close();
        assertThat(have).hasValue(1);
        var fourth = Spare.take(have, 16);
        assertThat(fourth.given()).isTrue();
        fourth.close();
        three.forEach(Spare::close);
        assertThat(have).hasValue(0);
    }

    @Test
    void the_limit_is_read_from_the_table_of_the_system(@TempDir Path folder) throws IOException {
        var table = folder.resolve("limits");
        var line = "Limit     Soft Limit  Hard Limit  Units%nMax open files  %s  4096  files%n";
        Files.writeString(table, line.formatted("300"));
        assertThat(Spare.limit(table)).isEqualTo(300);
        Files.writeString(table, line.formatted("unlimited"));
        assertThat(Spare.limit(table)).isEqualTo(Long.MAX_VALUE);
        Files.writeString(table, "nothing of that");
        assertThat(Spare.limit(table)).isEqualTo(1024);
        assertThat(Spare.limit(folder.resolve("none"))).isEqualTo(1024);
    }

    @Test
    void an_error_says_which_limit_it_was() {
        assertThat(Spare.advice(new IOException("/dev/shm/x: Too many open files")))
                .matches("all \\d+ files that this process may open are open: .*ulimit -n.*");
        assertThat(Spare.advice(new IOException("Map failed"))).contains("vm.max_map_count");
        assertThat(Spare.advice(new IOException("No space left on device")))
                .startsWith("make room there");
    }

    private static FrameLink end(TestLower lower) {
        var meeting = new Meeting(lower, FOLDER, null);
        try {
            return lower.active() ? meeting.offer(new Shm()) : meeting.take();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FrameLink[] link() throws Exception {
        var lowers = TestLower.pair();
        var active = inOwnThread(() -> end(lowers[0]));
        var passive = inOwnThread(() -> end(lowers[1]));
        return new FrameLink[] {active.get(), passive.get()};
    }

    private static <T> CompletableFuture<T> inOwnThread(Supplier<T> what) {
        return CompletableFuture.supplyAsync(what, Thread::startVirtualThread);
    }

    /// Pipes, connections and files of shared memory that this process has open, by what they are:
    /// what tests before this one had may be closed meanwhile.
    private static List<String> files() {
        var names = Objects.requireNonNull(DESCRIPTORS.toFile().list());
        return Stream.of(names)
                .map(name -> target(DESCRIPTORS.resolve(name)))
                .filter(what -> what.matches("pipe:.*|socket:.*|.*/ibidem-.*"))
                .toList();
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return ""; // closed meanwhile
        }
    }

    private static long taken(boolean many) throws Exception {
        link()[0].close(); // what the first link of a process opens is there
        var spares = new ArrayList<Spare>();
        try {
            while (many && (spares.isEmpty() || spares.getLast().given())) {
                spares.add(Spare.take());
            }
            var before = new HashSet<>(files());
            var ends = link();
            long taken = files().stream().filter(one -> !before.contains(one)).count();
            speak(ends[0], ends[1]);
            speak(ends[1], ends[0]);
            ends[0].close();
            ends[1].close();
            return taken;
        } finally {
            spares.forEach(Spare::close);
        }
    }

    @Test
    void an_end_beyond_has_its_connection_alone_and_says_and_hears_all_the_same() throws Exception {
        assumeTrue(Files.isDirectory(FOLDER), "there is no " + FOLDER);
        assumeTrue(Files.isDirectory(DESCRIPTORS), "no descriptors are listed");
        assertThat(taken(false)).as("pipes, files and connection of two ends").isEqualTo(8);
        assertThat(taken(true)).isEqualTo(2);
    }

    /// More than a ring holds, to a reader that sleeps, in frames as large as they may be.
    private static void speak(FrameLink from, FrameLink to) throws Exception {
        int all = 3 << 20;
        var heard = inOwnThread(() -> hear(to, all));
        try (var waiter = new Waiter(WaitPolicy.SLEEP)) {
            waiter.add((Waitable) from.sink());
            var room = new Frame();
            for (int left = all; left > 0; ) {
                int size = Math.min(left, from.sink().largest());
                while (!from.sink().claim(room, size)) {
                    waiter.idle(Long.MAX_VALUE);
                }
                room.position += size;
                assertThat(from.sink().commit(room, 0)).isTrue();
                left -= size;
            }
            assertThat(heard.get()).isEqualTo((long) all);
            waiter.remove((Waitable) from.sink());
        }
    }

    private static long hear(FrameLink to, int all) {
        try (var waiter = new Waiter(WaitPolicy.SLEEP)) {
            waiter.add((Waitable) to.source());
            var frame = new Frame();
            long got = 0;
            while (got < all) {
                if (to.source().poll(frame)) {
                    got += frame.limit - frame.position;
                    to.source().release();
                } else {
                    waiter.idle(Long.MAX_VALUE);
                }
            }
            waiter.remove((Waitable) to.source());
            return got;
        }
    }

    @Test
    void the_death_of_the_other_end_is_heard_by_one_that_has_its_connection_alone()
            throws Exception {
        assumeTrue(Files.isDirectory(FOLDER), "there is no " + FOLDER);
        var spares = new ArrayList<Spare>();
        try {
            while (spares.isEmpty() || spares.getLast().given()) {
                spares.add(Spare.take());
            }
            var ends = link();
            var heard =
                    inOwnThread(() -> {
                        try {
                            return hear(ends[1], 1) + " bytes";
                        } catch (LinkBroken e) {
                            return "broken";
                        }
                    });
            ends[0].close();
            eventually("it is told", heard::isDone);
            assertThat(heard.get()).isEqualTo("broken");
            ends[1].close();
        } finally {
            spares.forEach(Spare::close);
        }
    }
}
