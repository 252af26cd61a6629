package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What is said where a machine cannot have a laboratory.
class IsolationTest {
    @Test
    void all_missing_programs_are_named_at_once() {
        assertThatThrownBy(() ->
                        Isolation.require(
                                List.of("sh dash", "no-ip net", "no-nft fire", "no-tc net")))
                .isInstanceOf(LabRefused.class)
                .hasMessage(
                        "programs are missing: no-ip, no-nft, no-tc; install net fire, or run"
                                + " ./ibidem setup");
        assertThatThrownBy(() -> Isolation.require(List.of("no-ip net")))
                .hasMessage("a program is missing: no-ip; install net, or run ./ibidem setup");
        assertThatCode(() -> Isolation.require(List.of("sh dash"))).doesNotThrowAnyException();
    }
}
