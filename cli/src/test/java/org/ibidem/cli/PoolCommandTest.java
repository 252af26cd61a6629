package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.arbitration.Clock;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `ibidem pool` where the authority's key is under a passphrase.
@Tag("slow")
@Timeout(120)
class PoolCommandTest {
    private static final String WORDS = "open sesame, once more";

    @TempDir private Path folder;
    private Path secret = Path.of("");
    private Path demo = Path.of("");

    /// What a command left behind.
    private record Said(int code, String out, String err) {}

    private static Said ibidem(Object... words) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = ibidem(new PrintWriter(out, true), new PrintWriter(err, true), words);
        return new Said(code, out.toString(), err.toString());
    }

    private static int ibidem(PrintWriter out, PrintWriter err, Object... words) {
        var all = List.of(words).stream().map(Object::toString).toArray(String[]::new);
        return Main.commandLine(all).setOut(out).setErr(err).execute(all);
    }

    private static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @BeforeEach
    void create() throws Exception {
        secret = Files.writeString(folder.resolve("secret.txt"), WORDS + "\n");
        demo = folder.resolve("demo");
        var made = ibidem("pool", "create", "demo", "--folder", demo, "--passphrase-file", secret);
        assertThat(made.code).as(made.err).isZero();
        assertThat(made.out + made.err).doesNotContain(WORDS);
    }

    @Test
    void keys_at_rest_are_their_users_alone_and_the_authoritys_is_sealed() throws Exception {
        assertThat(mode(demo)).isEqualTo("rwx------");
        assertThat(mode(demo.resolve("authority.key"))).isEqualTo("rw-------");
        assertThat(Files.readString(demo.resolve("authority.key")))
                .startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
        var out = folder.resolve("one.pem");
        var made = issued(out, "--passphrase-file", secret);
        assertThat(made.code).as(made.err).isZero();
        assertThat(made.out + made.err).doesNotContain(WORDS);
        assertThat(mode(out)).isEqualTo("rw-------");
    }

    private Said issued(Path out, Object... more) {
        var words = new Object[7 + more.length];
        var first = new Object[] {"pool", "issue", "one", "--folder", demo, "--out", out};
        System.arraycopy(first, 0, words, 0, first.length);
        System.arraycopy(more, 0, words, first.length, more.length);
        return ibidem(words);
    }

    @Test
    void without_its_passphrase_nothing_is_issued_and_the_error_says_why() throws Exception {
        var out = folder.resolve("one.pem");
        var none = issued(out);
        assertThat(none.code).isEqualTo(2);
        assertThat(none.err)
                .isEqualToIgnoringNewLines(
                        "ibidem pool issue: the authority's key is encrypted: give"
                                + " --passphrase-file (ibidem pool issue --help)");
        var other = Files.writeString(folder.resolve("other.txt"), "open barley");
        var closed = ": the authority in " + demo + " cannot be opened: the passphrase is wrong";
        var wrong = issued(out, "--passphrase-file", other);
        assertThat(wrong.code).isEqualTo(1);
        assertThat(wrong.err).isEqualToIgnoringNewLines("ibidem pool issue" + closed);
        for (var command : List.of("invite", "revoke")) {
            var said = ibidem("pool", command, "--folder", demo, "--passphrase-file", other, "one");
            assertThat(said.code).isEqualTo(1);
            assertThat(said.err).isEqualToIgnoringNewLines("ibidem pool " + command + closed);
        }
        var missing = folder.resolve("missing.txt");
        assertThat(issued(out, "--passphrase-file", missing).err)
                .startsWith(
                        "ibidem pool issue: the passphrase in " + missing + " cannot be read: ");
        assertThat(out).doesNotExist();
    }

    @Test
    void with_it_a_node_is_invited_and_gets_a_key_that_is_its_users_alone() throws Exception {
        var key = folder.resolve("hub.pem");
        issued(key, "--role", "hub", "--passphrase-file", secret);
        var root = demo.resolve("authority.pem");
        var trust = Trust.read(List.of(root), List.of(key), Clock.TIME_OF_DAY);
        var options = Hub.Options.DEFAULT.port(0).identity(Identity.stored(key).trusting(trust));
        try (var hub = Hub.start(options);
                var told = new PipedWriter();
                var read = new BufferedReader(new PipedReader(told))) {
            var at = "localhost:" + hub.port();
            var err = new PrintWriter(new StringWriter(), true);
            var inviting =
                    CompletableFuture.supplyAsync(
                            () ->
                                    ibidem(
                                            new PrintWriter(told, true),
                                            err,
                                            "pool",
                                            "invite",
                                            "--folder",
                                            demo,
                                            "--passphrase-file",
                                            secret,
                                            "--hub",
                                            at,
                                            "worker"),
                            each -> Thread.ofPlatform().daemon().start(each));
            var code = read.readLine().replaceFirst(".* (\\S+)$", "$1");
            var node = folder.resolve("node.pem");
            var its = folder.resolve("its.pem");
            var joined =
                    ibidem(
                            "pool",
                            "join",
                            "--hub",
                            at,
                            "--identity",
                            node,
                            "--authority",
                            its,
                            code);
            assertThat(joined.code).as(joined.err).isZero();
            assertThat(inviting.join()).isZero();
            assertThat(mode(node)).isEqualTo("rw-------");
            assertThat(Files.readString(node)).contains("PRIVATE KEY").doesNotContain(WORDS);
            assertThat(its).hasSameTextualContentAs(root);
        }
    }
}
