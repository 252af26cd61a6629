package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentTest {
    private static final String KEY = "0123456789abcdef".repeat(2);

    @TempDir Path folder;

    @Test
    void is_a_file_that_only_its_user_can_open() throws IOException {
        var segment = Segment.create(folder, KEY, new Shm());
        try {
            assertThat(Files.getPosixFilePermissions(folder.resolve("ibidem-" + KEY)))
                    .containsExactlyInAnyOrder(
                            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        } finally {
            segment.close();
        }
    }

    @Test
    void a_file_that_was_there_is_not_taken_and_stays() throws IOException {
        var there = Files.writeString(folder.resolve("ibidem-" + KEY), "another's");
        assertThatThrownBy(() -> Segment.create(folder, KEY, new Shm()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("FileAlreadyExists");
        assertThat(there).hasContent("another's");
    }

    @Test
    void a_folder_in_which_others_may_put_theirs_in_the_place_of_ours_is_none() throws IOException {
        assertThat(ShmFolder.identity(folder)).isNotEmpty();
        Files.setAttribute(folder, "unix:mode", 0777);
        assertThat(ShmFolder.identity(folder)).isEmpty();
        assertThat(ShmFolder.problem(folder))
                .startsWith("other users may remove what is in the folder " + folder)
                .endsWith("run: chmod +t " + folder);
        Files.setAttribute(folder, "unix:mode", 01777);
        assertThat(ShmFolder.identity(folder)).isNotEmpty();
    }
}
