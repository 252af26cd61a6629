package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Packet;
import org.ibidem.lab.net.Trace;
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

/// Nodes that reach their hub through an HTTP proxy, and nothing else.
@Laboratory(HttpProxyTest.Sites.class)
class HttpProxyTest {
    private static final String PROXY = "192.168.1.254:3128";

    private static Town town;

    /// The proxy of the bank asks who is there. The last two are for [ParallelMethodsTest].
    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("till", Kind.SEVERE).hosts(1).proxies(Proxy.http(3128)),
                    Site.of("bank", Kind.SEVERE)
                            .hosts(1)
                            .proxies(Proxy.http(3128).withLogin("mary", "sesame")),
                    Site.of("office", Kind.FIREWALL).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1),
                    Site.of("fort", Kind.SEVERE).hosts(1).proxies(Proxy.socks(1080)),
                    Site.of("square", Kind.OPEN).hosts(1));
        }
    }

    /// Joining is the first that goes through the proxy.
    @BeforeAll
    static void start(Lab lab) {
        town =
                new Town(lab)
                        .start("-Dibidem.proxy=http://" + PROXY, "till1")
                        .start("IBIDEM_PROXY=http://mary:sesame@" + PROXY, "bank1")
                        .start("-Dibidem.heartbeat=5s", "office1");
    }

    @ParameterizedTest
    @CsvSource({"till1, office1", "bank1, office1", "till1, bank1"})
    void carries_messages_both_ways(String one, String other) {
        for (var stream : List.of(town.stream(one, other), town.stream(other, one))) {
            assertThat(stream.open()).isIn("routed", "accepted");
            stream.carry(50, 1000);
            stream.carry(2, 500_000);
        }
    }

    @Test
    void no_connection_leaves_the_host_but_to_the_proxy(Lab lab) {
        long mark = lab.mark();
        var stream = town.stream("till1", "office1");
        stream.open();
        stream.carry(3, 200_000);
        var open = lab.machine("till1").run("ss", "-Htn", "state", "established");
        assertThat(open)
                .isNotEmpty()
                .allMatch(line -> line.replaceAll("\\[::ffff:(.*?)]", "$1").contains(" " + PROXY));
        assertThat(payload(lab.since(mark).between("till", "hub"))).isGreaterThan(600_000);
        assertThat(payload(lab.since(mark).between("till", "office"))).isZero();
    }

    private static long payload(Trace trace) {
        return trace.packets().stream().mapToLong(Packet::payload).sum();
    }
}
