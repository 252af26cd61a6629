package org.ibidem.connect;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.ibidem.config.AddressFamilies;

/// In which order a peer's addresses are tried: loopback if the peer is on this host, then private
/// ones, then public ones; in each group IPv6 and IPv4 by turns, so that neither being broken costs
/// more than one head start. Addresses of a family that this JVM has no sockets for come last: they
/// fail at once, and whoever reads of the failure shall see why.
public final class Candidates {
    /// More are not tried: the list comes from the peer.
    public static final int MOST = 32;

    private Candidates() {}

    /// The addresses worth trying, best first.
    public static List<InetSocketAddress> order(List<InetSocketAddress> addresses) {
        return order(addresses, LocalAddresses.mine());
    }

    /// The addresses worth trying, best first.
    ///
    /// @param mine the addresses of this machine
    static List<InetSocketAddress> order(List<InetSocketAddress> addresses, Set<InetAddress> mine) {
        return order(addresses, mine, AddressFamilies::has);
    }

    /// The addresses worth trying, best first.
    ///
    /// @param family whether sockets can have addresses of the same family
    static List<InetSocketAddress> order(
            List<InetSocketAddress> addresses,
            Set<InetAddress> mine,
            Predicate<InetAddress> family) {
        var usable = addresses.stream().filter(Candidates::meansSomething).toList();
        boolean here = usable.stream().anyMatch(address -> mine.contains(address.getAddress()));
        boolean nothingElse =
                usable.stream().allMatch(address -> address.getAddress().isLoopbackAddress());
        var ordered = new LinkedHashSet<InetSocketAddress>();
        if (here || nothingElse) {
            // IPv4 before IPv6, whose way through the kernel is 2 % longer there.
            usable.stream()
                    .filter(address -> address.getAddress().isLoopbackAddress())
                    .sorted(
                            Comparator.comparing(
                                    address -> address.getAddress() instanceof Inet6Address))
                    .forEach(ordered::add);
        }
        ordered.addAll(byTurns(usable, LocalAddresses::isPrivate));
        ordered.addAll(
                byTurns(
                        usable,
                        address ->
                                !address.isLoopbackAddress()
                                        && !LocalAddresses.isPrivate(address)));
        return ordered.stream()
                .sorted(Comparator.comparing(address -> !family.test(address.getAddress())))
                .limit(MOST)
                .toList();
    }

    private static boolean meansSomething(InetSocketAddress address) {
        return !address.isUnresolved()
                && address.getPort() != 0
                && !address.getAddress().isAnyLocalAddress()
                && !address.getAddress().isMulticastAddress();
    }

    private static List<InetSocketAddress> byTurns(
            List<InetSocketAddress> addresses, Predicate<InetAddress> group) {
        var six = new ArrayList<InetSocketAddress>();
        var four = new ArrayList<InetSocketAddress>();
        for (var address : addresses) {
            if (group.test(address.getAddress())) {
                (address.getAddress() instanceof Inet6Address ? six : four).add(address);
            }
        }
        var turns = new ArrayList<InetSocketAddress>();
        for (int i = 0; i < Math.max(six.size(), four.size()); i++) {
            six.stream().skip(i).findFirst().ifPresent(turns::add);
            four.stream().skip(i).findFirst().ifPresent(turns::add);
        }
        return turns;
    }
}
