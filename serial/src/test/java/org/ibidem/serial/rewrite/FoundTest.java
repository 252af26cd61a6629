package org.ibidem.serial.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.serial.inside.ClassCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoundTest {
    @TempDir Path folder;

    private static byte[] code() throws IOException {
        return Rewriting.graphs().values().iterator().next();
    }

    @Test
    void nothing_is_left_of_a_file_that_could_not_be_written() throws Exception {
        var inTheWay = Files.createDirectories(folder.resolve("Order.class"));
        Files.createFile(inTheWay.resolve("full"));
        var found = new Found(inTheWay, code(), new ClassCode(code()), null);
        assertThatThrownBy(() -> found.write(code())).isInstanceOf(IOException.class);
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(inTheWay);
        }
    }

    @Test
    void a_file_is_replaced_and_keeps_its_time() throws Exception {
        var file = Files.write(folder.resolve("Order.class"), new byte[1]);
        var before = Files.getLastModifiedTime(file);
        new Found(file, code(), new ClassCode(code()), null).write(code());
        assertThat(file).hasBinaryContent(code());
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(before);
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }
}
