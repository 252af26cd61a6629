package org.ibidem.lab.net.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private static final List<String> SITES = List.of("home", "office", "hub");

    private final Network network =
            Network.of(
                    Site.of("home", Kind.NAT).behind(Kind.NAT_RANDOM),
                    Site.of("office", Kind.FIREWALL).family(Family.DUAL),
                    Site.of("hub", Kind.OPEN).hosts(1));

    private static List<String> ways(String text) {
        return Way.parse(text, SITES).stream().map(Way::toString).toList();
    }

    @Test
    void names_ways() {
        assertThat(ways("home-office")).containsExactly("home>office", "office>home");
        assertThat(ways("home>office")).containsExactly("home>office");
        assertThat(ways("home")).containsExactly("home>", ">home");
        assertThat(ways("home>")).containsExactly("home>");
        assertThat(ways(">home")).containsExactly(">home");
        assertThat(ways("hub-*"))
                .containsExactly("hub>home", "hub>office", "home>hub", "office>hub");
        assertThat(ways("*-*")).hasSize(6);
        assertThat(ways("*>")).containsExactly("home>", "office>", "hub>");
    }

    @Test
    void says_which_sites_there_are() {
        assertThatThrownBy(() -> ways("home-ofice"))
                .hasMessage("there is no site 'ofice': there are [home, office, hub]");
        assertThatThrownBy(() -> ways("home-home")).hasMessageContaining("two different sites");
        assertThatThrownBy(() -> network.siteOf("home3"))
                .hasMessageContaining("[home-isp, home, home1, home2, office, ");
    }

    @Test
    void later_settings_add_to_earlier_ones() {
        var set =
                network.lines("delay=10ms").line("home-hub", "loss=1%").line("home", "rate=1mbit");
        assertThat(set.line(new Way("home", "hub"))).isEqualTo(Line.of("delay=10ms loss=1%"));
        assertThat(set.line(new Way("office", "hub"))).isEqualTo(Line.of("delay=10ms"));
        assertThat(set.line(new Way("", "home"))).isEqualTo(Line.of("rate=1mbit"));
        assertThat(network.line(new Way("home", "hub"))).isEqualTo(Network.BETWEEN);
        assertThat(network.line(new Way("hub", ""))).isEqualTo(Line.IDEAL);
    }

    @Test
    void gives_addresses_by_kind_and_family() {
        var addresses = new Addresses(network);
        assertThat(addresses.of("home1")).containsExactly("192.168.1.11");
        assertThat(addresses.of("home")).containsExactly("100.64.1.2");
        assertThat(addresses.of("home-isp")).containsExactly("198.18.1.1");
        assertThat(addresses.of("office2")).containsExactly("198.18.2.12", "2001:db8:2:1::12");
    }

    @Test
    void travels_to_the_process_that_builds_it() throws Exception {
        var all =
                Network.of(
                                Site.of("a", Kind.SEVERE)
                                        .proxies(
                                                Proxy.socks(1080).withBind(),
                                                Proxy.http(3128).withLogin("one", "secret"))
                                        .forgets(Duration.ofSeconds(2)),
                                Site.of("b", Kind.NAT))
                        .line("a-b", "delay=1ms");
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(all);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(all);
        }
    }

    @Test
    void refuses_what_cannot_be() {
        assertThatThrownBy(() -> Network.of(Site.of("a", Kind.OPEN), Site.of("a", Kind.NAT)))
                .hasMessage("two in this network are called a");
        assertThatThrownBy(() -> Network.of(Site.of("a", Kind.OPEN), Site.of("a1", Kind.NAT)))
                .hasMessage("two in this network are called a1");
        assertThatThrownBy(Network::of).hasMessageContaining("1 to 200 sites");
        assertThatThrownBy(() -> Site.of("My-Site", Kind.OPEN)).hasMessageContaining("My-Site");
        assertThatThrownBy(() -> Site.of("a", Kind.NAT).family(Family.IPV6))
                .hasMessageContaining("no NAT for IPv6");
        assertThatThrownBy(() -> Site.of("a", Kind.FIREWALL).behind(Kind.NAT))
                .hasMessageContaining("only a NAT stands behind a NAT");
    }
}
