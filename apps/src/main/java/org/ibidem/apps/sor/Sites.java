package org.ibidem.apps.sor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;

/// What the roots of the sites say to each other: each tells all others the sum of its site, all at
/// the same time, so a round costs one way between sites (as in MagPIe, PPoPP 1999).
///
/// Each root has a port for each other root: one may be a round ahead of another.
final class Sites implements AutoCloseable {
    /// Of more sites each message would be sent too often: then all are taken as one.
    private static final int MOST = 16;

    private final List<SendPort> to = new ArrayList<>();
    private final List<ReceivePort> from = new ArrayList<>();

    /// Connects this root with all others; they do so at the same time.
    ///
    /// @param roots the first process of each site, this one among them
    Sites(Node node, String stack, List<Member> roots) {
        var type = PortType.oneToOne().stack(stack);
        var others = roots.stream().filter(root -> root.rank() != node.rank()).toList();
        for (var other : others) {
            var setup = ReceiveSetup.USUAL.only(other.id());
            from.add(ReceivePort.open(node, type, name(other.rank()), setup));
        }
        for (var other : others) {
            var port = SendPort.open(node, type, "sum of a site");
            to.add(port);
            port.connect(other.id(), name(node.rank()));
        }
    }

    private static String name(int rank) {
        return "sum of the site of " + rank;
    }

    /// The processes of each site, by rank. A site is the widest level of a location that has more
    /// than one.
    static List<List<Member>> of(List<Member> members) {
        var sites =
                members.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Sites::site, LinkedHashMap::new, Collectors.toList()));
        return sites.size() > MOST ? List.of(members) : List.copyOf(sites.values());
    }

    private static String site(Member member) {
        var levels = member.location().levels();
        return levels.size() > 1 ? levels.getLast() : "";
    }

    /// That of them which this process is in.
    static List<Member> with(List<List<Member>> sites, int rank) {
        return sites.stream()
                .filter(site -> site.stream().anyMatch(member -> member.rank() == rank))
                .findFirst()
                .orElseThrow();
    }

    /// The sum of all sites.
    Tally exchange(Tally mine) {
        to.forEach(port -> Tree.send(port, mine));
        var sum = mine;
        for (var port : from) {
            sum = sum.and(Tree.receive(port));
        }
        return sum;
    }

    long messages() {
        return to.stream().mapToLong(SendPort::messages).sum();
    }

    long bytes() {
        return to.stream().mapToLong(SendPort::bytes).sum();
    }

    @Override
    public void close() {
        to.forEach(SendPort::close);
        from.forEach(ReceivePort::close);
    }
}
