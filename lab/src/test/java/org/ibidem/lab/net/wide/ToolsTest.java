package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.cli.Main;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Meanwhile;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What `ibidem explain`, `ping` and `doctor` say of networks of which it is known what they are.
@Laboratory(ToolsTest.Sites.class)
@Tag("turn2")
class ToolsTest {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final String PROXY = "socks5://192.168.1.254:1080";

    private static Town town;
    private static String hub;

    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("home", Kind.NAT),
                    Site.of("flat", Kind.NAT_SYMMETRIC).hosts(1),
                    Site.of("office", Kind.FIREWALL).hosts(1),
                    Site.of("bank", Kind.SEVERE),
                    Site.of("park", Kind.OPEN).hosts(1),
                    Site.of("inn", Kind.REJECTING).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    @BeforeAll
    static void start(Lab lab) {
        town = new Town(lab).start("-Xss1m", "home1", "office1", "flat1");
        town.start("-Dibidem.proxy=" + PROXY, "bank1");
        hub = lab.machine("hub1").address() + ":" + Town.PORT;
    }

    private record Screen(int code, List<String> lines) {
        String text() {
            return String.join("\n", lines);
        }

        String line(String begin) {
            return lines.stream().filter(line -> line.startsWith(begin)).findFirst().orElse("");
        }
    }

    private static Screen ibidem(Lab lab, String host, String... words) {
        return with(List.of("-Xss1m"), lab, host, words);
    }

    private static Screen with(List<String> options, Lab lab, String host, String... words) {
        var all = new ArrayList<>(Arrays.asList(words));
        all.addAll(List.of("--hub", hub, "--pool", "town"));
        try (var running =
                lab.machine(host).java(options, Main.class, all.toArray(String[]::new))) {
            int code = running.code(LONG);
            var screen = new Screen(code, running.lines());
            System.out.println("$ " + host + ": ibidem " + String.join(" ", all));
            System.out.println(screen.text() + "\n");
            return screen;
        }
    }

    /// The same while others run: much of what it does is waiting for answers that do not come.
    private static CompletableFuture<Screen> meanwhile(Lab lab, String host, String... words) {
        return Meanwhile.start(() -> ibidem(lab, host, words));
    }

    @Test
    void explain_has_one_node_try_every_method_towards_another_and_says_why_not(Lab lab) {
        var screen = ibidem(lab, "home2", "explain", town.id("home1"), town.id("office1"));
        assertThat(screen.code).isZero();
        assertThat(screen.line("direct")).startsWith("direct   no");
        assertThat(screen.line("reverse")).startsWith("reverse  no");
        assertThat(screen.line("splice")).startsWith("splice   yes");
        assertThat(screen.line("socks")).startsWith("socks    no").contains("it knows of none");
        assertThat(screen.line("routed")).startsWith("routed   yes");
        assertThat(screen.line("auto"))
                .startsWith("auto     yes")
                .contains("compress > parallel > tcp; auto: ", ", as the round trip is ");
        // Both have said what network they are in.
        assertThat(screen.text())
                .contains("eth0 192.168.1.11/24", "a NAT that keeps ports")
                .contains("seen from   " + lab.machine("home").address() + ":")
                .contains(lab.machine("office1").address() + "/")
                .contains("no NAT: others see the node's own address");
        assertThat(screen.text())
                .contains("past firewalls in front of both; NATs whose ports can be foreseen")
                .contains("how node ")
                .contains(town.id("office1").substring(0, 8));
    }

    @Test
    @Tag("full")
    void explain_tells_of_a_nat_that_cannot_be_foreseen(Lab lab) {
        var screen = ibidem(lab, "home2", "explain", town.id("flat1"), town.id("office1"));
        assertThat(screen.line("splice"))
                .startsWith("splice   no")
                .contains("a NAT that takes another port for each peer");
        assertThat(screen.line("routed")).startsWith("routed   yes");
    }

    @Test
    void explain_says_who_is_not_there(Lab lab) {
        var screen = ibidem(lab, "home2", "explain", "ffff", town.id("office1"));
        assertThat(screen.code).isEqualTo(1);
        assertThat(screen.text())
                .contains("no member of pool 'town' has rank or id 'ffff'; there are ");
    }

    @Test
    void ping_says_the_path_of_data_and_the_round_trip_of_control(Lab lab) {
        lab.set("home-office", "delay=40ms");
        lab.set("home-hub", "delay=40ms");
        var screen = ibidem(lab, "home2", "ping", town.id("office1"), "--count", "3");
        assertThat(screen.code).isZero();
        assertThat(screen.lines).hasSize(4);
        assertThat(screen.lines.getFirst())
                .matches(
                        "data to \\S+@\\S+ goes over compress > parallel > tcp by splice to"
                                + " \\S+:\\d+ \\(.*shm: no, .*; auto: the round trip is .*\\)");
        for (var line : screen.lines.subList(1, 4)) {
            assertThat(line).matches("answers in [0-9.]+ ms \\(control, routed\\)");
            // To the hub and back, and from there to the office and back.
            var millis = Double.parseDouble(line.replaceFirst(".* ([0-9.]+) ms.*", "$1"));
            assertThat(millis).isGreaterThanOrEqualTo(90);
        }
        assertThat(ibidem(lab, "home2", "ping", town.id("home1"), "--count", "1").text())
                .contains(" by direct to ");
    }

