package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Family;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Proxy;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A severe site's proxies let out, and in, whom they are to.
@Laboratory(ProxiesTest.Bank.class)
class ProxiesTest {
    private static Probes probes;
    private static String hub;

    static final class Bank implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("bank", Kind.SEVERE)
                            .family(Family.DUAL)
                            .hosts(1)
                            .proxies(
                                    Proxy.socks(1080),
                                    Proxy.http(3128),
                                    Proxy.http(3129).withLogin("mary", "sesame")),
                    Site.of("fort", Kind.SEVERE)
                            .hosts(1)
                            .proxies(Proxy.socks(1080).withLogin("mary", "sesame")),
                    Site.of("shop", Kind.SEVERE).hosts(1).proxies(Proxy.socks(1080).withBind()),
                    Site.of("hub", Kind.OPEN).family(Family.DUAL).hosts(1));
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        probes = new Probes(lab).startAll(List.of("bank1", "fort1", "shop1", "hub1"));
        probes.get("hub1", "listen 9000");
        hub = lab.machine("hub1").address();
    }

    private static String ask(String host, String verb, String proxy, String target) {
        return probes.ask(host, verb + " 192.168.1.254 " + proxy + " " + target);
    }

    @Test
    void there_is_no_other_way_out() {
        assertThat(probes.ask("bank1", "connect " + hub + " 9000 500")).isEqualTo("no silence");
    }

    @Test
    void socks_connects_for_both_families(Lab lab) {
        assertThat(ask("bank1", "socks", "1080 - -", hub + " 9000"))
                .startsWith("ok " + lab.machine("bank").address() + " ");
        var six = lab.machine("hub1").addresses().get(1);
        assertThat(ask("bank1", "socks", "1080 - -", six + " 9000")).startsWith("ok 2001:db8:1:");
        assertThat(ask("bank1", "socks", "1080 - -", hub + " 9001")).contains("refused");
    }

    @Test
    void socks_asks_for_a_name_and_a_password() {
        assertThat(ask("fort1", "socks", "1080 mary sesame", hub + " 9000")).startsWith("ok ");
        assertThat(ask("fort1", "socks", "1080 mary guess", hub + " 9000")).startsWith("no ");
        assertThat(ask("fort1", "socks", "1080 - -", hub + " 9000")).startsWith("no ");
    }

    @Test
    void socks_opens_a_port_outside_where_it_may(Lab lab) {
        assertThat(ask("shop1", "bind", "1080 - -", hub + " 9000"))
                .startsWith("ok " + lab.machine("shop").address() + " ");
        assertThat(ask("bank1", "bind", "1080 - -", hub + " 9000")).startsWith("ok refused");
    }

    @Test
    void http_connects(Lab lab) {
        assertThat(ask("bank1", "tunnel", "3128 - -", hub + " 9000"))
                .startsWith("ok 200 " + lab.machine("bank").address() + " ");
        assertThat(ask("bank1", "tunnel", "3128 - -", hub + " 9001")).isEqualTo("ok 502");
    }

    @Test
    void http_asks_for_a_name_and_a_password() {
        assertThat(ask("bank1", "tunnel", "3129 mary sesame", hub + " 9000")).startsWith("ok 200");
        assertThat(ask("bank1", "tunnel", "3129 mary guess", hub + " 9000")).isEqualTo("ok 407");
        assertThat(ask("bank1", "tunnel", "3129 - -", hub + " 9000")).isEqualTo("ok 407");
    }
}
