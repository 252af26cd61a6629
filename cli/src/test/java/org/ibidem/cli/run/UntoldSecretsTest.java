package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.ibidem.trust.Pem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// What others of the machine may look at, or read later, has no secret in it: arguments and
/// environments of processes, and what is logged, with all that can be logged.
@Tag("lab")
@Isolated("starts processes")
@Timeout(180)
class UntoldSecretsTest {
    private static final Path PROCESSES = Path.of("/proc");
    private static final int RANKS = 2;

    /// Where the number begins in a key that is written as PKCS #8 says, and its bytes.
    private static final int KIND = 36;

    private static final int KEY = 32;

    /// Below it, everything that Ibidem and the JDK's TLS log at all.
    private static final String LOGGING =
            """
            handlers=java.util.logging.ConsoleHandler
            .level=FINE
            org.ibidem.level=ALL
            java.util.logging.ConsoleHandler.level=ALL
            """;

    private static final String PROGRAM =
            """
            import java.time.Duration;
            import org.ibidem.port.*;
            import org.ibidem.registry.*;

            void main() throws Exception {
                try (var node = Node.join(Join.fromEnvironment())) {
                    var first = node.awaitMembers(2, Duration.ofMinutes(1)).getFirst();
                    var type = PortType.oneToOne().stack("tls > tcp");
                    if (node.rank() == 0) {
                        try (var in = ReceivePort.open(node, type, "in");
                                var message = in.receive()) {
                            IO.println(message.readString() + " " + System.getenv("IBIDEM_JOB"));
                        }
                        System.in.read();
                    } else {
                        try (var out = SendPort.open(node, type, "out")) {
                            out.connect(first.id(), "in");
                            try (var message = out.newMessage()) {
                                message.writeString("key");
                                message.finish();
                            }
                        }
                        try (var events = node.events()) {
                            while (!(events.next(Duration.ofMinutes(1)).orElseThrow()
                                    instanceof PoolEvent.Left)) {
                                // it stays as long as the other
                            }
                        }
                    }
                }
            }
            """;

    @TempDir Path folder;

    @BeforeEach
    void write() throws IOException {
        assumeThat(PROCESSES.resolve("self/environ")).exists();
        Files.writeString(folder.resolve("logging"), LOGGING);
        Files.writeString(folder.resolve("Says.java"), PROGRAM);
    }

    private String logging() {
        return "-Djava.util.logging.config.file=" + folder.resolve("logging");
    }

    /// The process, all that it has started, and what of them others may be able to see.
    private static List<String> visible(Process process) throws IOException {
        var all = new ArrayList<String>();
        var handles = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
        for (var each : handles) {
            for (var what : List.of("cmdline", "environ")) {
                var file = PROCESSES.resolve(each.pid() + "/" + what);
                all.add(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return all;
    }

    private static void assertUntold(List<String> texts, byte[] secret) {
        var hex = HexFormat.of().formatHex(secret);
        var base64 = Base64.getEncoder().encodeToString(secret);
        // The beginning of either is shown as little as the whole.
        var forms = List.of(hex.substring(0, 32), base64.substring(0, 20));
        for (var form : forms) {
            assertThat(texts).noneMatch(text -> text.contains(form));
            assertThat(texts).noneMatch(text -> text.contains(form.toUpperCase(Locale.ROOT)));
        }
    }

    @Test
    void the_key_of_a_job_stands_in_its_file_alone() throws Exception {
        try (var job =
                Launched.runWith(
                        List.of(logging()),
                        folder,
                        "-n",
                        "" + RANKS,
                        "--java=" + logging(),
                        folder.resolve("Says.java").toString())) {
            var line = job.line();
            var file = Path.of(line.replaceFirst(".* key ", ""));
            var key =
                    Files.readAllLines(file).stream()
                            .filter(each -> each.startsWith("key "))
                            .map(each -> HexFormat.of().parseHex(each.substring(4)))
                            .findFirst()
                            .orElseThrow();
            var seen = visible(job.process());
            assertThat(seen).hasSizeGreaterThanOrEqualTo(2 * (1 + RANKS));
            assertThat(seen).as("where it lies").anyMatch(text -> text.contains(file.toString()));
            assertUntold(seen, key);
            job.process().getOutputStream().write('\n');
            job.process().getOutputStream().flush();
            job.code();
            var logged = job.errors();
            assertThat(logged).as("what is logged at all").contains("org.ibidem.");
            assertUntold(List.of(logged), key);
        }
    }

    /// Who is asked for the code, rather than giving it as an argument, shows it to nobody.
    @Test
    void neither_a_code_nor_a_key_nor_a_passphrase_is_shown_by_who_invites_and_who_joins()
            throws Exception {
        Files.writeString(folder.resolve("phrase"), "open sesame");
        var demo = file("demo");
        var sealed = new String[] {"--folder", demo, "--passphrase-file", file("phrase")};
        pool(with(sealed, "create", "demo"));
        pool(with(sealed, "issue", "--role", "hub", "--out", file("hub.pem"), "hub"));
        var root = demo + "/authority.pem";
        try (var hub =
                Launched.hub(
                        folder,
                        "--port",
                        "0",
                        "--identity",
                        file("hub.pem"),
                        "--authority",
                        root)) {
            var at = hub.line().replaceFirst("hub listens on (\\S+).*", "$1");
            try (var inviting = tool("pool", with(sealed, "invite", "--hub", at, "guest"));
                    var joining =
                            tool(
                                    "pool",
                                    "join",
                                    "--hub",
                                    at,
                                    "--identity",
                                    file("node.pem"),
                                    "--authority",
                                    file("root.pem"))) {
                var code = inviting.line().replaceFirst(".* (\\S+)$", "$1");
                var secret = code.substring(code.indexOf('-') + 1);
                var seen = new ArrayList<>(visible(inviting.process()));
                seen.addAll(visible(joining.process()));
                say(joining, code);
                joining.awaitLine("let in as guest, until ");
                assertThat(joining.code()).as(joining.errors()).isZero();
                assertThat(inviting.code()).as(inviting.errors()).isZero();
                seen.addAll(List.of(inviting.errors(), joining.errors(), hub.errors()));
                assertThat(seen).noneMatch(text -> text.contains(secret));
                assertThat(seen).noneMatch(text -> text.contains("sesame"));
                assertUntold(seen, privateKey("node.pem"));
                assertUntold(seen, privateKey("hub.pem"));
            }
        }
    }

    private byte[] privateKey(String name) throws IOException {
        var text = Files.readString(folder.resolve(name));
        var der = Pem.sections("PRIVATE KEY", text).getFirst();
        // Before it stands which kind of key it is, which is no secret; in base64 it begins anew
        // after three bytes each.
        return Arrays.copyOfRange(der, KIND, KIND + KEY);
    }

    private static void say(Launched process, String line) throws IOException {
        process.process().getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.process().getOutputStream().flush();
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static String[] with(String[] options, String... words) {
        return Stream.concat(
                        Stream.of(words).limit(1),
                        Stream.concat(Stream.of(options), Stream.of(words).skip(1)))
                .toArray(String[]::new);
    }

    private Launched tool(String command, String... words) throws IOException {
        return Launched.tool(List.of(logging()), folder, command, words);
    }

    private void pool(String... words) throws Exception {
        try (var tool = tool("pool", words)) {
            assertThat(tool.code()).as(tool.errors()).isZero();
        }
    }
}
