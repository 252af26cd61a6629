package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
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

    /// Nobody knows what it means, so it must not count; its authority is known all the same.
    @Test
    void an_unknown_critical_extension_is_named() throws Exception {
        var root = Certificates.keys();
        var name = new X500Principal("CN=node");
        var uri = "https://example.org/";
        var rootWish = new Certificates.Wish("root", uri, root.getPublic(), now, MONTH);
        var authority = Certificates.make(rootWish, null, root.getPrivate());
        var names = new GeneralName(GeneralName.uniformResourceIdentifier, NODE.uri());
        var builder =
                new JcaX509v3CertificateBuilder(
                                authority.getSubjectX500Principal(),
                                BigInteger.TWO,
                                Date.from(now.minusSeconds(60)),
                                Date.from(now.plus(MONTH)),
                                name,
                                keys.getPublic())
                        .addExtension(
                                Extension.subjectAlternativeName, true, new GeneralNames(names))
                        .addExtension(
                                new ASN1ObjectIdentifier("1.3.6.1.4.1.99999.7"),
                                true,
                                new DEROctetString(new byte[] {1}));
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(root.getPrivate());
        var own = new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        assertThatThrownBy(() -> check(new Chain(List.of(own)), keys, authority, "demo"))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("a critical extension")
                .hasMessageContaining("OID 1.3.6.1.4.1.99999.7,")
                .hasMessageNotContaining("unknown authority");
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
                .hasMessageContaining("is not made for this: ");
    }
}
