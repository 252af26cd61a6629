package org.ibidem.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.junit.jupiter.api.Test;

/// The formats of certificates and lists stay what the vectors say.
class TrustVectorsTest {
    private final Vectors vectors = Vectors.read("trust");
    private final Chain chain = Chain.of(vectors.get("chain"));
    private final RevokedList first = RevokedList.of(vectors.get("list.first"));
    private final RevokedList second = RevokedList.of(vectors.get("list.second"));
    private final Trust trust;

    TrustVectorsTest() throws IOException, CertificateException {
        trust = trusting("authority", chain);
    }

    private Trust trusting(String authority, Chain own) throws CertificateException {
        var der = new ByteArrayInputStream(vectors.get(authority));
        var root =
                (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(der);
        Instant then = root.getNotBefore().toInstant().plus(Duration.ofDays(2));
        return Trust.NONE.and(new Authority(List.of(root)), own, () -> then);
    }

    @Test
    void a_chain_is_read_and_written_so() {
        assertThat(chain.bytes()).isEqualTo(vectors.get("chain"));
        assertThat(trust.check("demo", chain.key(), chain))
                .isEqualTo(new Standing("demo", Role.NODE, "lyon"));
    }

    @Test
    void a_list_is_read_so_and_takes_the_place_of_the_one_before() {
        assertThat(first.bytes()).isEqualTo(vectors.get("list.first"));
        assertThat(first.revoked()).isEmpty();
        assertThat(second.number()).isGreaterThan(first.number());
        assertThat(trust.accept(first)).isTrue();
        trust.check("demo", chain.key(), chain);
        assertThat(trust.revoked("demo")).isEmpty();
        assertThat(trust.accept(second)).isTrue();
        assertThat(trust.revoked("demo")).containsExactly(chain.key());
        assertThatThrownBy(() -> trust.check("demo", chain.key(), chain))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("its certificate was revoked at ");
        assertThatThrownBy(() -> trust.accept(first)).isInstanceOf(NotTrusted.class);
    }

    @Test
    void whom_a_delegate_has_let_in_counts_as_it_may_and_as_long_as_it_does() throws Exception {
        var shown = Chain.of(vectors.get("delegate.chain"));
        assertThat(shown.bytes()).isEqualTo(vectors.get("delegate.chain"));
        var here = trusting("delegate.authority", shown);
        assertThat(here.check("demo", shown.key(), shown))
                .isEqualTo(new Standing("demo", Role.NODE, "lyon"));
        var refused = vectors.starting("delegate.not.");
        assertThat(refused).hasSize(6);
        refused.forEach((name, bytes) -> {
            var other = Chain.of(bytes);
            assertThatThrownBy(() -> here.check("demo", other.key(), other))
                    .as(name)
                    .isInstanceOf(NotTrusted.class)
                    .hasMessageContaining("delegate");
        });
        assertThat(here.accept(RevokedList.of(vectors.get("delegate.list")))).isTrue();
        assertThat(here.revoked("demo")).containsExactly(shown.key());
        assertThatThrownBy(() -> here.check("demo", shown.key(), shown))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("of the delegate that has let it in was revoked at ");
    }

    @Test
    void what_must_be_refused_is() {
        var bad = vectors.starting("bad.chain.");
        assertThat(bad).hasSize(4);
        bad.forEach((name, bytes) ->
                assertThatThrownBy(() -> Chain.of(bytes))
                        .as(name)
                        .isInstanceOfAny(NotTrusted.class, Malformed.class));
        assertThatThrownBy(() -> RevokedList.of(vectors.get("bad.list.short")))
                .isInstanceOf(NotTrusted.class);
        assertThatThrownBy(() -> RevokedList.of(new byte[RevokedList.LONGEST + 1]))
                .hasMessageContaining("at most 60000 may be");
        assertThatThrownBy(() -> RevokedList.of(new byte[0])).isInstanceOf(NotTrusted.class);
    }

    @Test
    void any_changed_byte_of_a_list_is_refused() {
        var bytes = vectors.get("list.second");
        for (int at = 0; at < bytes.length; at++) {
            var changed = bytes.clone();
            changed[at] ^= (byte) (1 << (at % 8));
            assertThatThrownBy(() -> trust.accept(RevokedList.of(changed)))
                    .as("byte %d", at)
                    .isInstanceOf(NotTrusted.class);
        }
    }
}
