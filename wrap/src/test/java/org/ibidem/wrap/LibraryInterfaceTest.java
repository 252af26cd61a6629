package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Programs in C use all of `ibidem.h`, beside nodes of Java.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class LibraryInterfaceTest {
    private static final PortType TYPE = PortType.manyToOne().stack("tcp");
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LONG = 200_000;

    @TempDir private static Path folder;
    private static LibraryBuild library;

    @BeforeAll
    static void build() throws Exception {
        library = LibraryBuild.make(folder, "cc");
    }

    private static Process start(String name, Hub hub) throws Exception {
        var program = library.program(name, library.shared()).toString();
        return new ProcessBuilder(program, "localhost:" + hub.port(), "c")
                .redirectErrorStream(true)
                .start();
    }

    private static Node join(Hub hub, int rank) {
        return Node.join(Join.pool("c").hub("localhost:" + hub.port()).rank(rank));
    }

    @Test
    void structures_may_grow_and_strings_fit_in_larger_memory() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub, 0)) {
            var process = start("grows", hub);
            node.awaitMembers(2, LIMIT);
            try (var out = SendPort.open(node, TYPE, "out")) {
                out.connect(node.member(1).orElseThrow().id(), "strings", LIMIT);
                try (var message = out.newMessage()) {
                    message.writeString("grüß").writeString("").writeString(null);
                    message.writeString("x".repeat(LONG)).finish();
                }
                assertThat(said(process))
                        .containsExactly(
                                "version 1",
                                "-6 the size of struct ibidem_options is not set: put sizeof(struct ibidem_options) there",
                                "-6 struct ibidem_options asks for what version 100 of the library does not know",
                                "-6 the size of struct ibidem_type is not set: put sizeof(struct ibidem_type) there",
                                "-6 struct ibidem_type asks for what version 100 of the library does not know",
                                "-8 a string of 6 bytes and its zero do not fit in 6",
                                "needs 7",
                                "6 grüß",
                                "0 '' of 1",
                                "null -1 of 0",
                                "200000 of 200000");
            }
        }
    }

    private static Stream<String> said(Process process)
            throws IOException, InterruptedException {
        return Wrapped.output(process).lines();
    }
}
