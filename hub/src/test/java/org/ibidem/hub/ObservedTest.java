package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class ObservedTest {
    private static final InetSocketAddress SEEN = at("198.18.1.1");

    private static InetSocketAddress at(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 9000);
    }

    private static Contact of(String... literals) {
        var addresses = Arrays.stream(literals).map(ObservedTest::at).toList();
        return new Contact(new NodeId(1, 2), addresses, Map.of("shm", "here"));
    }

    @Test
    void the_wildcard_address_becomes_the_one_seen_and_comes_last() {
        assertThat(Observed.in(of("0.0.0.0", "192.168.1.11"), SEEN))
                .isEqualTo(of("192.168.1.11", "198.18.1.1"));
    }

    @Test
    void what_is_known_already_is_not_said_twice() {
        assertThat(Observed.in(of("198.18.1.1", "0.0.0.0"), SEEN).addresses())
                .isEqualTo(List.of(at("198.18.1.1")));
    }

    @Test
    void nobody_is_sent_to_the_hubs_own_machine_or_to_nowhere() {
        var published = of("192.168.1.11", "0.0.0.0");
        assertThat(Observed.in(published, at("127.0.0.1"))).isEqualTo(of("192.168.1.11"));
        assertThat(Observed.in(published, null)).isEqualTo(of("192.168.1.11"));
    }

    @Test
    void who_publishes_no_wildcard_address_is_left_as_it_is() {
        assertThat(Observed.in(of("192.168.1.11"), SEEN)).isEqualTo(of("192.168.1.11"));
    }
}
