package org.ibidem.connect;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ibidem.config.AddressFamilies;
import org.ibidem.topology.Subnet;
import org.ibidem.topology.Surroundings.Interface;

/// The addresses of this machine, and what kind of address one is.
public final class LocalAddresses {
    private LocalAddresses() {}

    /// Addresses of the interfaces that are up, loopback and link-local ones left out; private ones
    /// first.
    ///
    /// @throws IOException when the system does not say
    public static List<InetAddress> usable() throws IOException {
        var found = new ArrayList<InetAddress>();
        for (var face : NetworkInterface.networkInterfaces().toList()) {
            if (face.isUp() && !face.isLoopback()) {
                for (var address : face.inetAddresses().toList()) {
                    if (!address.isLinkLocalAddress() && !address.isLoopbackAddress()) {
                        found.add(withoutScope(address));
                    }
                }
            }
        }
        found.sort(Comparator.comparing(address -> !isPrivate(address)));
        return List.copyOf(found);
    }

    /// The same with the interfaces they belong to, and as much of each as is its network's.
    ///
    /// @throws IOException when the system does not say
    public static List<Interface> interfaces() throws IOException {
        var found = new ArrayList<Interface>();
        for (var face : NetworkInterface.networkInterfaces().toList()) {
            if (face.isUp() && !face.isLoopback()) {
                for (var each : face.getInterfaceAddresses()) {
                    var address = each.getAddress();
                    if (!address.isLinkLocalAddress() && !address.isLoopbackAddress()) {
                        var subnet = subnet(withoutScope(address), each.getNetworkPrefixLength());
                        found.add(new Interface(face.getName(), subnet));
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    // Some systems say nothing of a prefix, or nonsense.
    private static Subnet subnet(InetAddress address, int bits) {
        int all = address.getAddress().length * Byte.SIZE;
        return new Subnet(address, bits <= 0 || bits > all ? all : bits);
    }

    /// The same as a set; empty when the system does not say: then nobody is taken to be on this
    /// host.
    public static Set<InetAddress> mine() {
        try {
            return new HashSet<>(usable());
        } catch (IOException _) {
            return Set.of();
        }
    }

    /// Is this an address that means something else in another network (RFC 1918, 3927, 4193, 4291,
    /// 6598)?
    public static boolean isPrivate(InetAddress address) {
        var bytes = address.getAddress();
        boolean shared = bytes.length == 4 && (bytes[0] & 0xff) == 100 && (bytes[1] & 0xc0) == 64;
        boolean unique = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
        return shared || unique || address.isSiteLocalAddress() || address.isLinkLocalAddress();
    }

    /// Has an interface of this machine, loopback for a loopback address, an address of the same
    /// family? True when the system does not say.
    static boolean hasFamilyOf(InetAddress address) {
        try {
            var mine = address.isLoopbackAddress() ? AddressFamilies.loopbacks() : usable();
            return mine.stream().anyMatch(each -> each.getClass() == address.getClass());
        } catch (IOException _) {
            return true;
        }
    }

    /// Does this connection lead to this machine itself, as far as its addresses tell?
    static boolean isHere(SocketChannel connection) throws IOException {
        return connection.getRemoteAddress() instanceof InetSocketAddress there
                && connection.getLocalAddress() instanceof InetSocketAddress here
                && there.getAddress().equals(here.getAddress());
    }

    // The interface's name behind the address means nothing to a peer.
    private static InetAddress withoutScope(InetAddress address) throws IOException {
        return address instanceof Inet6Address
                ? InetAddress.getByAddress(address.getAddress())
                : address;
    }
}
