package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.Hub;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.trust.JobFile;
import org.ibidem.trust.JobKey;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The library of C (`shim/ibidem.h`), built with all that a compiler can watch, speaks the formats
/// of `docs/wire` as Java does.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class LibraryTest {
    private static final PortType TYPE = PortType.manyToOne().stack("tcp");
    private static final int NUMBERS = 100_000;
    private static final int BYTES = 300_000;
    private static final int MESSAGES = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private static Path folder;
    private static Path peer;

    @BeforeAll
    static void build() throws Exception {
        Wrapped.require("cc");
        LibraryBuild.requireOpenSsl();
        peer = built("peer");
    }

    private static Path built(String name) throws IOException, InterruptedException {
        return LibraryBuild.watched(folder, name);
    }

    private static Process start(Path program, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    @Test
    void its_formats_are_those_of_the_vectors() throws Exception {
        var wire = Path.of("..", "fixtures", "src", "main", "resources", "wire");
        var said = Wrapped.output(start(built("vectors"), wire.toString()));
        assertThat(said).endsWith(" tried, 0 differ").doesNotContain("\n");
        assertThat(Integer.parseInt(said.split(" ", 2)[0])).isGreaterThan(60);
    }

    @Test
    void numbers_that_come_round_pass_over_those_in_use() throws Exception {
        assertThat(Wrapped.output(start(built("numbers"))).strip())
                .isEqualTo("2147483647 2 3 2147483647 3 4");
    }

    @Test
    void a_program_in_c_and_one_in_java_exchange_messages() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            exchange(hub);
        }
    }

    /// The key is looked for where launchers put it; both ends then ask each other for it.
    @Test
    void so_they_do_in_a_job_whose_key_both_have_found() throws Exception {
        var key = JobKey.create();
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0), key)) {
            var file = JobFile.write(key, hub.port());
            try {
                exchange(hub);
            } finally {
                file.delete();
            }
        }
    }

    private void exchange(Hub hub) throws Exception {
        try (var node = Node.join(Join.pool("c").hub("localhost:" + hub.port()).rank(0));
                var in = ReceivePort.open(node, TYPE, "java")) {
            var process = start(peer, "localhost:" + hub.port(), "c");
            node.awaitMembers(2, LIMIT);
            try (var out = SendPort.open(node, TYPE, "out")) {
                try (var message = in.receive(LIMIT)) {
                    check(message);
                }
                for (int i = 0; i < MESSAGES; i++) {
                    try (var message = in.receive(LIMIT)) {
                        assertThat(message.readInt()).isEqualTo(i);
                    }
                }
                out.connect(node.member(1).orElseThrow().id(), "c", LIMIT);
                try (var message = out.newMessage()) {
                    write(message);
                    message.finish();
                }
                for (int i = 0; i < MESSAGES; i++) {
                    try (var message = out.newMessage()) {
                        message.writeInt(i).finish();
                    }
                }
                sendToTheOneThatIsForUs(node, hub);
                assertThat(Wrapped.output(process).lines())
                        .containsExactly(
                                "rank 1",
                                "array of 100000",
                                "heard 1 -2 3 -5000000000 grüß -1",
                                "sum 499500",
                                "then nothing",
                                "arrays good",
                                "-7 no member has rank 99",
                                "mine 42",
                                "-3 the port types differ in connections: many-to-one here, one-to-one there (there: at the sender)",
                                "-3 it has no receive port 'nobody', and none was opened in time",
                                "left");
            }
        }
    }

    /// Somebody else tries first.
    private static void sendToTheOneThatIsForUs(Node node, Hub hub) {
        var there = node.member(1).orElseThrow().id();
        try (var stranger = Node.join(Join.pool("c").hub("localhost:" + hub.port()).rank(2));
                var forged = SendPort.open(stranger, TYPE, "forged");
                var out = SendPort.open(node, TYPE, "to mine")) {
            assertThatThrownBy(() -> forged.connect(there, "mine", LIMIT))
                    .isInstanceOfSatisfying(
                            ConnectRefused.class,
                            e -> assertThat(e.why()).isEqualTo(ConnectRefused.Why.UNWANTED))
                    .hasMessageContaining("it is opened for another node alone");
            out.connect(there, "mine", LIMIT);
            try (var message = out.newMessage()) {
                message.writeInt(42).finish();
            }
        }
    }

    @Test
    void a_program_in_c_joins_the_hub_of_a_job_whose_key_it_is_told() throws Exception {
        var key = JobKey.create();
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0), key)) {
            assertThat(Wrapped.output(peer(hub, " ")))
                    .contains("join: error", "refused (12): this is the hub of a job of user")
                    .contains("(here there is no key of a job at port");
            var file = JobFile.write(key, hub.port());
            try (var node = Node.join(Join.pool("c").hub("localhost:" + hub.port()).rank(0))) {
                var with = peer(hub, file.path().toString());
                assertThat(node.awaitMembers(2, LIMIT)).hasSize(2);
                with.destroyForcibly().waitFor();
            } finally {
                file.delete();
            }
            assertThat(Wrapped.output(peer(hub, file.path().toString())))
                    .contains("which was removed, or the job ended");
        }
    }

    private static Process peer(Hub hub, String job) throws IOException {
        var builder = new ProcessBuilder(peer.toString(), "localhost:" + hub.port(), "c");
        builder.environment().put("IBIDEM_JOB", job);
        return builder.redirectErrorStream(true).start();
    }

    /// By the functions of this project's shell, with what `./ibidem cflags` prints; and by a
    /// language that loads it.
    @Test
    void the_scripts_build_a_library_that_programs_find_and_load() throws Exception {
        Wrapped.require("python3");
        var root = Path.of("..").toRealPath();
        var built = Files.createDirectory(folder.resolve("built"));
        var script =
                "set -eu; root='%s'; . '%s/bin/common.sh'; make_library '%s'; library_flags '%s'"
                        .formatted(root, root, built, built);
        var flags = Wrapped.output(new ProcessBuilder("sh", "-c", script).start());
        var hello = Wrapped.script(folder, "hello.c").toString();
        var program = folder.resolve("hello");
        var command = new ArrayList<>(List.of("cc", "-o", program.toString(), hello));
        command.addAll(List.of(flags.split(" ", -1)));
        Wrapped.assertEnds(new ProcessBuilder(command).inheritIO().start());
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var at = "localhost:" + hub.port();
            assertThat(Wrapped.output(start(program, at))).isEqualTo("rank 0 of 1");
            var python = Wrapped.script(folder, "hello.py").toString();
            var library = built.resolve("libibidem.so").toString();
            assertThat(Wrapped.output(start(Path.of("python3"), python, library, at)))
                    .matches("rank \\d+ of 1, then 'no such hub' is error -\\d");
        }
    }

    private static double[] numbers() {
        var numbers = new double[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = i / 4.0;
        }
        return numbers;
    }

    private static byte[] bytes() {
        var bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i * 7);
        }
        return bytes;
    }

    private static void check(ReadMessage message) {
        assertThat(message.readBoolean()).isTrue();
        assertThat(message.readInt()).isEqualTo(1);
        assertThat(message.readInt()).isEqualTo(-2);
        assertThat(message.readInt()).isEqualTo(3);
        assertThat(message.readLong()).isEqualTo(-5_000_000_000L);
        assertThat(message.readFloat()).isEqualTo(0.5f);
        assertThat(message.readChar()).isEqualTo('a');
        assertThat(message.readShort()).isEqualTo((short) -3);
        var numbers = new double[NUMBERS];
        message.readArray(numbers);
        assertThat(numbers).isEqualTo(numbers());
        var bytes = new byte[BYTES];
        message.readArray(bytes);
        assertThat(bytes).isEqualTo(bytes());
        assertThat(message.readString()).isEqualTo("grüß");
        assertThat(message.readString()).isNull();
        message.readArray(new int[0]);
    }

    private static void write(WriteMessage message) {
        message.writeInt(1).writeInt(-2).writeInt(3).writeLong(-5_000_000_000L);
        message.writeArray(numbers()).writeArray(bytes()).writeString("grüß").writeString(null);
    }
}
