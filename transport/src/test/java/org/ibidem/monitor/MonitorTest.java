package org.ibidem.monitor;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.ibidem.Logged;
import org.ibidem.OtherUser;
import org.ibidem.buffer.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitorTest {
    @TempDir Path folder;

    /// Who looks again and again.
    private final Deque<BooleanSupplier> later = new ArrayDeque<>();

    private void look() {
        var watch = later.remove();
        if (watch.getAsBoolean()) {
            later.add(watch);
        }
    }

    /// Whether there is somebody to look.
    private boolean somebody = true;

    private Monitor open(String where, String label) {
        return Monitor.open(where, label, look -> somebody && later.add(look));
    }

    private Path onlyFile() throws IOException {
        var files = Monitor.files(folder);
        assertThat(files).hasSize(1);
        return files.getFirst();
    }

    @Test
    void what_is_counted_can_be_read_from_the_file_while_it_is_counted() throws IOException {
        try (var monitor = open(folder.toString(), "node é")) {
            var row = monitor.row("send port 'out'");
            row.tally().count(100);
            row.tally().count(23);
            row.tally().add(Tally.What.DOORBELLS, 1);
            look();
            var rows = CounterFile.read(onlyFile());
            assertThat(rows)
                    .extracting(CounterFile.Row::label)
                    .containsExactly("node é", "send port 'out'");
            var counts = rows.getLast().counts();
            assertThat(counts.get(Tally.What.MESSAGES)).isEqualTo(2);
            assertThat(counts.get(Tally.What.BYTES)).isEqualTo(123);
            assertThat(counts.get(Tally.What.DOORBELLS)).isEqualTo(1);
            assertThat(counts.get(Tally.What.SLEEPS)).isZero();
            assertThat(Monitor.process(onlyFile())).isEqualTo(ProcessHandle.current().pid());
        }
        assertThat(Monitor.files(folder)).isEmpty();
    }

    private long shown(String label) throws IOException {
        for (var row : CounterFile.read(onlyFile())) {
            if (row.label().equals(label)) {
                return row.counts().get(Tally.What.MESSAGES);
            }
        }
        throw new AssertionError("no row of " + label);
    }

    @Test
    void messages_are_shown_as_long_as_they_are_counted_and_nobody_looks_afterwards()
            throws IOException {
        try (var monitor = open(folder.toString(), "node")) {
            var one = monitor.row("one");
            var other = monitor.row("other");
            assertThat(later).as("nothing is counted").isEmpty();
            for (int i = 1; i <= 5; i++) {
                one.tally().count(1);
                other.tally().count(1);
                assertThat(shown("one")).isEqualTo(i - 1);
                assertThat(later).as("one look for all").hasSize(1);
                look();
                assertThat(shown("one")).isEqualTo(i);
                assertThat(shown("other")).isEqualTo(i);
            }
            int looks = 0;
            for (; !later.isEmpty(); looks++) {
                one.tally().add(Tally.What.DOORBELLS, 1);
                look();
            }
            assertThat(looks).as("not for ever").isBetween(10, 100);
            one.tally().count(1);
            look();
            assertThat(shown("one")).isEqualTo(6);
        }
    }

    @Test
    void a_message_between_any_two_looks_is_shown() throws IOException {
        try (var monitor = open(folder.toString(), "node")) {
            var row = monitor.row("row");
            for (int messages = 1; messages <= 100; messages++) {
                row.tally().count(1);
                assertThat(later).as("one looks for all").hasSize(1);
                look();
                assertThat(shown("row")).isEqualTo(messages);
                for (int i = 0; i < messages && !later.isEmpty(); i++) {
                    look();
                }
            }
        }
    }

    @Test
    void who_counts_says_so_once_until_nobody_looks_any_more() {
        var begun = new AtomicInteger();
        var tally = new Tally(Arena.ofAuto().allocate(Tally.BYTES), 0, begun::incrementAndGet);
        tally.count(1);
        tally.count(1);
        assertThat(begun).hasValue(1);
        tally.unwatched();
        tally.count(1);
        assertThat(begun).hasValue(2);
        assertThat(tally.show()).isTrue();
        assertThat(tally.show()).as("nothing new").isFalse();
    }

    @Test
    void rows_that_come_and_go_have_one_who_looks() throws IOException {
        try (var monitor = open(folder.toString(), "node")) {
            for (int i = 0; i < 10; i++) {
                var row = monitor.row("row " + i);
                row.tally().count(1);
                assertThat(later).hasSize(1);
                row.close();
            }
            look();
            assertThat(later).isEmpty();
        }
    }

    @Test
    void where_nobody_can_look_messages_go_on_and_later_ones_try_again() throws IOException {
        somebody = false;
        try (var monitor = open(folder.toString(), "node")) {
            var row = monitor.row("row");
            row.tally().count(1);
            row.tally().count(1);
            assertThat(row.tally().get(Tally.What.MESSAGES)).isEqualTo(2);
            somebody = true;
            row.tally().count(1);
            look();
            assertThat(shown("row")).isEqualTo(3);
        }
    }

    @Test
    void what_one_that_has_ended_counted_is_not_shown_in_the_row_of_another() throws IOException {
        try (var monitor = open(folder.toString(), "node")) {
            var first = monitor.row("first");
            first.tally().count(1);
            first.close();
            var second = monitor.row("second");
            first.tally().unwatched();
            first.tally().count(1);
            look();
            assertThat(later).isEmpty();
            assertThat(second.number()).isEqualTo(first.number());
            assertThat(shown("second")).isZero();
        }
    }

    @Test
    void a_row_is_used_again_and_begins_at_zero() throws IOException {
        try (var monitor = open(folder.toString(), "node")) {
            var first = monitor.row("first");
            first.tally().count(1);
            first.close();
            var second = monitor.row("second");
            assertThat(second.tally().get(Tally.What.MESSAGES)).isZero();
            assertThat(CounterFile.read(onlyFile()))
                    .extracting(CounterFile.Row::label)
                    .containsExactly("node", "second");
        }
    }

    @Test
    void when_all_rows_are_taken_counting_goes_on_unseen() throws IOException {
        try (var monitor = open(folder.toString(), "node")) {
            for (int i = 0; i < 2 * CounterFile.ROWS; i++) {
                var row = monitor.row("row " + i);
                row.tally().count(i);
                assertThat(row.tally().get(Tally.What.BYTES)).isEqualTo(i);
            }
            assertThat(CounterFile.read(onlyFile())).hasSize(CounterFile.ROWS);
        }
    }

    @Test
    void files_of_processes_that_are_gone_are_removed() throws IOException {
        Files.createFile(gone(Monitor.namespace()));
        try (var monitor = open(folder.toString(), "node")) {
            assertThat(onlyFile().toString()).contains(ProcessHandle.current().pid() + "-");
            assertThat(monitor.row("row").number()).isEqualTo(1);
        }
    }

    @Test
    void one_that_was_never_finished_is_not_shown_and_removed_like_others() throws IOException {
        var unfinished =
                Files.createFile(folder.resolve(gone(Monitor.namespace()).getFileName() + ".new"));
        assertThat(Monitor.files(folder)).isEmpty();
        try (var monitor = open(folder.toString(), "node")) {
            assertThat(monitor.row("row").number()).isEqualTo(1);
            assertThat(unfinished).doesNotExist();
        }
    }

    private void make(int count) {
        try {
            for (int i = 0; i < count; i++) {
                CounterFile.create(folder.resolve("counters-1-1-" + i), "node");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whoever_looks_finds_all_of_a_file() throws IOException {
        int count = 300;
        var making = CompletableFuture.runAsync(() -> make(count), Thread::startVirtualThread);
        var seen = new HashSet<Path>();
        for (boolean last = false; !last; ) {
            last = making.isDone();
            for (var file : Monitor.files(folder)) {
                if (seen.add(file)) {
                    assertThat(CounterFile.read(file))
                            .extracting(CounterFile.Row::label)
                            .containsExactly("node");
                }
            }
        }
        making.join();
        assertThat(seen).hasSize(count);
    }

    private Path gone(String namespace) {
        return folder.resolve("counters-999999999-" + namespace + "-00000000");
    }

    /// Containers may share the folder and count processes each for itself.
    @Test
    void those_of_another_namespace_of_processes_are_left_alone() throws IOException {
        var others = Files.createFile(gone("1" + Monitor.namespace()));
        try (var monitor = open(folder.toString(), "node")) {
            assertThat(monitor.row("row").number()).isEqualTo(1);
            assertThat(Monitor.files(folder)).hasSize(2).contains(others);
            assertThat(Monitor.process(others)).isEqualTo(999_999_999);
        }
    }

    @Test
    void nobody_else_can_write_to_the_file_or_cut_it_short_by_mistake() throws IOException {
        try (var monitor = open(folder.toString(), "node")) {
            assertThat(monitor.row("row").number()).isEqualTo(1);
            assertThat(Files.getPosixFilePermissions(onlyFile()))
                    .containsExactly(PosixFilePermission.OWNER_READ);
        }
    }

    /// With thousands of nodes in a process, each would look at the files of all.
    @Test
    void a_process_looks_for_them_once() throws IOException {
        var stale = gone(Monitor.namespace());
        try (var first = open(folder.toString(), "first")) {
            Files.createFile(stale);
            try (var second = open(folder.toString(), "second")) {
                assertThat(second.row("row").number()).isEqualTo(first.row("row").number());
                assertThat(stale).exists();
            }
        }
    }

    @Test
    void a_row_that_another_has_by_now_is_not_freed_again() {
        try (var monitor = open(folder.toString(), "node")) {
            var first = monitor.row("first");
            first.close();
            var second = monitor.row("second");
            first.close();
            assertThat(monitor.row("third").number()).isNotEqualTo(second.number());
        }
    }

    @Test
    void a_file_that_could_not_be_made_leaves_nothing() throws IOException {
        var inTheWay = Files.createDirectories(folder.resolve("counters-1-1-0"));
        assertThatThrownBy(() -> CounterFile.create(inTheWay, "node"))
                .isInstanceOf(IOException.class);
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(inTheWay);
        }
    }

    @Test
    void without_a_folder_it_counts_unseen() throws IOException {
        try (var off = open("", "node");
                var impossible = open("/proc/nothing/here", "node")) {
            off.row("row").tally().count(1);
            impossible.row("row").tally().count(1);
            assertThat(off.row("row").number()).isEqualTo(-1);
            assertThat(impossible.row("row").number()).isEqualTo(-1);
        }
        assertThat(Monitor.files(folder.resolve("none"))).isEmpty();
    }

    /// Whoever owns the folder could put a link in the place of a file in it.
    @Test
    void in_another_users_folder_nothing_is_made_and_nothing_read() throws Exception {
        var victim = Files.createFile(folder.resolve("victim"));
        var modes = Files.getPosixFilePermissions(victim);
        var taken = OtherUser.shared(folder).resolve(".ibidem-root");
        OtherUser.run("mkdir -m 777 " + taken);
        try (var log = new Logged(Monitor.class);
                var monitor = open(taken.toString(), "node")) {
            assertThat(monitor.row("row").number()).isEqualTo(-1);
            assertThat(log.lines()).singleElement().asString().contains("it belongs to ");
        }
        assertThat(taken).isEmptyDirectory();
        OtherUser.run("ln -s " + victim + " " + taken + "/counters-1-1-0");
        assertThatThrownBy(() -> Monitor.files(taken)).hasMessageContaining("it belongs to ");
        assertThat(Files.getPosixFilePermissions(victim)).isEqualTo(modes);
    }

    @Test
    void why_it_is_not_seen_is_said_in_one_line() {
        try (var log = new Logged(Monitor.class);
                var impossible = open("/proc/nothing/here", "node")) {
            assertThat(impossible.row("row").number()).isEqualTo(-1);
            assertThat(log.lines())
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .startsWith("INFO counters are kept, and cannot be seen by others: ")
                    .contains("/proc/nothing")
                    .doesNotContain("{", "\n");
        }
    }

    @Test
    void a_label_that_is_too_long_is_cut_and_a_file_that_is_too_short_refused() throws IOException {
        try (var monitor = open(folder.toString(), "n".repeat(1_000))) {
            assertThat(CounterFile.read(onlyFile()).getFirst().label()).isEqualTo("n".repeat(124));
            assertThat(monitor.row("row").number()).isEqualTo(1);
        }
        var short_ = Files.createFile(folder.resolve("counters-1-1-0"));
        assertThatThrownBy(() -> CounterFile.read(short_)).hasMessageContaining("it is too short");
    }
}
