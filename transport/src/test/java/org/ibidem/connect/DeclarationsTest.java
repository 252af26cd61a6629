package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ibidem.config.Services;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclarationsTest {
    private static final List<ConnectMethod> ALL = Services.of(ConnectMethod.class);
    private static final Location PARIS = Location.parse("a@paris");
    private static final Location ROME = Location.parse("b@rome");

    @TempDir private Path folder;

    private Declarations of(String... lines) throws Exception {
        var file = folder.resolve("c");
        Files.write(file, List.of(lines));
        return new Declarations(Settings.of(Map.of("ibidem.config", file.toString())), ALL);
    }

    private static ConnectMethod method(String name) {
        return ALL.stream().filter(each -> each.name().equals(name)).findAny().orElseThrow();
    }

    private static List<InetAddress> addresses(String... texts) {
        return List.of(texts).stream().map(InetAddress::ofLiteral).toList();
    }

    @Test
    void who_says_no_more_than_its_host_is_at_the_site_that_has_its_address() throws Exception {
        var declared =
                of(
                        "ibidem.site.paris = 192.0.2.0/24, fd00:7::/32",
                        "ibidem.site.rome = 10.0.0.0/8");
        var host = Location.parse("n7");
        assertThat(declared.place(host, addresses("172.16.0.1", "192.0.2.9")))
                .hasToString("n7@paris");
        assertThat(declared.place(host, addresses("fd00:7::9"))).hasToString("n7@paris");
        assertThat(declared.place(host, addresses("10.200.0.9"))).hasToString("n7@rome");
        assertThat(declared.place(host, addresses("11.0.0.9"))).isEqualTo(host);
        assertThat(declared.place(PARIS, addresses("10.0.0.9"))).isEqualTo(PARIS);
        assertThat(declared.place(null, addresses("10.0.0.9"))).isNull();
    }

    @Test
    void a_way_out_that_is_declared_rules_out_what_cannot_work_and_says_where_it_stands()
            throws Exception {
        var declared = of("# what we know", "ibidem.egress.rome = symmetric");
        assertThat(declared.egress(ROME).orElseThrow().value()).isEqualTo(Egress.SYMMETRIC);
        assertThat(declared.egress(PARIS)).isEmpty();
        var why = declared.whyNot(method("splice"), PARIS, ROME);
        assertThat(why)
                .startsWith("ibidem.egress.rome (line 2 of ")
                .endsWith("says that there is a NAT that takes another port for each peer");
        assertThat(declared.whyNot(method("splice"), ROME, PARIS)).isEqualTo(why);
        assertThat(declared.whyNot(method("splice"), ROME, null)).isEqualTo(why);
        assertThat(declared.whyNot(method("splice"), ROME, Location.parse("c@rome"))).isEmpty();
        assertThat(declared.whyNot(method("splice"), PARIS, null)).isEmpty();
        assertThat(declared.whyNot(method("routed"), PARIS, ROME)).isEmpty();
        assertThat(of("ibidem.egress.rome = preserving").whyNot(method("splice"), PARIS, ROME))
                .isEmpty();
    }

    @Test
    void costs_between_two_sites_go_before_those_towards_one_and_these_before_those_of_all()
            throws Exception {
        var declared =
                of(
                        "ibidem.costs = splice=3s",
                        "ibidem.costs.rome = routed=1s",
                        "ibidem.costs.paris.rome = direct=2s, routed=0ms");
        var both = declared.costs(PARIS, ROME).orElseThrow();
        assertThat(both.value())
                .isEqualTo(Map.of("direct", Duration.ofSeconds(2), "routed", Duration.ZERO));
        assertThat(both.where()).startsWith("ibidem.costs.paris.rome (line 3 of ");
        assertThat(declared.costs(ROME, PARIS)).contains(both);
        assertThat(declared.costs(Location.parse("x@oslo"), ROME).orElseThrow().value())
                .isEqualTo(Map.of("routed", Duration.ofSeconds(1)));
        assertThat(declared.costs(ROME, Location.parse("x@oslo")).orElseThrow().value())
                .isEqualTo(Map.of("splice", Duration.ofSeconds(3)));
        assertThat(declared.costs(null, null)).isPresent();
        assertThat(of().costs(PARIS, ROME)).isEmpty();
    }

    @Test
    void what_cannot_be_is_an_error_that_says_where_it_was_set() {
        wrong("ibidem.site.rome = 10.0.0.0/40", "has 0 to 32 bits");
        wrong("ibidem.egress.rome = odd", "a way out is one of untranslated, preserving,");
        wrong("ibidem.costs = teleport=1s", "with the methods [direct,");
        wrong("ibidem.costs.rome = direct", "is a list such as direct=0ms");
        wrong("ibidem.costs.rome = direct=soon", "a duration such as");
    }

    private void wrong(String line, String why) {
        assertThatThrownBy(() -> of(line))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("line 1 of ")
                .hasMessageContaining(why);
    }
}
