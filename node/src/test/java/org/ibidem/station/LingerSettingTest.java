package org.ibidem.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.ibidem.config.SettingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// For how long a node that is closed waits, as it is set.
@Isolated("sets properties")
class LingerSettingTest {
    private static final String LINGER = "ibidem.linger";

    @AfterEach
    void clear() {
        System.clearProperty(LINGER);
    }

    @Test
    void it_is_ten_seconds_unless_it_is_set() {
        assertThat(NodeRuntime.linger()).isEqualTo(Duration.ofSeconds(10));
        System.setProperty(LINGER, "0s");
        assertThat(NodeRuntime.linger()).isZero();
        System.setProperty(LINGER, "250ms");
        assertThat(NodeRuntime.linger()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void a_negative_one_is_refused() {
        System.setProperty(LINGER, "-1s");
        assertThatThrownBy(NodeRuntime::linger)
                .isInstanceOf(SettingException.class)
                .hasMessageContaining(LINGER)
                .hasMessageContaining("-1s");
    }
}
