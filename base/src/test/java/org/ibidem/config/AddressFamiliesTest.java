package org.ibidem.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What there is on this machine; where a family is missing, `OneFamilyTest` of `lab` looks.
class AddressFamiliesTest {
    private static final InetAddress FOUR = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress SIX = InetAddress.ofLiteral("2001:db8::1");

    @Test
    void there_always_is_ipv4() {
        assertThat(AddressFamilies.has(FOUR)).isTrue();
        assertThatCode(() -> AddressFamilies.require(new InetSocketAddress(FOUR, 1)))
                .doesNotThrowAnyException();
    }

    @Test
    void there_is_ipv6_where_a_socket_can_have_it() throws IOException {
        try (var socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0))) {
            assertThat(socket.getLocalAddress()).isInstanceOf(Inet6Address.class);
            assertThat(AddressFamilies.hasIpv6()).isTrue();
            assertThat(AddressFamilies.loopbacks()).contains(socket.getLocalAddress());
        } catch (SocketException _) {
            assertThat(AddressFamilies.loopbacks()).noneMatch(Inet6Address.class::isInstance);
        }
    }

    @Test
    void an_address_of_a_family_that_is_missing_is_an_error() {
        assertThat(AddressFamilies.has(SIX)).isEqualTo(AddressFamilies.hasIpv6());
        var required = assertThatCode(() -> AddressFamilies.require(new InetSocketAddress(SIX, 1)));
        if (AddressFamilies.hasIpv6()) {
            required.doesNotThrowAnyException();
        } else {
            required.isInstanceOf(SocketException.class)
                    .hasMessage(AddressFamilies.whyNoIpv6())
                    .hasMessageStartingWith("this JVM has no IPv6, because ");
        }
    }

    @Test
    void its_loopback_addresses_can_be_listened_at() throws IOException {
        assertThat(AddressFamilies.loopbacks())
                .startsWith(AddressFamilies.loopback())
                .allMatch(InetAddress::isLoopbackAddress)
                .doesNotHaveDuplicates();
        for (var loopback : AddressFamilies.loopbacks()) {
            try (var server = new ServerSocket(0, 1, loopback)) {
                assertThat(server.getInetAddress()).isEqualTo(loopback);
            }
        }
    }

    /// Says what there is where the JVM is started without IPv6.
    static final class WithoutIpv6 {
        private WithoutIpv6() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("has " + AddressFamilies.hasIpv6() + AddressFamilies.has(SIX));
            System.out.println("has IPv4 " + AddressFamilies.has(FOUR));
            System.out.println("loopbacks " + AddressFamilies.loopbacks());
            System.out.println("loopback " + AddressFamilies.loopback());
            AddressFamilies.require(new InetSocketAddress(FOUR, 1));
            AddressFamilies.require(InetSocketAddress.createUnresolved("a.test", 1));
            try {
                AddressFamilies.require(new InetSocketAddress(SIX, 1));
            } catch (SocketException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void a_jvm_that_was_started_without_ipv6_says_so_and_what_to_do() throws IOException {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-Djava.net.preferIPv4Stack=true",
                                "-cp",
                                System.getProperty("java.class.path")
                                        + ":"
                                        + System.getProperty("jdk.module.path", ""),
                                WithoutIpv6.class.getName())
                        .redirectErrorStream(true)
                        .start();
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readAllLines())
                    .containsExactly(
                            "has falsefalse",
                            "has IPv4 true",
                            "loopbacks [/127.0.0.1]",
                            "loopback /127.0.0.1",
                            "this JVM has no IPv6, because it was started with"
                                    + " -Djava.net.preferIPv4Stack=true: start it without that"
                                    + " option, or use an IPv4 address");
        } finally {
            process.destroyForcibly();
        }
    }
}
