package org.ibidem.cli;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Member;
import org.ibidem.registry.Visitor;
import picocli.CommandLine.Option;

/// Which pool a command visits, to look into it.
public final class PoolOptions {
    @Group("Pool")
    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The hub (default: ibidem.hub, or localhost:8888).")
    private List<String> hubs = List.of();

    @Group("Pool")
    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "The pool (default: ibidem.pool, or 'default').")
    private String pool = "";

    /// For picocli.
    public PoolOptions() {}

    /// For a JVM that is to visit it.
    ///
    /// @throws IllegalArgumentException when a hub's place is none
    public List<String> asProperties() {
        hubs.forEach(Join.pool("any")::hub);
        var options = new ArrayList<String>();
        if (!hubs.isEmpty()) {
            options.add("-Dibidem.hub=" + String.join(",", hubs));
        }
        if (!pool.isEmpty()) {
            options.add("-Dibidem.pool=" + pool);
        }
        return options;
    }

    /// The hubs to try, each as `host:port`.
    List<String> hubs() {
        return hubs.isEmpty() ? Join.fromEnvironment().hubs() : hubs;
    }

    /// Visits it, open to other machines.
    ///
    /// @throws JoinRefused.NoSuchPool when it is not there
    Visitor visit() {
        return Visitor.of(visitors());
    }

    /// The same, but where there is no such pool, of nobody.
    Visitor visitIfThere() {
        try {
            return visit();
        } catch (JoinRefused.NoSuchPool _) {
            return Visitor.ofNobody(visitors());
        }
    }

    private Join visitors() {
        var set = Join.fromEnvironment();
        var join = Join.pool(pool.isEmpty() ? set.pool() : pool).open(true);
        for (var hub : hubs()) {
            join = join.hub(hub);
        }
        var place = set.location();
        join = place == null ? join : join.location(place);
        // A key of its own, unless the pool lets in only those it knows: a member may have it.
        var known = set.identity();
        return known != null && known.trust().governs(join.pool()) ? join.identity(known) : join;
    }

    /// The member that people name by its rank or by the first digits of its id.
    static Member member(Visitor node, String name) {
        var members = node.members();
        var ranked =
                members.stream()
                        .filter(member -> String.valueOf(member.rank()).equals(name))
                        .toList();
        var found =
                ranked.isEmpty()
                        ? members.stream()
                                .filter(member -> member.id().toString().startsWith(name))
                                .toList()
                        : ranked;
        if (found.size() == 1) {
            return found.getFirst();
        }
        throw new IbidemException(
                (found.isEmpty() ? "no member" : found.size() + " members")
                        + " of pool '"
                        + node.pool()
                        + "' has rank or id '"
                        + name
                        + "'; there are "
                        + node.members());
    }
}
