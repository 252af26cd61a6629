package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.personality.nio.ChannelTable.TABLE;

import java.util.stream.Stream;
import org.ibidem.personality.nio.ChannelTable.Ends;
import org.ibidem.personality.nio.ChannelTable.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What channels and their sockets do and say in detail: each line of a table is done on the JDK's
/// own and on ours, and the outcome is to be the same, word for word.
@Tag("slow")
@Timeout(60)
class ChannelDetailsTest {
    static {
        ChannelLines.all();
        ChannelSocketLines.all();
    }

    @BeforeAll
    static void join() {
        ChannelTable.join();
    }

    @AfterAll
    static void leave() {
        ChannelTable.leave();
    }

    static Stream<Arguments> lines() {
        return TABLE.keySet().stream()
                .flatMap(name ->
                        Stream.of(Kind.NATIVE, Kind.VLINK_SHM, Kind.VLINK_TCP)
                                .map(kind -> Arguments.of(name, kind)));
    }

    private static String on(Kind kind, String name) throws Exception {
        try (var ends = new Ends(kind)) {
            return String.valueOf(TABLE.get(name).of(ends));
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("lines")
    void it_is_as_with_the_jdk(String name, Kind kind) throws Exception {
        assertThat(on(kind, name)).isEqualTo(on(Kind.JDK, name));
    }
}
