package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.ibidem.trust.Authority;
import org.ibidem.trust.Chain;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which certificates count.
class AuthorityTest {
    private static final Duration MONTH = Duration.ofDays(30);
    private static final Standing NODE = new Standing("demo", Role.NODE, "lyon");

    @TempDir Path folder;

    private final Instant now = Instant.now();
    private PoolAuthority demo;
    private KeyPair keys;

    @BeforeEach
    void make() throws Exception {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        keys = Certificates.keys();
    }

    private Chain certified(Standing standing) throws Exception {
        var text = demo.certify("a node", standing, keys.getPublic().getEncoded(), MONTH);
        return Chain.read(Files.writeString(folder.resolve("node.pem"), text));
    }

    private Standing check(Chain chain, KeyPair whose, X509Certificate root, String pool) {
        return new Authority(List.of(root)).check(chain, whose.getPublic().getEncoded(), pool, now);
    }

    @Test
    @Tag("slow")
    void a_certificate_says_pool_role_and_site() throws Exception {
        for (var standing :
                List.of(
                        NODE,
                        new Standing("demo", Role.ADMIN, ""),
                        new Standing("demo", Role.HUB, "a/b é"))) {
            assertThat(check(certified(standing), keys, demo.certificate(), "demo"))
                    .isEqualTo(standing);
        }
        assertThat(new Standing("a pöol", Role.HUB, "x/y").uri())
                .isEqualTo("ibidem:a%20p%C3%B6ol/hub/x%2Fy");
    }

    @Test
    void what_is_shown_comes_back() throws Exception {
        var chain = certified(NODE);
        assertThat(Chain.of(chain.bytes())).isEqualTo(chain);
        assertThat(Chain.of(new byte[0]).isEmpty()).isTrue();
        assertThatThrownBy(() -> Chain.of(new byte[] {9}))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("9 certificates");
        assertThatThrownBy(() -> Chain.of(new byte[] {1, 1, 0, 7}))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("a certificate that is none");
    }

    @Test
    void a_certificate_counts_in_its_pool_alone() throws Exception {
        var chain = certified(NODE);
        assertThatThrownBy(() -> check(chain, keys, demo.certificate(), "other"))
                .hasMessageContaining("none of the authorities known here is that of pool 'other'");
        // An infrastructure that serves any pool: the pool is in the certificate.
        var wish =
                new Certificates.Wish("root", "https://example.org/", keys.getPublic(), now, MONTH);
        var root = Certificates.make(wish, null, keys.getPrivate());
        var node = Certificates.keys();
        var uri = new Certificates.Wish("node", NODE.uri(), node.getPublic(), now, MONTH);
        var shown = new Chain(List.of(Certificates.make(uri, root, keys.getPrivate())));
        assertThat(check(shown, node, root, "demo")).isEqualTo(NODE);
        assertThatThrownBy(() -> check(shown, node, root, "other"))
                .hasMessageContaining("is for pool 'demo', not for pool 'other'");
        var plain = new Certificates.Wish("www", "https://www/", node.getPublic(), now, MONTH);
        var nothing = new Chain(List.of(Certificates.make(plain, root, keys.getPrivate())));
        assertThatThrownBy(() -> check(nothing, node, root, "demo"))
                .hasMessageContaining("names no pool")
                .hasMessageContaining("URI:ibidem:demo/node");
    }

    @Test
    void who_has_a_certificate_issues_none() throws Exception {
        var member = certified(NODE);
        var friend = Certificates.keys();
        var wish = new Certificates.Wish("friend", NODE.uri(), friend.getPublic(), now, MONTH);
        var own = member.certificates().getFirst();
        var issued = Certificates.make(wish, own, keys.getPrivate());
        assertThatThrownBy(() ->
                        check(new Chain(List.of(issued, own)), friend, demo.certificate(), "demo"))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("unknown authority");
    }
}
