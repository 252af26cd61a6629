package org.ibidem.lab.net.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.connect.Meeting.Way;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Proxy;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The method `socks` out of and into sites that have a proxy and nothing else.
@Laboratory(SocksLabTest.Town.class)
class SocksLabTest {
    private static final int PORT = 7000;
    private static final int MILLIS = 15_000;
    private static final String GATEWAY = "192.168.1.254";

    private static Meeting meeting;

    /// `bank` has a SOCKS proxy that only connects, `shop` one that lets in too, `fort` one that
    /// asks who is there, `till` an HTTP proxy.
    static final class Town implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    severe("bank", Proxy.socks(1080)),
                    severe("shop", Proxy.socks(1080).withBind()),
                    severe("fort", Proxy.socks(1080).withBind().withLogin("mary", "sesame")),
                    severe("till", Proxy.http(3128)),
                    Site.of("hub", Kind.OPEN).hosts(1),
                    Site.of("office", Kind.FIREWALL).hosts(1),
                    Site.of("home", Kind.NAT).hosts(1));
        }

        private static Site severe(String name, Proxy proxy) {
            return Site.of(name, Kind.SEVERE).hosts(1).proxies(proxy);
        }
    }

    /// Each is told of its proxy in another way.
    @BeforeAll
    static void start(Lab lab) {
        meeting =
                new Meeting(lab, PORT)
                        .start("bank1", "-Dibidem.proxy=socks5://" + GATEWAY)
                        .start("shop1", "-DsocksProxyHost=" + GATEWAY)
                        .start("fort1", "IBIDEM_PROXY=socks5://mary:sesame@" + GATEWAY + ":1080")
                        .start("till1", "https_proxy=http://" + GATEWAY + ":3128")
                        .startAll(List.of("hub1", "office1", "home1"));
    }

    private static String connect(Lab lab, String from, String to) {
        var addresses =
                lab.machine(to).addresses().stream()
                        .map(address -> address + ":" + PORT)
                        .collect(Collectors.joining(" "));
        return meeting.connect(from, to, new Way("socks", MILLIS, 0, "-", addresses));
    }

    @ParameterizedTest
    @CsvSource({
        // Out.
        "bank1, hub1",
        "shop1, hub1",
        "fort1, hub1",
        "till1, hub1",
        // In, by a port that the proxy opens: asked for by whom it lets in, or by the other.
        "shop1, office1",
        "office1, shop1",
        "shop1, home1",
        "home1, shop1",
        "hub1, shop1",
        "fort1, office1",
        "office1, fort1",
        // Out here and in there.
        "bank1, shop1",
        "shop1, bank1",
        "till1, fort1",
        "fort1, till1",
        "shop1, fort1"
    })
    void connects(String from, String to, Lab lab) {
        assertThat(connect(lab, from, to)).isEqualTo("connected");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bank1   | office1 | 192.168.1.254:1080 asked to let the peer in: the proxy's rules do not allow
                    office1 | bank1   | no proxy of the other end opens a port: socks5://192.168.1.254:1080: the proxy's rules
                    bank1   | till1   | no proxy of the other end opens a port: it knows of none
                    hub1    | till1   | no proxy of the other end opens a port: it knows of none
                    office1 | home1   | no proxy of the other end opens a port: it knows of none
                    """)
    void says_why_it_cannot(String from, String to, String why, Lab lab) {
        assertThat(connect(lab, from, to))
                .startsWith("failed org.ibidem.connect.Unreachable: node ")
                .contains(why);
    }

    @Test
    void does_not_take_a_neighbour_with_the_peers_private_address_for_the_peer(Lab lab) {
        // 192.168.1.11 is a host at each of these sites: the proxy at the bank connects to bank1.
        assertThat(connect(lab, "bank1", "till1"))
                .contains("192.168.1.11:7000 through socks5://192.168.1.254:1080");
    }
}
