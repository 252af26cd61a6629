package org.ibidem.lab.net;

import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.Test;

@Laboratory(DelaysTest.Three.class)
class DelaysTest {
    static final class Three implements Plan {
        @Override
        public Network network() {
            return Network.of(
                            Site.of("one", Kind.OPEN),
                            Site.of("two", Kind.OPEN),
                            Site.of("three", Kind.OPEN))
                    .line("one-two", "delay=30ms");
        }
    }

    @Test
    void t(Lab lab) {
        var probes = new Probes(lab);
        var port = probes.get("two1", "echo 0");
        System.out.println(
                probes.get("one1", "rtt " + lab.machine("two1").address() + " " + port + " 20"));
        System.out.println(
                probes.get("three1", "rtt " + lab.machine("two1").address() + " " + port + " 20"));
    }
}
