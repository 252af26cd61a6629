package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.Test;

/// A home whose NAT hands a port on to one of its hosts.
@Laboratory(ForwardedPortTest.Sites.class)
class ForwardedPortTest {
    private static final String HAND_ON =
            """
            table ip handed {
              chain in { type nat hook prerouting priority -100; iifname "wan" tcp dport 9000 dnat to 192.168.1.11:9000; }
              chain pass { type filter hook forward priority -10; }
            }
            insert rule inet site forward iifname "wan" ct status dnat accept
            """;

    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("home", Kind.NAT).hosts(1),
                    Site.of("office", Kind.NAT_SYMMETRIC).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    /// From behind a NAT with which nothing else could be done.
    @Test
    void is_reached_directly_at_the_address_that_the_hub_sees(Lab lab) {
        lab.machine("home").run("sh", "-c", "nft -f - <<'END'\n" + HAND_ON + "END\n");
        var town =
                new Town(lab)
                        .start("-Dibidem.port=9000", "home1")
                        .start("-Dibidem.heartbeat=5s", "office1");
        var stream = town.stream("office1", "home1");
        assertThat(stream.open()).isEqualTo("direct");
        stream.carry(10, 1000);
    }
}
