package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

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
}
