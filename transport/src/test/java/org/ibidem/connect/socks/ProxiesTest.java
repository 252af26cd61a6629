package org.ibidem.connect.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.ibidem.connect.socks.ProxyAddress.Kind;
import org.ibidem.connect.socks.ProxyAddress.Login;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxiesTest {
    private static final InetSocketAddress HUB =
            InetSocketAddress.createUnresolved("hub.example.org", 8888);

    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 8888);
    }

    private static List<String> found(Map<String, String> ours, Map<String, String> environment) {
        return found(HUB, ours, environment, null);
    }

    private static List<String> found(
            InetSocketAddress target,
            Map<String, String> ours,
            Map<String, String> environment,
            ProxySelector selector) {
        return new Proxies(Settings.of(ours, environment), selector)
                .on(target).stream().map(ProxyAddress::toString).toList();
    }

    /// A selector that knows one proxy for each scheme.
    private static final ProxySelector SELECTOR =
            new ProxySelector() {
                @Override
                public List<Proxy> select(URI uri) {
                    var where =
                            InetSocketAddress.createUnresolved(uri.getScheme() + ".example", 99);
                    return switch (uri.getScheme()) {
                        case "socket" ->
                                List.of(new Proxy(Proxy.Type.SOCKS, where), Proxy.NO_PROXY);
                        case "https" -> List.of(new Proxy(Proxy.Type.HTTP, where));
                        default -> List.of();
                    };
                }

                @Override
                public void connectFailed(URI uri, SocketAddress address, IOException why) {
                    throw new AssertionError("nobody is told");
                }
            };

    @Test
    void there_are_none_where_nobody_says_so() {
        assertThat(found(Map.of(), Map.of())).isEmpty();
    }

    @Test
    void the_setting_comes_before_all_and_alone() {
        var environment = Map.of("ALL_PROXY", "socks5://other:1");
        var setting = Map.of("ibidem.proxy", "socks5://one:1080, http://two");
        assertThat(found(HUB, setting, environment, SELECTOR))
                .containsExactly("socks5://one:1080", "http://two:80");
        assertThat(found(HUB, Map.of("ibidem.proxy", "none"), environment, SELECTOR)).isEmpty();
        assertThat(found(Map.of(), Map.of("IBIDEM_PROXY", "http://three:3128")))
                .containsExactly("http://three:3128");
    }

    @Test
    void what_the_jvm_was_told_comes_before_the_environment() {
        var environment = Map.of("all_proxy", "socks5h://one", "HTTPS_PROXY", "http://two:8080");
        assertThat(found(HUB, Map.of(), environment, SELECTOR))
                .containsExactly(
                        "socks5://socket.example:99",
                        "http://https.example:99",
                        "socks5://one:1080",
                        "http://two:8080");
    }

    @Test
    void the_jvms_own_properties_are_read_with_their_name_and_password() {
        var properties =
                Map.of("java.net.socks.username", "mary", "java.net.socks.password", "sesame");
        var proxies = new Proxies(Settings.of(properties, Map.of()), SELECTOR).on(HUB);
        assertThat(proxies.getFirst().login()).isEqualTo(new Login("mary", "sesame"));
        assertThat(proxies.getLast().login()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "*, hub.example.org, true",
        "example.org, hub.example.org, true",
        ".example.org, hub.example.org, true",
        "ample.org, hub.example.org, false",
        "other.org, hub.example.org, false",
        "10.0.0.0/8, 10.1.2.3, true",
        "10.0.0.0/8, 11.1.2.3, false",
        "192.168.1.7, 192.168.1.7, true",
        "2001:db8::/32, 2001:db8:5::1, true",
        "2001:db8::/32, 192.168.1.7, false",
        "0.0.0.0/99, 192.168.1.7, false"
    })
    void exceptions_hold_for_the_environment(String exceptions, String target, boolean excepted) {
        var environment =
                Map.of("ALL_PROXY", "socks5://one", "no_proxy", "nothing.at.all," + exceptions);
        var where = Character.isDigit(target.charAt(0)) ? address(target) : HUB;
        assertThat(found(where, Map.of(), environment, null).isEmpty()).isEqualTo(excepted);
    }

    @Test
    void addresses_are_read_as_they_are_written_everywhere() {
        assertThat(ProxyAddress.parse("socks5://mary:a%40b+c@[2001:db8::1]:1081"))
                .isEqualTo(
                        new ProxyAddress(
                                Kind.SOCKS5, "2001:db8::1", 1081, new Login("mary", "a@b+c")));
        assertThat(ProxyAddress.parse("proxy.example:3128"))
                .isEqualTo(new ProxyAddress(Kind.HTTP, "proxy.example", 3128, null));
        assertThat(ProxyAddress.parse("http://mary@proxy").login())
                .isEqualTo(new Login("mary", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    https://x:1          | proxies that speak https are not known here
                    ftp://x:1            | proxies that speak ftp are not known here
                    socks5://            | no address
                    http://:8080         | it names no host
                    http://x:99999       | a proxy's port is 1 to 65535
                    so cks5://x          | it is no address
                    """)
    void says_what_would_do(String text, String why) {
        assertThatThrownBy(() -> found(Map.of("ibidem.proxy", text), Map.of()))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("ibidem.proxy: ")
                .hasMessageContaining(why);
    }

    @Test
    void what_the_environment_says_to_others_is_passed_over_with_the_reason() {
        var environment =
                Map.of(
                        "HTTPS_PROXY",
                        "https://mary:sesame@x:1",
                        "ALL_PROXY",
                        "socks4://y",
                        "HTTP_PROXY",
                        "z:1");
        assertThat(found(Map.of(), environment)).containsExactly("http://z:1");
        assertThat(new Proxies(Settings.of(Map.of(), environment), null).passedOver())
                .hasSize(2)
                .allSatisfy(why -> assertThat(why).contains("not known here"))
                .noneSatisfy(why -> assertThat(why).contains("sesame"));
        var ours = Map.of("ibidem.proxy", "none");
        assertThat(new Proxies(Settings.of(ours, environment), null).passedOver()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "127.8.8.8", "::1", "localhost", "a.LOCALHOST"})
    void no_proxy_is_asked_for_the_way_to_this_machine(String target) {
        var where =
                target.contains("ocal") || target.contains("OCAL")
                        ? InetSocketAddress.createUnresolved(target, 8888)
                        : address(target);
        assertThat(found(where, Map.of(), Map.of("ALL_PROXY", "socks5://one"), SELECTOR)).isEmpty();
        var ours = Map.of("ibidem.proxy", "socks5://one");
        assertThat(found(where, ours, Map.of(), null)).isEmpty();
    }

    @Test
    void a_password_is_shown_nowhere() {
        var proxy = ProxyAddress.parse("socks5://mary:sesame@proxy:1080");
        assertThat(proxy + " " + proxy.login()).doesNotContain("sesame");
        assertThatThrownBy(() -> ProxyAddress.parse("socks5://mary:ses ame@proxy:1080"))
                .satisfies(e -> assertThat(e.toString()).doesNotContain("ame@"));
        assertThatThrownBy(() -> ProxyAddress.parse("socks5://mary:" + "x".repeat(256) + "@proxy"))
                .hasMessageContaining("at most 255 bytes");
    }
}