    @Test
    void doctor_says_what_network_this_is(Lab lab) {
        var asHome = meanwhile(lab, "home2", "doctor");
        var asOffice = meanwhile(lab, "office1", "doctor", "--json");
        var asFlat = meanwhile(lab, "flat1", "doctor");
        var proxied = List.of("-Dibidem.proxy=" + PROXY);
        var asBank = Meanwhile.start(() -> with(proxied, lab, "bank2", "doctor"));
        var home = asHome.join();
        assertThat(home.code).isZero();
        assertThat(home.line("addresses here")).contains("192.168.1.12");
        assertThat(home.line("the hub sees")).contains(lab.machine("home").address());
        assertThat(home.line("the way out")).contains("a NAT that keeps ports");
        assertThat(home.line("proxies known")).contains("none");
        assertThat(asOffice.join().text()).contains("\"egress\": \"UNTRANSLATED\"");
        assertThat(asFlat.join().line("the way out")).contains("another port for each peer");
        var bank = asBank.join();
        assertThat(bank.line("the way out")).contains("nothing gets out but through a proxy");
        assertThat(bank.line("proxies known")).contains(PROXY);
        assertThat(bank.line("out over IPv4")).contains("blocked: dropped without an answer");
        assertThat(bank.line("in over")).isEmpty();
        assertThat(bank.line("so:"))
                .contains("nothing gets in, and nothing out but through a proxy");
    }

    @Test
    void doctor_says_what_is_blocked_without_a_peer(Lab lab) {
        var asPark = meanwhile(lab, "park1", "doctor");
        var asOffice = meanwhile(lab, "office1", "doctor");
        var asInn = meanwhile(lab, "inn1", "doctor", "--json");
        var asHome = meanwhile(lab, "home2", "doctor");
        var park = asPark.join();
        assertThat(park.line("out over IPv4")).contains("open: a connection to the hub's " + hub);
        assertThat(park.line("in over IPv4"))
                .contains("open: a connection from the hub to this node's port")
                .contains(lab.machine("park1").address() + ":");
        assertThat(park.line("so:")).contains("others can connect to this node");

        var office = asOffice.join();
        assertThat(office.line("out over IPv4")).contains("open");
        assertThat(office.line("in over IPv4"))
                .contains("blocked: dropped without an answer")
                .contains("(no answer within ");
        assertThat(office.line("so:")).contains("blocked").contains("splice");

        var inn = asInn.join();
        assertThat(inn.text())
                .contains("\"out\": [{\"to\": \"" + hub + "\", \"passage\": \"OPEN\"")
                .contains("\"in\": [{\"port\": \"LISTENER\", \"family\": \"IPv4\"")
                .contains("\"passage\": \"REFUSED\"");

        var home = asHome.join();
        var in = home.lines.stream().filter(line -> line.startsWith("in over IPv4")).toList();
        assertThat(in).hasSize(2);
        assertThat(in.getFirst())
                .contains("blocked: dropped", "to this node's port")
                .contains(lab.machine("home").address() + ":");
        assertThat(in.getLast())
                .contains("blocked: dropped", "to a port that the NAT has just given us");
    }

    @Test
    void what_is_declared_goes_before_what_is_found_and_is_said(Lab lab) {
        var options =
                List.of(
                        "-Dibidem.site.work=" + lab.machine("office1").address() + "/24",
                        "-Dibidem.egress.work=symmetric",
                        "-Dibidem.site.town=192.168.0.0/16",
                        "-Dibidem.egress.town=independent",
                        "-Dibidem.costs=routed=0ms");
        var home = with(options, lab, "home2", "doctor", "--peer", town.id("office1"));
        assertThat(home.line("the way out"))
                .contains("a NAT that gives each port one other port")
                .contains("as declared by ibidem.egress.town (system property");
        assertThat(home.line("  splice   no"))
                .contains("not tried: ibidem.egress.work (system property")
                .contains("another port for each peer");
        assertThat(home.line("  routed   yes"))
                .contains("begins after 0 ms by ibidem.costs (system property");
    }

    @Test
    @Tag("full")
    void doctor_tries_the_methods_both_ways_with_a_peer_and_can_say_it_in_json(Lab lab) {
        var screen = ibidem(lab, "home2", "doctor", "--peer", town.id("office1"), "--json");
        assertThat(screen.code).isZero();
        assertThat(screen.text())
                .contains("\"egress\": \"PRESERVING\"")
                .contains("\"method\": \"splice\", \"connected\": true")
                .contains("\"method\": \"direct\", \"connected\": false")
                .contains("\"from_peer\": ");
    }

    @Test
    @Tag("full")
    void doctor_says_what_it_can_when_there_is_no_hub(Lab lab) {
        var screen = ibidem(lab, "bank2", "doctor");
        assertThat(screen.code).isEqualTo(1);
        assertThat(screen.line("addresses here")).contains("192.168.1.12");
        assertThat(screen.line("proxies known")).contains("none");
        assertThat(screen.line("the hub")).contains("cannot be reached").contains(hub);
        assertThat(screen.line("out over IPv4")).contains("blocked: dropped").contains(hub);
    }
}
