package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// A pool whose authority's key is under a passphrase, by the commands of `ibidem pool`.
@Tag("slow")
@Timeout(120)
class SealedPoolTest {
    private static final String OWN = "rw-------";

    @TempDir Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int pool(Writer to, String... words) {
        var all = Stream.concat(Stream.of("pool"), Stream.of(words)).toArray(String[]::new);
        return Main.commandLine(all)
                .setOut(new PrintWriter(to, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }

    private int pool(String... words) {
        return pool(out, words);
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @BeforeEach
    void create() throws IOException {
        Files.writeString(folder.resolve("right"), "open sesame\n");
        Files.writeString(folder.resolve("wrong"), "open barley\n");
        assertThat(sealed("create", "right", "demo")).as("%s", err).isZero();
    }

    @Test
    void its_key_is_its_owners_alone_and_sealed() throws IOException {
        var key = folder.resolve("demo/authority.key");
        assertThat(mode(folder.resolve("demo"))).isEqualTo("rwx------");
        assertThat(mode(key)).isEqualTo(OWN);
        assertThat(Files.readString(key)).startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
        assertThat(out.toString()).doesNotContain("sesame");
    }

    @Test
    void without_its_passphrase_nobody_is_issued_anything() {
        var words = new String[] {"issue", "--folder", file("demo"), "--out", file("a.pem"), "a"};
        assertThat(pool(words)).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "ibidem pool issue: its key is sealed: give --passphrase-file (ibidem pool"
                                + " issue --help)");
        assertThat(folder.resolve("a.pem")).doesNotExist();
    }

    @Test
    void with_another_passphrase_every_command_says_so() {
        for (var command : new String[] {"issue", "invite", "revoke"}) {
            err.getBuffer().setLength(0);
            assertThat(sealed(command, "wrong", "a")).as(command).isEqualTo(1);
            assertThat(err.toString())
                    .isEqualToIgnoringNewLines(
                            "ibidem "
                                    + command
                                    + ": the authority in "
                                    + file("demo")
                                    + " stays closed: the passphrase is another one");
        }
        assertThat(Path.of("a.pem")).doesNotExist();
    }

    @Test
    void with_its_passphrase_it_issues_and_lets_in_by_a_code() throws Exception {
        int issued = sealed("issue", "right", "--role", "hub", "--out", file("hub.pem"), "hub");
        assertThat(issued).as("%s", err).isZero();
        assertThat(mode(folder.resolve("hub.pem"))).isEqualTo(OWN);
        try (var hub = hub();
                var told = new PipedWriter();
                var lines = new BufferedReader(new PipedReader(told))) {
            var at = "localhost:" + hub.port();
            var inviting = new FutureTask<>(() -> invite(told, at));
            Thread.ofVirtual().name("invite").start(inviting);
            var code = lines.readLine().replaceFirst(".* ", "");
            int joined =
                    pool(
                            "join",
                            "--hub",
                            at,
                            "--identity",
                            file("node.pem"),
                            "--authority",
                            file("root.pem"),
                            code);
            assertThat(joined).as("%s", err).isZero();
            assertThat(inviting.get()).as("%s", err).isZero();
        }
        assertThat(mode(folder.resolve("node.pem"))).isEqualTo(OWN);
        assertThat(out.toString()).contains("let in as guest, until ");
    }

    private int invite(Writer told, String hub) {
        return pool(told, sealing("invite", "right", "--hub", hub, "guest"));
    }

    /// @param passphrase the file where it stands
    private int sealed(String command, String passphrase, String... words) {
        return pool(out, sealing(command, passphrase, words));
    }

    private String[] sealing(String command, String passphrase, String... words) {
        var folders = List.of(command, "--folder", file("demo"));
        var sealed =
                Stream.concat(folders.stream(), Stream.of("--passphrase-file", file(passphrase)));
        return Stream.concat(sealed, Stream.of(words)).toArray(String[]::new);
    }

    private Hub hub() {
        var command = new HubCommand();
        new CommandLine(command)
                .parseArgs(
                        "--port",
                        "0",
                        "--identity",
                        file("hub.pem"),
                        "--authority",
                        file("demo/authority.pem"));
        return Hub.start(command.options());
    }
}
