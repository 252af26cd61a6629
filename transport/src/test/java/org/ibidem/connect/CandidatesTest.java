package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private static List<InetSocketAddress> at(String... literals) {
        return Arrays.stream(literals)
                .map(each -> new InetSocketAddress(InetAddress.ofLiteral(each), 7))
                .toList();
    }

    private static List<InetSocketAddress> order(
            List<InetSocketAddress> addresses, String... mine) {
        return Candidates.order(
                addresses,
                Set.copyOf(Arrays.stream(mine).map(InetAddress::ofLiteral).toList()),
                _ -> true);
    }

    @Test
    void private_addresses_come_first_and_versions_take_turns() {
        var peer =
                at(
                        "8.8.8.8",
                        "2001:db8::1",
                        "10.0.0.1",
                        "10.0.0.2",
                        "fd00::1",
                        "100.64.0.1",
                        "9.9.9.9");
        assertThat(order(peer))
                .isEqualTo(
                        at(
                                "fd00::1",
                                "10.0.0.1",
                                "10.0.0.2",
                                "100.64.0.1",
                                "2001:db8::1",
                                "8.8.8.8",
                                "9.9.9.9"));
    }

    @Test
    void loopback_is_skipped_unless_the_peer_is_on_this_host() {
        var peer = at("127.0.0.1", "10.0.0.1");
        assertThat(order(peer, "10.0.0.9")).isEqualTo(at("10.0.0.1"));
        assertThat(order(peer, "10.0.0.1")).isEqualTo(at("127.0.0.1", "10.0.0.1"));
    }

    @Test
    void loopback_is_tried_when_there_is_nothing_else_ipv4_first() {
        assertThat(order(at("::1", "127.0.0.1"))).isEqualTo(at("127.0.0.1", "::1"));
    }

    @Test
    void addresses_of_a_family_that_this_jvm_lacks_come_last() {
        var many = new String[Candidates.MOST];
        Arrays.setAll(many, i -> "fd00::1:" + i);
        var peer = new ArrayList<>(at(many));
        peer.addAll(at("2001:db8::1", "10.0.0.1", "8.8.8.8"));
        var ordered = Candidates.order(peer, Set.of(), Inet4Address.class::isInstance);
        assertThat(ordered).startsWith(at("10.0.0.1", "8.8.8.8").toArray(InetSocketAddress[]::new));
        assertThat(ordered).hasSize(Candidates.MOST).contains(at("fd00::1:0").getFirst());
    }

    @Test
    void what_means_nothing_is_not_tried() {
        assertThat(order(at("0.0.0.0", "::", "224.0.0.1", "ff02::1", "10.0.0.1")))
                .isEqualTo(at("10.0.0.1"));
        assertThat(order(List.of(InetSocketAddress.createUnresolved("nowhere.invalid", 7))))
                .isEmpty();
        assertThat(order(List.of(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 0))))
                .isEmpty();
    }

    @Test
    void the_same_address_is_tried_once_and_a_long_list_is_cut() {
        assertThat(order(at("10.0.0.1", "10.0.0.1"))).hasSize(1);
        var many = new String[200];
        Arrays.setAll(many, i -> "10.0.1." + i);
        assertThat(order(at(many))).hasSize(Candidates.MOST);
    }
}
