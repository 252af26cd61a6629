package org.ibidem.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class SubnetTest {
    private static boolean holds(String subnet, String address) {
        return Subnet.parse(subnet).holds(InetAddress.ofLiteral(address));
    }

    @Test
    void its_addresses_begin_with_the_same_bits() {
        assertThat(holds("192.168.1.0/24", "192.168.1.255")).isTrue();
        assertThat(holds("192.168.1.7/24", "192.168.1.9")).isTrue();
        assertThat(holds("192.168.1.0/24", "192.168.2.1")).isFalse();
        assertThat(holds("10.0.0.0/9", "10.127.0.1")).isTrue();
        assertThat(holds("10.0.0.0/9", "10.128.0.1")).isFalse();
        assertThat(holds("0.0.0.0/0", "203.0.113.9")).isTrue();
        assertThat(holds("fd00:1::/32", "fd00:1:2::3")).isTrue();
        assertThat(holds("fd00:1::/32", "fd00:2::3")).isFalse();
        assertThat(holds("0.0.0.0/0", "fd00::1")).isFalse();
    }

    @Test
    void one_address_alone_is_one_too() {
        assertThat(holds("192.0.2.7", "192.0.2.7")).isTrue();
        assertThat(holds("192.0.2.7", "192.0.2.6")).isFalse();
        assertThat(Subnet.parse("192.0.2.7")).hasToString("192.0.2.7/32");
    }

    @Test
    void what_is_none_is_an_error() {
        assertThatThrownBy(() -> Subnet.parse("192.0.2.0/33"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 0 to 32 bits");
        assertThatThrownBy(() -> Subnet.parse("192.0.2.0/x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a prefix length after '/': '192.0.2.0/x'");
        assertThatThrownBy(() -> Subnet.parse("example.org/24"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
