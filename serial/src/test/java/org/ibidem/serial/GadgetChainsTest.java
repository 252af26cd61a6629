package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Test;

/// The list of JDK classes that every policy lets in, against published chains of gadgets.
class GadgetChainsTest {
    private static final ObjectPolicy USUAL = ObjectPolicy.NOTHING_BUT_VALUES;

    private static List<List<String>> chains() throws IOException {
        try (var in = GadgetChainsTest.class.getResourceAsStream("/serial/gadget-chains.txt")) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> Arrays.asList(line.split(" ", -1)))
                    .toList();
        }
    }

    private static Stream<String> classes(List<String> chain) {
        return chain.stream().skip(1);
    }

    private static Set<String> refused() throws IOException {
        return chains().stream()
                .flatMap(GadgetChainsTest::classes)
                .filter(name -> !name.startsWith("+"))
                .collect(Collectors.toSet());
    }

    @Test
    void no_gadget_is_let_in_but_collections_that_do_nothing_alone() throws Exception {
        assertThat(refused()).noneMatch(USUAL::allows);
    }

    @Test
    void every_chain_is_broken() throws Exception {
        assertThat(chains())
                .hasSizeGreaterThan(40)
                .allSatisfy(chain ->
                        assertThat(classes(chain))
                                .as(chain.getFirst())
                                .anyMatch(name -> !name.startsWith("+")));
    }

    @Test
    void what_is_let_in_of_them_is_let_in_knowingly() throws Exception {
        var known =
                chains().stream()
                        .flatMap(GadgetChainsTest::classes)
                        .filter(name -> name.startsWith("+"))
                        .map(name -> name.substring(1))
                        .collect(Collectors.toSet());
        assertThat(known).allMatch(USUAL::allows);
    }

    @Test
    void those_that_are_here_are_refused_in_a_stream_by_name() throws Exception {
        var here = refused().stream().map(GadgetChainsTest::find).filter(Objects::nonNull).toList();
        assertThat(here).hasSizeGreaterThan(15);
        for (var type : here) {
            var bytes = Trip.bytes(type);
            assertThatThrownBy(() -> Trip.graph(bytes, USUAL))
                    .isInstanceOf(InvalidClassException.class)
                    .hasMessageContaining(type.getName());
        }
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(name, false, GadgetChainsTest.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError _) {
            return null;
        }
    }
}
