package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.ibidem.trust.Authority;
import org.ibidem.trust.Chain;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What counts of what a delegate has issued: nodes of its pool and site, while it counts itself.
class DelegateTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final String DELEGATE = new Standing("demo", Role.DELEGATE, "").uri();
    private static final Standing NODE = new Standing("demo", Role.NODE, "lyon");
    private static final String NOBODY = "https://example.org/";

    private final Instant now = Instant.now();
    private final Holder root = root(Standing.authority("demo"));
    private final Holder front = root.issues(DELEGATE, 0, DAY);

    /// Who has a key and a certificate for it.
    private record Holder(X509Certificate certificate, KeyPair keys) {
        Holder issues(String uri, int below, Duration lasts) {
            return made(uri, this, below, lasts);
        }

        Holder issues(Standing standing) {
            return issues(standing.uri(), Certificates.ISSUES_NOTHING, DAY);
        }
    }

    private static Holder root(String uri) {
        return made(uri, null, 1, DAY.multipliedBy(30));
    }

    private static Holder made(String uri, @Nullable Holder by, int below, Duration lasts) {
        try {
            var keys = Certificates.keys();
            var from = Instant.now().minusSeconds(1);
            var wish = new Certificates.Wish("of " + uri, uri, keys.getPublic(), from, lasts);
            var issuer = by == null ? null : by.certificate;
            var signs = by == null ? keys : by.keys;
            return new Holder(Certificates.make(wish, issuer, signs.getPrivate(), below), keys);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static Chain chain(Holder... holders) {
        return new Chain(Arrays.stream(holders).map(Holder::certificate).toList());
    }

    private Standing check(Holder by, Instant when, Holder... shown) {
        var key = shown[0].keys.getPublic().getEncoded();
        return new Authority(List.of(by.certificate)).check(chain(shown), key, "demo", when);
    }

    private void assertRefused(String why, Holder... shown) {
        assertThatThrownBy(() -> check(root, now, shown))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining(why);
    }

    @Test
    void a_node_that_a_delegate_has_let_in_is_what_its_certificate_says() {
        var node = front.issues(NODE);
        assertThat(check(root, now, node, front)).isEqualTo(NODE);
        assertThat(check(root, now, node, front, root)).isEqualTo(NODE);
        assertRefused("unknown authority", node);
        var shown = chain(node, front);
        assertThat(Chain.of(shown.bytes())).isEqualTo(shown);
    }

    @Test
    void a_delegate_lets_in_no_hub_no_administrator_and_no_delegate() {
        for (var role : List.of(Role.HUB, Role.ADMIN, Role.DELEGATE)) {
            var why =
                    "a delegate, which admits nodes only, and its certificate has the role '%s'"
                            .formatted(role);
            assertRefused(why, front.issues(new Standing("demo", role, "")), front);
        }
        var another = front.issues(DELEGATE, 0, DAY);
        assertRefused("certificate has the role 'delegate'", another, front);
    }

    @Test
    void a_path_that_goes_on_below_a_delegate_is_refused() {
        var another = front.issues(DELEGATE, 0, DAY);
        assertRefused("which a delegate has made an issuer", another.issues(NODE), another, front);
        var plain = front.issues(NOBODY, 0, DAY);
        assertRefused("which a delegate has made an issuer", plain.issues(NODE), plain, front);
        var member = front.issues(NODE);
        assertRefused("which a delegate has made an issuer", member.issues(NODE), member, front);
        var longer = root.issues(DELEGATE, 1, DAY);
        assertRefused("allows more issuers below it", longer.issues(NODE), longer);
        var none = root.issues(DELEGATE, Certificates.ISSUES_NOTHING, DAY);
        assertRefused("is that of no issuer", none.issues(NODE), none);
    }

    @Test
    void a_delegate_for_a_site_lets_in_nobody_of_another() {
        var lyon = root.issues(new Standing("demo", Role.DELEGATE, "lyon").uri(), 0, DAY);
        assertThat(check(root, now, lyon.issues(NODE), lyon)).isEqualTo(NODE);
        for (var site : List.of("nice", "")) {
            var node = lyon.issues(new Standing("demo", Role.NODE, site));
            assertRefused(
                    "for site 'lyon', and its certificate names the site '" + site, node, lyon);
        }
    }

    @Test
    void a_delegate_lets_nobody_into_another_pool() {
        var any = root(NOBODY); // it serves many pools
        var theirs = any.issues(new Standing("other", Role.DELEGATE, "").uri(), 0, DAY);
        assertThatThrownBy(() -> check(any, now, theirs.issues(NODE), theirs))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining(
                        "a delegate for pool 'other', which cannot admit nodes to pool 'demo'");
        var out = front.issues(new Standing("other", Role.NODE, ""));
        assertRefused("is for pool 'other', not for pool 'demo'", out, front);
        var imposter = root(Standing.authority("demo")).issues(DELEGATE, 0, DAY);
        assertRefused("unknown authority", imposter.issues(NODE), imposter);
    }

    @Test
    void what_a_delegate_has_issued_ends_with_it() {
        var brief = root.issues(DELEGATE, 0, Duration.ofMinutes(10));
        var node = brief.issues(NODE);
        assertThat(check(root, now, node, brief)).isEqualTo(NODE);
        var later = now.plus(Duration.ofMinutes(20));
        assertThatThrownBy(() -> check(root, later, node, brief))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining(
                        "the certificate of the delegate that has let it in has expired");
        assertThat(chain(node, brief).until())
                .isEqualTo(brief.certificate.getNotAfter().toInstant());
    }

    @Test
    void below_a_pools_own_authority_nobody_issues_but_delegates() {
        var plain = root.issues(NOBODY, 0, DAY);
        assertRefused("which the pool's authority has made no delegate", plain.issues(NODE), plain);
        var theirs = root(NOBODY); // another infrastructure has its own rules
        var below = theirs.issues(NOBODY, 0, DAY);
        assertThat(check(theirs, now, below.issues(NODE), below)).isEqualTo(NODE);
    }

    @Test
    void a_delegate_is_no_authority() {
        assertThatThrownBy(() -> check(front, now, front.issues(NODE)))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("none of the authorities known here is that of pool 'demo'");
    }
}
