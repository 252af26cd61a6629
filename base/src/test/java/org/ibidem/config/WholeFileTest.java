package org.ibidem.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    private static final byte[] BYTES = {1, 2, 3};

    @TempDir Path folder;

    @Test
    void what_is_there_is_replaced() throws IOException {
        var file = folder.resolve("file");
        WholeFile.write(file, new byte[100]);
        WholeFile.write(file, BYTES);
        assertThat(file).hasBinaryContent(BYTES);
        assertThat(folder).isDirectoryContaining(file::equals);
        try (var all = Files.list(folder)) {
            assertThat(all).hasSize(1);
        }
    }

    @Test
    void a_link_is_replaced_and_not_followed() throws IOException {
        var other = Files.write(folder.resolve("other"), new byte[100]);
        var file = Files.createSymbolicLink(folder.resolve("file"), other);
        WholeFile.write(file, BYTES);
        assertThat(file).hasBinaryContent(BYTES);
        assertThat(other).hasSize(100);
    }

    @Test
    void what_cannot_be_put_in_its_place_leaves_nothing() throws IOException {
        var file = Files.createDirectory(folder.resolve("file"));
        Files.write(file.resolve("in it"), BYTES);
        assertThatThrownBy(() -> WholeFile.write(file, BYTES)).isInstanceOf(IOException.class);
        try (var all = Files.list(folder)) {
            assertThat(all).containsExactly(file);
        }
    }

    /// Writes more than there is room for, and says what came of it.
    static final class Full {
        private Full() {}

        public static void main(String[] args) throws IOException {
            var file = Path.of(args[0], "file");
            Files.write(file, BYTES);
            try {
                WholeFile.write(file, new byte[1 << 20]);
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
            try (var all = Files.list(file.getParent())) {
                System.out.println(all.count() + " of " + Files.size(file) + " bytes");
            }
        }
    }

    @Test
    void on_a_full_disk_what_was_there_is_there_still_and_nothing_else() throws Exception {
        assumeTrue(OtherMounts.areAllowed(), "this machine allows no mounts of one's own");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var path =
                System.getProperty("java.class.path")
                        + File.pathSeparator
                        + System.getProperty("jdk.module.path", "");
        var process =
                OtherMounts.start(
                        "mount -t tmpfs -o size=64k tmpfs \"$0\" && exec \"$@\"",
                        folder.toString(),
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        path,
                        Full.class.getName(),
                        folder.toString());
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).endsWith("No space left on device\n1 of 3 bytes\n");
    }
}
