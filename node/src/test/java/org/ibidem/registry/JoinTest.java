package org.ibidem.registry;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.junit.jupiter.api.Test;

/// Settings of which one is of no use without another are no settings: nobody shall join where he
/// believes that others are asked for certificates, and they are not.
class JoinTest {
    @Test
    void a_certificate_without_an_authority_is_refused() {
        var settings = Settings.of(Map.of("ibidem.certificate", "node.pem"));
        assertThatThrownBy(() -> Join.from(settings))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("ibidem.certificate")
                .hasMessageContaining("set ibidem.authority");
    }

    @Test
    void an_authority_without_a_key_is_refused() {
        var settings = Settings.of(Map.of("ibidem.authority", "authority.pem"));
        assertThatThrownBy(() -> Join.from(settings))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("set ibidem.identity");
    }
}
