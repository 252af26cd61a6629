package org.ibidem.hub.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Disks that are full or broken.
class FullDiskTest {
    private final FailingDisk disk = new FailingDisk();

    @TempDir Path folder;

    @Test
    void what_has_no_room_is_refused_and_what_comes_after_is_kept() throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("before")));
            for (int room = 0; room < 30; room++) {
                disk.room = room;
                assertThatThrownBy(() -> journal.append(List.of(bytes("too much, too much"))))
                        .isInstanceOf(NoRoom.class)
                        .hasMessageContaining("No space left")
                        .hasMessageContaining(folder.toString());
            }
            disk.room = Long.MAX_VALUE;
            journal.append(List.of(bytes("after")));
        }
        assertThat(kept()).containsExactly("before", "after");
    }

    @Test
    void killed_while_the_disk_was_full_it_goes_on_from_what_was_kept() throws Exception {
        var journal = begun();
        journal.append(List.of(bytes("kept")));
        disk.room = 25;
        disk.truncateFails = true;
        assertThatThrownBy(() -> journal.append(List.of(bytes("half of this is written"))))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoRoom.class);
        assertThatThrownBy(() -> journal.append(List.of(bytes("x"))))
                .hasMessageContaining("failed before");
        journal.close();
        assertThat(kept()).containsExactly("kept");
    }

    @Test
    void a_force_that_failed_is_the_end_for_nobody_knows_what_is_on_the_disk() throws Exception {
        try (var journal = begun()) {
            disk.forceFails(true);
            assertThatThrownBy(() -> journal.append(List.of(bytes("x"))))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoRoom.class);
            disk.forceFails(false);
            assertThatThrownBy(() -> journal.append(List.of(bytes("y"))))
                    .hasMessageContaining("failed before");
        }
    }

    @Test
    void a_new_file_that_has_no_room_leaves_the_old_one_as_it_was() throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("one")));
            for (int room = 0; room < 40; room += 3) {
                disk.room = room;
                assertThatThrownBy(() -> journal.begin(bytes("a large state, larger than that")))
                        .isInstanceOf(IOException.class);
            }
            disk.room = Long.MAX_VALUE;
            journal.append(List.of(bytes("two")));
            try (var files = Files.list(folder)) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .containsExactlyInAnyOrder("journal-1", "lock");
            }
        }
        assertThat(kept()).containsExactly("one", "two");
    }

    private Journal begun() throws IOException {
        var journal = Journal.open(folder, disk).journal();
        journal.begin(bytes("state"));
        return journal;
    }

    private List<String> kept() {
        var opened = Journal.open(folder);
        opened.journal().close();
        return opened.commands().stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
