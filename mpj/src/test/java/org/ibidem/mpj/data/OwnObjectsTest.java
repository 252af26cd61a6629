package org.ibidem.mpj.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.ibidem.config.Settings;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/// In a pool that has an authority only objects of the program's own classes are received.
class OwnObjectsTest {
    private record Order(int number) implements Serializable {}

    private static ObjectPolicy policy(Map<String, String> more) throws Exception {
        var place = OwnObjectsTest.class.getProtectionDomain().getCodeSource().getLocation();
        var all = new HashMap<>(more);
        all.put("ibidem.mpj.own", Path.of(place.toURI()).toString());
        return Objects.governed(Settings.of(all));
    }

    private static @Nullable Object through(ObjectPolicy policy, Object graph) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            out.write(graph);
        }
        try (var in = ObjectReader.from(MemorySegment.ofArray(bytes.toByteArray()), policy)) {
            return in.read();
        }
    }

    @Test
    void the_programs_own_are_received() throws Exception {
        assertThat(through(policy(Map.of()), new Order(3))).isEqualTo(new Order(3));
    }

    @Test
    void others_of_the_class_path_are_refused_with_the_setting() throws Exception {
        var name = TestAbortedException.class.getName();
        var policy = policy(Map.of());
        assertThatThrownBy(() -> through(policy, new TestAbortedException("x")))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("--java=-Dibidem.mpj.objects=" + name);
    }

    @Test
    void the_setting_lets_them_in_beside_the_programs_own() throws Exception {
        var policy = policy(Map.of("ibidem.mpj.objects", "org.opentest4j.**"));
        assertThat(through(policy, new TestAbortedException("x"))).isNotNull();
        assertThat(through(policy, new Order(3))).isEqualTo(new Order(3));
    }

    @Test
    void in_other_pools_all_are_received() throws Exception {
        assertThat(through(Objects.policy("**"), new TestAbortedException("x"))).isNotNull();
    }
}
