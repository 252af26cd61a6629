package org.ibidem.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPairGenerator;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class NodeCertificateTest {
    private final Identity identity = Identity.create();
    private final X509Certificate certificate = identity.towards(identity.id()).certificate();

    /// Of some keys and signatures the numbers are shorter than of others.
    @RepeatedTest(40)
    void it_holds_the_key_of_the_node_and_is_signed_with_it() throws Exception {
        assertThat(certificate.getPublicKey().getEncoded()).isEqualTo(identity.key().encoded());
        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity();
        assertThat(certificate.getSubjectX500Principal().getName())
                .isEqualTo("CN=ibidem node " + identity.id())
                .isEqualTo(certificate.getIssuerX500Principal().getName());
        assertThat(certificate.getSerialNumber()).isPositive();
    }

    @Test
    void it_is_not_signed_by_another() {
        var other = Identity.create().towards(identity.id()).certificate();
        assertThatThrownBy(() -> other.verify(certificate.getPublicKey()))
                .isInstanceOf(SignatureException.class);
    }

    @Test
    void it_is_made_once() {
        assertThat(identity.towards(new NodeId(1, 1)).certificate()).isSameAs(certificate);
    }

    @Test
    void it_is_the_peers_where_it_holds_the_peers_key() throws Exception {
        identity.towards(identity.id()).check(certificate);
        assertThatThrownBy(() -> identity.towards(new NodeId(1, 1)).check(certificate))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("it has the key of node " + identity.id());
    }

    @Test
    void other_kinds_of_keys_belong_to_no_node() throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(384);
        assertThatThrownBy(() -> NodeKey.of(generator.generateKeyPair().getPublic().getEncoded()))
                .isInstanceOf(BadKey.class);
    }
}
