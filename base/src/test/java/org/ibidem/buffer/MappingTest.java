package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappingTest {
    static final int PAGE = 4096;

    @TempDir Path folder;

    @Test
    void a_mapped_file_is_of_the_class_that_other_memory_is_of() throws IOException {
        try (var file = file(PAGE)) {
            assertThat(Mapping.of(file, PAGE).getClass())
                    .isEqualTo(Arena.ofAuto().allocate(PAGE).getClass());
        }
    }

    @Test
    void what_is_written_is_in_the_file_and_in_its_other_mappings() throws IOException {
        try (var file = file(PAGE)) {
            var one = Mapping.of(file, PAGE);
            var other = Mapping.of(file, PAGE);
            one.set(ValueLayout.JAVA_LONG, PAGE - Long.BYTES, 7);
            one.set(ValueLayout.JAVA_INT, 4, 8);
            assertThat(other.get(ValueLayout.JAVA_LONG, PAGE - Long.BYTES)).isEqualTo(7);
            assertThat(other.get(ValueLayout.JAVA_INT, 4)).isEqualTo(8);
            assertThat(one.byteSize()).isEqualTo(PAGE);
        }
        assertThat(Files.readAllBytes(folder.resolve("file"))[4]).isEqualTo((byte) 8);
    }

    @Test
    void it_is_as_long_as_was_asked_for_whatever_the_length() throws IOException {
        try (var file = file(PAGE)) {
            assertThat(Mapping.of(file, 13).byteSize()).isEqualTo(13);
        }
        long most = 1L << 31;
        try (var file = file(most)) {
            var all = Mapping.of(file, most);
            all.set(ValueLayout.JAVA_BYTE, most - 1, (byte) 9);
            assertThat(all.byteSize()).isEqualTo(most);
        }
    }

    private FileChannel file(long bytes) throws IOException {
        var file =
                FileChannel.open(
                        folder.resolve("file"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        if (file.size() < bytes) {
            file.write(ByteBuffer.allocate(1), bytes - 1); // the rest is a hole
        }
        return file;
    }
}
