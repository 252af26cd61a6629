package org.ibidem.lab.bench.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.ibidem.lab.net.Isolation;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.Test;

/// scp and rsync over a line of a laboratory.
@Laboratory(CopyingTest.Sites.class)
class CopyingTest {
    private static final double RATE = 1e6;

    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                            Site.of("north", Kind.OPEN).hosts(1),
                            Site.of("south", Kind.OPEN).hosts(1))
                    .line("north-south", "rate=8000kbit delay=5ms queue=100k");
        }
    }

    @Test
    void copies_go_as_fast_as_the_line_and_text_that_is_made_smaller_faster(Lab lab)
            throws Exception {
        assumeTrue(Isolation.best() == Isolation.ROOT, "sshd needs the rights of root");
        assumeTrue(Copying.isThere("scp") && Copying.isThere("rsync -z"), "./ibidem setup");
        var random = Material.RANDOM.make().getFirst();
        var text = Material.TEXT.make().getFirst();
        try (var copying = new Copying(lab.machine("north1"), lab.machine("south1"))) {
            var plain = copying.copy("scp", random, 8 << 20, 1.5);
            assertThat(plain.rate(0.5, 1.5)).isBetween(0.2 * RATE, 1.1 * RATE);
            var smaller = copying.copy("rsync -z", text, 8 << 20, 1.5);
            assertThat(smaller.rate(0.3, smaller.seconds())).isGreaterThan(1.5 * RATE);
        }
    }
}
