package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.ibidem.arbitration.Threads;
import org.ibidem.handshake.Handshake;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.junit.jupiter.api.Test;

class ProberTest {
    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private static final List<InetSocketAddress> PUBLISHED =
            List.of(
                    new InetSocketAddress(address("192.168.1.5"), 4000),
                    new InetSocketAddress(address("fd00::5"), 4000));

    @Test
    void a_node_that_comes_from_an_address_it_publishes_is_reached_there() {
        assertThat(Prober.reaches(address("192.168.1.5"), PUBLISHED)).isTrue();
        assertThat(Prober.reaches(address("fd00::5"), PUBLISHED)).isTrue();
    }

    @Test
    void a_node_that_is_asked_whether_it_is_there_complains_of_nothing() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("demo").hub("127.0.0.1:" + hub.port()));
                var tasks = new Threads("prober");
                var logged = new Logged(org.ibidem.accept.Listener.class)) {
            var handshake = new Handshake(Identity.create(), tasks, Heard.LONG);
            var prober = new Prober(handshake, tasks);
            assertThat(prober.refused("demo", Runtimes.of(node).contact())).isFalse();
            assertThat(prober.refused("another", Runtimes.of(node).contact())).isFalse();
            assertThat(logged.next()).contains("not in 'another'");
        }
    }

    @Test
    void a_node_on_this_machine_is_reached() {
        var here = List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000));
        assertThat(Prober.reaches(address("127.0.0.1"), here)).isTrue();
        assertThat(Prober.reaches(address("::1"), here)).isTrue();
    }

    @Test
    void one_at_a_node_whose_connection_somebody_forwards_says_nothing_either() {
        var elsewhere = List.of(new InetSocketAddress(address("192.0.2.7"), 4000));
        assertThat(Prober.reaches(address("127.0.0.1"), elsewhere)).isFalse();
    }

    @Test
    void a_refusal_at_the_addresses_of_a_node_behind_a_nat_says_nothing_about_it() {
        assertThat(Prober.reaches(address("203.0.113.9"), PUBLISHED)).isFalse();
        assertThat(Prober.reaches(address("203.0.113.9"), List.of())).isFalse();
    }
}
