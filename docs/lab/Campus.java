import org.ibidem.lab.net.plan.Family;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Proxy;
import org.ibidem.lab.net.plan.Site;

/// A home, an office and a bank, and a site in the open for a hub.
class Campus implements Plan {
    @Override
    public Network network() {
        return Network.of(
                        Site.of("home", Kind.NAT).behind(Kind.NAT_RANDOM).hosts(1),
                        Site.of("office", Kind.FIREWALL).family(Family.DUAL),
                        Site.of("bank", Kind.SEVERE).proxies(Proxy.socks(1080).withBind()),
                        Site.of("hub", Kind.OPEN).family(Family.DUAL).hosts(1))
                .lines("delay=10ms")
                .line("home", "rate=20mbit queue=64k")
                .line("home-office", "delay=40ms jitter=2ms loss=0.1%");
    }
}
