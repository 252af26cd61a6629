package org.ibidem.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// Where no module has native access.
class DescriptorsTest {
    @Test
    void the_objection_names_the_missing_module() {
        var none = Descriptors.found();
        assertThat(none.objection()).contains("ibidem-descriptors");
        assertThatThrownBy(() -> none.readable(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(none.objection());
    }
}
