package org.ibidem.serial.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ibidem.serial.inside.ClassCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ComputedVersionTest {
    private static final int MANY = 100;

    /// Of the JDK's own classes that do not say one.
    @Test
    @Tag("slow")
    void it_is_what_java_computes() throws Exception {
        int compared = 0;
        for (var file : all()) {
            var code = new ClassCode(Files.readAllBytes(file));
            var type = Class.forName(code.name(), false, null);
            boolean computed =
                    !type.isInterface()
                            && !Enum.class.isAssignableFrom(type)
                            && !type.isRecord()
                            && !code.hasVersion();
            if (computed && Serializable.class.isAssignableFrom(type)) {
                assertThat(ComputedVersion.of(type, code.initializes()))
                        .as(code.name())
                        .isEqualTo(ObjectStreamClass.lookup(type).getSerialVersionUID());
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(MANY);
    }

    private static List<Path> all() throws IOException {
        var java = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base/java");
        try (var all = Files.walk(java)) {
            return all.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }
}
