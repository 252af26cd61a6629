package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
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
    private static final PortType TO_MANY = PortType.oneToMany().stack("tcp");
    private static final int LONG = 200_000;
    private static final int NUMBERS = 100_000;

    @TempDir private static Path folder;

    @BeforeAll
    static void require() {
        Wrapped.require("cc");
        LibraryBuild.requireOpenSsl();
    }

    private static Process start(Path program, Hub hub, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(program.toString(), "localhost:" + hub.port(), "c"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Node join(Hub hub, int rank) {
        return Node.join(Join.pool("c").hub("localhost:" + hub.port()).rank(rank));
    }

    @Test
    void structures_may_grow_and_strings_fit_in_larger_memory() throws Exception {
        exchangeStrings(LibraryBuild.watched(folder, "grows"));
    }

    /// @param grows the program of that name
    static void exchangeStrings(Path grows) throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub, 0)) {
            var process = start(grows, hub);
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
                                "-6 the struct_size of struct ibidem_options is 8: put sizeof there",
                                "-6 struct ibidem_options asks for what version 100 of the library does not know",
                                "-6 the struct_size of struct ibidem_type is 8: put sizeof there",
                                "-6 struct ibidem_type asks for what version 100 of the library does not know",
                                "-8 a string of 6 bytes does not fit in 5",
                                "has 6",
                                "6 grüß!",
                                "0 ''",
                                "null -1",
                                "200000 of 200000");
            }
        }
    }

    @Test
    @SuppressWarnings("try") // one receiver closes before the other
    void a_message_goes_to_several_and_each_end_knows_the_other() throws Exception {
        var several = LibraryBuild.watched(folder, "several");
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub, 0);
                var other = join(hub, 2);
                var in = ReceivePort.open(node, TO_MANY, "in");
                var closed = ReceivePort.open(other, TO_MANY, "in")) {
            var process = start(several, hub);
            node.awaitMembers(3, LIMIT);
            for (var port : List.of(in, closed)) {
                try (var message = port.receive(LIMIT)) {
                    check(message);
                }
            }
            closed.close();
            readToTheEnd(in);
            send(node, "first", 10);
            send(other, "second", 20);
            var doomed = start(several, hub, "doomed");
            try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
                assertThat(lines.readLine())
                        .isEqualTo("-6 this send port is connected to that receive port already");
                assertThat(lines.readLine())
                        .isEqualTo("-6 a message is being written: finish it first");
                assertThat(lines.readLine())
                        .isEqualTo("-4 a receiver is gone; the message went to the others");
                assertThat(lines.readLine()).isEqualTo("lost 1 rank 2 in");
                assertThat(lines.readLine()).isEqualTo("further 0");
                assertThat(lines.readLine()).isEqualTo("-6 no message is being read");
                assertThat(lines.readLine()).isEqualTo("10 of first, 20 of second");
                assertThat(lines.readLine()).isEqualTo("30 of doomed at 3");
                assertThat(lines.readLine()).isEqualTo("quiet 0 lost 0");
                doomed.destroyForcibly().waitFor();
                assertThat(lines.readLine()).isEqualTo("-4 a sender is gone");
                assertThat(lines.readLine()).isEqualTo("lost 1 rank 3 doomed, further 0");
                assertThat(lines.readLine()).isEqualTo("left");
            } finally {
                process.destroyForcibly();
                doomed.destroyForcibly();
            }
        }
    }

    private static void check(ReadMessage message) {
        var numbers = new double[NUMBERS];
        message.readArray(numbers);
        for (int i = 0; i < NUMBERS; i++) {
            assertThat(numbers[i]).isEqualTo(i / 4.0);
        }
        assertThat(message.readString()).isEqualTo("both");
    }

    /// Numbers from 0 on, none missing, and -1 behind them.
    private static void readToTheEnd(ReceivePort in) throws Exception {
        for (int wanted = 0; ; wanted++) {
            try (var message = in.receive(LIMIT)) {
                int number = message.readInt();
                if (number == -1) {
                    return;
                }
                assertThat(number).isEqualTo(wanted);
            }
        }
    }

    private static void send(Node from, String name, int number) {
        try (var out = SendPort.open(from, TYPE, name)) {
            out.connect(from.member(1).orElseThrow().id(), "c", LIMIT);
            try (var message = out.newMessage()) {
                message.writeInt(number).finish();
            }
        }
    }

    private static Stream<String> said(Process process) throws IOException, InterruptedException {
        return Wrapped.output(process).lines();
    }
}
