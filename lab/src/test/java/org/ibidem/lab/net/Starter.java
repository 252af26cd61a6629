package org.ibidem.lab.net;

import java.util.concurrent.locks.LockSupport;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;

/// A process that has a laboratory, to be killed.
///
/// It says `refused WHY`, or `up ISOLATION EXACT KEEPER` when a host has reached another; then it
/// waits.
final class Starter {
    private Starter() {}

    public static void main(String[] args) {
        try {
            var lab = Lab.up(Network.of(Site.of("home", Kind.NAT), Site.of("hub", Kind.OPEN)));
            // Programs that would stay: one of them in the background of another.
            lab.machine("home1").start("sh", "-c", "sleep 1000 & sleep 1000");
            var probes = new Probes(lab);
            probes.get("hub1", "listen 9000");
            probes.get("home2", "seen " + lab.machine("hub1").address() + " 9000 0");
            System.out.println("up " + lab.isolation() + " " + lab.exact() + " " + lab.pid());
        } catch (LabRefused e) {
            System.out.println("refused " + e.getMessage());
        }
        LockSupport.parkNanos(Long.MAX_VALUE);
    }
}
