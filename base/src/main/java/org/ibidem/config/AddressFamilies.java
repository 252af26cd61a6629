package org.ibidem.config;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.NetworkChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The families of IP addresses that sockets of this JVM can have.
///
/// IPv4 is always among them. IPv6 is not where `java.net.preferIPv4Stack` forbids it, where the
/// kernel has none, and where no interface had an address of it when the JVM was started: then the
/// JDK answers each address of IPv6 with an unchecked `UnsupportedAddressTypeException`. So whoever
/// is about to connect or send asks here first. A family that sockets can have may still lead
/// nowhere: a machine may have no IPv4 address, not even that of the loopback interface.
public final class AddressFamilies {
    private static final String IPV4_ONLY = "java.net.preferIPv4Stack";
    private static final Path IPV6_ADDRESSES = Path.of("/proc/net/if_inet6");
    private static final List<InetAddress> LOOPBACKS =
            List.of(
                    address(new byte[] {127, 0, 0, 1}),
                    address(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));

    private AddressFamilies() {}

    /// Found when it is first asked for: it stays as it is while the JVM runs.
    private static final class Known {
        static final boolean IPV6 = find();

        private static boolean find() {
            try (NetworkChannel _ =
                    NativeChannels.provider().openSocketChannel(StandardProtocolFamily.INET6)) {
                return true;
            } catch (UnsupportedOperationException _) {
                return false;
            } catch (IOException _) {
                return true; // there is no file descriptor left, but the family was accepted
            }
        }
    }

    /// Whether sockets can have IPv6 addresses.
    public static boolean hasIpv6() {
        return Known.IPV6;
    }

    /// Whether sockets can have addresses of the family of this one.
    public static boolean has(InetAddress address) {
        return !(address instanceof Inet6Address) || hasIpv6();
    }

    /// Checks that sockets can have addresses of the family of this one.
    ///
    /// @throws SocketException when they cannot, with the cause and what to do
    public static void require(SocketAddress address) throws SocketException {
        if (address instanceof InetSocketAddress inet
                && inet.getAddress() instanceof Inet6Address
                && !hasIpv6()) {
            throw new SocketException(whyNoIpv6());
        }
    }

    /// Why sockets cannot have IPv6 addresses, and what to do.
    public static String whyNoIpv6() {
        if (Boolean.getBoolean(IPV4_ONLY)) {
            return "this JVM has no IPv6, because it was started with -D"
                    + IPV4_ONLY
                    + "=true: start it without that option, or use an IPv4 address";
        }
        return Files.exists(IPV6_ADDRESSES)
                ? "this JVM has no IPv6, because no interface had an IPv6 address when it was"
                        + " started: set net.ipv6.conf.all.disable_ipv6=0 by sysctl and start it"
                        + " again, or use an IPv4 address"
                : "this JVM has no IPv6, because the kernel has none: boot it without"
                        + " ipv6.disable=1, or use an IPv4 address";
    }

    /// The loopback addresses that a socket can be bound to now: 127.0.0.1, ::1, both in this
    /// order, or none where the loopback interface is down.
    public static List<InetAddress> loopbacks() {
        return LOOPBACKS.stream().filter(AddressFamilies::isHere).toList();
    }

    /// The first of them.
    ///
    /// @throws BindException when there is none
    public static InetAddress loopback() throws BindException {
        return loopbacks().stream()
                .findFirst()
                .orElseThrow(() ->
                        new BindException(
                                "this machine has neither 127.0.0.1 nor ::1: switch its"
                                        + " loopback interface on, by 'ip link set lo up'"));
    }

    private static boolean isHere(InetAddress loopback) {
        if (!has(loopback)) {
            return false;
        }
        try (NetworkChannel socket = NativeChannels.provider().openDatagramChannel()) {
            return socket.bind(new InetSocketAddress(loopback, 0)) != null;
        } catch (BindException _) {
            return false;
        } catch (IOException _) {
            return true; // there is no file descriptor left, which says nothing of the address
        }
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes", e);
        }
    }
}
