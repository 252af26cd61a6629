package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.arbitration.Clock;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys and certificates of a public key infrastructure of one's own, made by openssl as the guide
/// says.
@Tag("slow")
class OpensslTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir Path folder;

    @BeforeEach
    void makeRoot() throws Exception {
        root("ca");
    }

    private void openssl(String... words) throws Exception {
        var command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(words));
        var process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private void key(String name) throws Exception {
        openssl(
                "genpkey",
                "-algorithm",
                "EC",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-out",
                name + ".key");
    }

    private void root(String name) throws Exception {
        key(name);
        openssl(
                "req",
                "-x509",
                "-new",
                "-key",
                name + ".key",
                "-days",
                "365",
                "-subj",
                "/CN=ours",
                "-out",
                name + ".pem");
    }

    private Identity signed(String by, String name, String says) throws Exception {
        key(name);
        openssl("req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", "csr");
        Files.writeString(folder.resolve("ext"), "subjectAltName=URI:" + says + "\n");
        openssl(
                "x509",
                "-req",
                "-in",
                "csr",
                "-CA",
                by + ".pem",
                "-CAkey",
                by + ".key",
                "-days",
                "90",
                "-extfile",
                "ext",
                "-out",
                name + ".pem");
        return Identity.stored(folder.resolve(name + ".key"))
                .trusting(
                        Trust.read(
                                List.of(folder.resolve("ca.pem")),
                                List.of(folder.resolve(name + ".pem")),
                                Clock.TIME_OF_DAY));
    }

    private static Node join(Hub hub, Identity identity) {
        return Node.join(
                Join.pool("demo").hub("localhost:" + hub.port()).limit(LONG).identity(identity));
    }

    @Test
    void members_come_in_by_it_and_others_do_not() throws Exception {
        var hubs = signed("ca", "hub", "ibidem:demo/hub");
        var mine = signed("ca", "one", "ibidem:demo/node/lyon");
        var theirs = signed("ca", "other", "ibidem:demo/node");
        root("another");
        assertThatThrownBy(() -> signed("another", "stranger", "ibidem:demo/node"))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("of an unknown authority");
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).identity(hubs));
                var one = join(hub, mine);
                var _ = join(hub, theirs)) {
            assertThat(one.awaitMembers(2, LONG)).hasSize(2);
        }
    }
}
