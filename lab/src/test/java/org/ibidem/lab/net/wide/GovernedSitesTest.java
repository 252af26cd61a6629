package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.cli.Main;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pool with an authority over several sites: what is encrypted, what is not, and who is not let
/// in.
@Laboratory(GovernedSitesTest.Sites.class)
class GovernedSitesTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir private static Path folder;

    private static PoolAuthority authority;
    private static final Map<String, Running> NODES = new HashMap<>();
    private static final Map<String, String> IDS = new HashMap<>();
    private int numbers;

    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("lyon", Kind.OPEN),
                    Site.of("hotel", Kind.NAT_SYMMETRIC).hosts(1),
                    Site.of("garden", Kind.FIREWALL).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    /// The subnets of lyon are declared, and far more than is there, so that only certificates and
    /// paths tell.
    private static final String DECLARED = "-Dibidem.site.lyon=0.0.0.0/0";

    @BeforeAll
    static void start(Lab lab) throws IOException {
        authority = PoolAuthority.create(folder.resolve("town"), "town", new char[0], MONTH);
        var hub =
                lab.machine("hub1")
                        .java(
                                Main.class,
                                "hub",
                                "--open",
                                "--identity",
                                issued("hub", Role.HUB, ""),
                                "--authority",
                                root());
        hub.any(line -> line.startsWith("hub listens on"), LONG);
        start(lab, "lyon1", "lyon");
        start(lab, "lyon2", "lyon");
        start(lab, "hotel1", "lyon"); // at another network, and its certificate says lyon
        start(lab, "garden1", "");
    }

    private static String root() {
        return folder.resolve("town").resolve(PoolAuthority.CERTIFICATE).toString();
    }

    private static String issued(String name, Role role, String site) throws IOException {
        var file = folder.resolve(name + ".pem");
        PoolAuthority.write(file, authority.issue(name, new Standing("town", role, site), MONTH));
        return file.toString();
    }

    private static String hub(Lab lab) {
        return lab.machine("hub1").address() + ":8888";
    }

    private static void start(Lab lab, String host, String site) throws IOException {
        var options = new ArrayList<>(List.of(DECLARED, "-Dibidem.authority=" + root()));
        options.add("-Dibidem.identity=" + issued(host, Role.NODE, site));
        var node = lab.machine(host).java(options, WideNode.class, hub(lab), "town");
        NODES.put(host, node);
        IDS.put(host, node.said("id", LONG));
    }

    private String ask(String host, String number, String order) {
        var node = NODES.get(host);
        int before = node.lines().size();
        node.say(number + " " + order);
        return node.any(later(before, number + " (offered|opened|goes|wrote|failed) .*"), LONG);
    }

    private static Predicate<String> later(int before, String pattern) {
        int[] left = {before};
        return line -> left[0]-- <= 0 && line.matches(pattern);
    }

    /// Over what a message gets from one to the other.
    private String way(String from, String to, String stack) {
        var number = "" + numbers++ + from;
        assertThat(ask(to, number, "offer " + stack)).contains("offered");
        var opened = ask(from, number, "open " + IDS.get(to) + " " + stack);
        if (!opened.contains("opened")) {
            return opened;
        }
        assertThat(ask(from, number, "write 1 100000")).contains("wrote");
        NODES.get(to).any(line -> line.equals("got " + number + " 0"), LONG);
        return ask(from, number, "way").replaceFirst(".* goes ", "");
    }

    @Test
    void what_leaves_a_site_is_encrypted_and_what_stays_is_not() {
        assertThat(way("lyon1", "lyon2", "multi(tcp)"))
                .startsWith("tcp by direct to ")
                .contains(", clear: same site lyon");
        assertThat(way("garden1", "lyon1", "multi(tcp)"))
                .startsWith("tls > tcp by direct to ")
                .contains(", tls 1.3");
        assertThat(way("lyon2", "garden1", "auto")).contains("tls > ").contains(", tls 1.3");
        assertThat(way("garden1", "lyon2", "tcp"))
                .contains("failed")
                .contains("not in clear, as not both certificates name a site");
    }

    @Test
    void a_path_that_is_not_direct_is_encrypted_also_within_a_site() {
        assertThat(way("hotel1", "lyon1", "multi(multiplex > tcp)"))
                .startsWith("tls > multiplex > tcp")
                .contains("multiplex > tcp: no, ")
                .contains("not in clear, as the path is not direct");
        // Translated on its way: the other end has another address than it sees itself.
        assertThat(way("hotel1", "lyon2", "multi(fragment > tcp)"))
                .startsWith("fragment > tls > tcp by direct to ")
                .contains("the path is not direct: the other end has the address 192.168.");
        assertThat(way("hotel1", "garden1", "multi(checksum > tcp)"))
                .startsWith("checksum > tls > tcp by routed to ")
                .contains(", tls 1.3");
    }

    @Test
    void a_stranger_is_told_why_he_does_not_get_in(Lab lab) {
        try (var stranger = lab.machine("garden1").java(WideNode.class, hub(lab), "town")) {
            assertThat(stranger.code(LONG)).isNotZero();
            assertThat(String.join("\n", stranger.lines())).contains("it shows no certificate");
        }
    }
}
