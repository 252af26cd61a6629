package org.ibidem.lab.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Site;

/// Every pair of kinds in [KindsPlan]: the first as its site `x`, the other as its site `y`.
public final class Pairs {
    /// Where an observer listens.
    public static final int OBSERVER_PORT = 9000;

    private static final Duration LONG = Duration.ofSeconds(60);

    private Pairs() {}

    /// Two kinds of site.
    ///
    /// @param one the one whose site ends in `x`
    /// @param other the one whose site ends in `y`
    public record Pair(Site one, Site other) {
        /// Its first host.
        public String oneHost() {
            return one.name() + "x1";
        }

        /// Its other host.
        public String otherHost() {
            return other.name() + "y1";
        }

        /// Have both IPv4?
        public boolean four() {
            return one.family().four() && other.family().four();
        }

        /// Can TCP connect them from both ends at once?
        public boolean spliceable() {
            boolean family = four() || (one.family().six() && other.family().six());
            return family
                    && !either(Kind.SEVERE)
                    && !either(Kind.NAT_SYMMETRIC)
                    && !(one.kind() == Kind.STRICT && other.kind() == Kind.STRICT);
        }

        /// May they meet by luck? A symmetric NAT takes another port for every attempt that is
        /// refused, and of hundreds one may be that which the other was told. Not twice, though.
        public boolean guessable() {
            return either(Kind.NAT_SYMMETRIC);
        }

        private boolean either(Kind kind) {
            return one.kind() == kind || other.kind() == kind;
        }
    }

    /// All of them, each once.
    public static List<Pair> all() {
        var pairs = new ArrayList<Pair>();
        for (var one : KindsPlan.KINDS) {
            for (var other : KindsPlan.KINDS) {
                if (KindsPlan.KINDS.indexOf(one) <= KindsPlan.KINDS.indexOf(other)) {
                    pairs.add(new Pair(one, other));
                }
            }
        }
        return pairs;
    }

    /// Starts a program on a host that tells everybody who connects as whom he is seen.
    public static Running observer(Lab lab, String host) {
        var probe = lab.machine(host).java(Probe.class, host);
        probe.said("probing", LONG);
        probe.say("1 listen " + OBSERVER_PORT);
        probe.any(line -> line.startsWith("1 ok"), LONG);
        return probe;
    }
}
