package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.lab.net.emulator.Fate;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Addresses;
import org.ibidem.lab.net.plan.Family;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What each kind of site does to those who want out and to those who want in.
@Laboratory(KindsPlan.class)
class KindsTest {
    /// Each test comes from other ports, so that none meets what another left in a gateway.
    private static int port = 41_000;

    private static Probes probes;

    private final Addresses addresses = new Addresses(new KindsPlan().network());

    @BeforeAll
    static void start(Lab lab) {
        var hosts = lab.network().sites().stream().flatMap(site -> site.hostNames().stream());
        probes =
                Probes.of(lab)
                        .startAll(hosts.filter(host -> host.matches("naty1|.*[^y]1|.*2")).toList());
    }

    @AfterEach
    void close() {
        probes.close();
    }

    @BeforeEach
    void listen() {
        port += 16;
        probes.get("middle1", "listen 9000");
        probes.get("middle2", "listen 9000");
    }

    static List<Site> kinds() {
        return KindsPlan.KINDS;
    }

    private String middle(int host, Site for6) {
        return addresses.of("middle" + host).get(for6.family() == Family.IPV6 ? 1 : 0);
    }

    /// Address and port as seen by one of the hosts in the middle.
    private String[] seen(Site site, int host, int port) {
        return probes.get(site.name() + "x1", "seen " + middle(host, site) + " 9000 " + port)
                .split(" ");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void who_goes_out_is_seen_as_the_kind_says(Site site) {
        if (site.kind() == Kind.SEVERE) {
            assertThat(probes.ask("severex1", "connect " + middle(1, site) + " 9000 1000"))
                    .isEqualTo("no silence");
            return;
        }
        var one = seen(site, 1, port);
        var other = seen(site, 2, port);
        var host = site.name() + (site.kind().translates() ? "x" : "x1");
        var outermost = site.behind() == null ? host : host + "-isp";
        var own = addresses.of(outermost).getFirst();
        assertThat(one[0].replace(":0:0:0:", "::")).isEqualTo(own);
        assertThat(other[0]).isEqualTo(one[0]);
        switch (site.kind()) {
            case NAT_RANDOM ->
                    assertThat(Integer.parseInt(one[1]))
                            .isEqualTo(Integer.parseInt(other[1]))
                            .isBetween(20_000, 29_999);
            case NAT_SYMMETRIC -> assertThat(one[1]).isNotEqualTo(other[1]);
            default -> assertThat(List.of(one[1], other[1])).containsOnly(port + "");
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void who_wants_in_fares_as_the_kind_says(Site site) {
        var name = site.name() + "x1";
        if (site.kind() != Kind.SEVERE) {
            probes.get(name, "listen 9100");
        }
        var site4 = addresses.of(site.kind().isPrivate() ? outermost(site) : name).getFirst();
        var fares =
                switch (site.kind()) {
                    case OPEN -> "ok connected";
                    case REJECTING, NAT_UNFILTERED -> "no refused";
                    default -> "no silence";
                };
        // Whoever is answered has time for it; silence need not be waited for long.
        int millis = fares.equals("no silence") ? 1000 : 20_000;
        assertThat(probes.ask("middle1", "connect " + site4 + " 9100 " + millis)).isEqualTo(fares);
    }

    private static String outermost(Site site) {
        return site.behind() == null ? site.name() + "x" : site.name() + "x-isp";
    }

    @Test
    void the_ports_of_an_unpredictable_nat_follow_no_rule() {
        var site = KindsPlan.called("natrandom", Site.of("natrandom", Kind.NAT_RANDOM));
        var offsets =
                IntStream.range(0, 8)
                        .map(i -> Integer.parseInt(seen(site, 1, port + i)[1]) - port - i)
                        .distinct();
        assertThat(offsets.count()).isGreaterThan(6);
    }

    @Test
    void a_gateway_that_is_rebooted_has_forgotten_its_connections(Lab lab) {
        Stream.of("natx", "natrandomx", "firewallx", "strictx", "rejectingx")
                .map(gateway -> Meanwhile.start(() -> reboot(gateway, lab)))
                .toList()
                .forEach(CompletableFuture::join);
    }

    private Void reboot(String gateway, Lab lab) {
        var host = gateway + "1";
        var talk = probes.get(host, "talk " + addresses.of("middle1").getFirst() + " 9000");
        assertThat(probes.get(host, "say " + talk)).isEqualTo("hello");
        lab.machine(gateway).forgetConnections();
        assertThat(probes.ask(host, "say " + talk)).isEqualTo("no silence");
        // And takes new ones.
        assertThat(seen(Site.of(gateway.replaceFirst("x$", ""), Kind.NAT), 1, port)).hasSize(2);
        return null;
    }

    @Test
    void a_gateway_forgets_who_is_silent_for_too_long(Lab lab) {
        lab.machine("naty").forgetAfter(Duration.ofSeconds(4));
        try {
            var talk = probes.get("naty1", "talk " + addresses.of("middle1").getFirst() + " 9000");
            for (int i = 0; i < 5; i++) {
                LockSupport.parkNanos(300_000_000); // often enough
                assertThat(probes.get("naty1", "say " + talk)).isEqualTo("hello");
            }
            LockSupport.parkNanos(6_000_000_000L); // it is the gateway's timer that is tested
            assertThat(probes.ask("naty1", "say " + talk)).isEqualTo("no silence");
        } finally {
            lab.machine("naty").forgetAfter(Duration.ofDays(5));
        }
    }

    @Test
    void two_hosts_behind_one_nat_reach_each_other_by_their_private_addresses_only() {
        probes.get("home2", "listen 9100");
        assertThat(probes.ask("home1", "connect 192.168.1.12 9100 20000"))
                .isEqualTo("ok connected");
        var outside = addresses.of("home").getFirst();
        assertThat(probes.ask("home1", "connect " + outside + " 9100 1000")).startsWith("no ");
    }

    @Test
    void a_private_address_means_another_host_at_each_site(Lab lab) {
        probes.get("home1", "listen 9100");
        assertThat(addresses.of("natx1")).isEqualTo(addresses.of("home1"));
        // Its own host of that address, where nobody listens.
        assertThat(probes.ask("natx1", "connect 192.168.1.11 9100 20000")).isEqualTo("no refused");
        // From a site with public addresses it leads nowhere.
        long before = lab.refused(Fate.UNROUTABLE);
        long foreign = lab.refused(Fate.FOREIGN);
        assertThat(probes.ask("openx1", "connect 192.168.1.11 9100 500")).isEqualTo("no silence");
        assertThat(lab.refused(Fate.UNROUTABLE)).isGreaterThan(before);
        assertThat(lab.refused(Fate.FOREIGN)).isEqualTo(foreign);
    }

    @Test
    void each_host_is_a_machine_of_its_own(Lab lab) {
        var one = lab.machine("natx1");
        var other = lab.machine("naty1");
        assertThat(one.run("hostname")).containsExactly("natx1");
        var id = new String[] {"cat", "/proc/sys/kernel/random/boot_id"};
        assertThat(one.run(id)).isEqualTo(one.run(id)).isNotEqualTo(other.run(id));
        one.run("touch", "/dev/shm/here");
        assertThat(one.run("ls", "/dev/shm")).contains("here");
        assertThat(other.run("ls", "/dev/shm")).isEmpty();
        assertThat(one.run("getent", "ahostsv4", "middle1").getFirst()).contains("198.18.");
        try (var unknown = one.start("getent", "hosts", "nowhere.example")) {
            assertThat(unknown.code(Duration.ofSeconds(10))).isNotZero();
        }
    }
}
