package org.ibidem.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the fuzzer begins with, and whatever it found once, without the fuzzer.
class SeedsTest {
    static List<Target> targets() {
        return Target.all();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void no_known_input_does_harm(Target target) throws ReflectiveOperationException, IOException {
        var method = Class.forName(target.target()).getMethod("fuzzerTestOneInput", byte[].class);
        assertThat(target.seeds()).isNotEmpty();
        for (var seed : target.seeds()) {
            method.invoke(null, (Object) seed);
        }
    }

    @Test
    void every_target_is_fuzzed() throws IOException {
        try (var files = Files.walk(Path.of("src", "test", "java"))) {
            assertThat(
                            files.map(file -> file.getFileName().toString())
                                    .filter(name -> name.endsWith("Fuzz.java"))
                                    .map(name -> name.substring(0, name.length() - 5)))
                    .containsExactlyInAnyOrderElementsOf(
                            Target.all().stream().map(Target::toString).toList());
        }
    }
}
