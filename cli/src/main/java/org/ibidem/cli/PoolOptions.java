package org.ibidem.cli;

import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import picocli.CommandLine.Option;

/// Which pool a command joins for a moment, to look at it from inside.
final class PoolOptions {
    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The hub (default: as set by ibidem.hub, else localhost:8888).")
    private List<String> hubs = List.of();

    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "The pool (default: as set by ibidem.pool, else 'default').")
    private String pool = "";

    /// The hubs to try, each as `host:port`.
    List<String> hubs() {
        return hubs.isEmpty() ? Join.fromEnvironment().hubs() : hubs;
    }

    /// Joins it, open to other machines.
    ///
    /// @throws IbidemException when it takes no more members; with what to do instead
    Node join() {
        var set = Join.fromEnvironment();
        var join = Join.pool(pool.isEmpty() ? set.pool() : pool).open(true);
        for (var hub : hubs()) {
            join = join.hub(hub);
        }
        var place = set.location();
        join = place == null ? join : join.location(place);
        try {
            return Node.join(join);
        } catch (JoinRefused.PoolFull | JoinRefused.PoolClosed e) {
            throw new IbidemException(
                    e.getMessage()
                            + ". This command joins the pool for a moment, as a member, and a pool"
                            + " with a size takes no more: ask from one of its own programs"
                            + " (Node.station() has ping and explain), or use a pool without a"
                            + " size",
                    e);
        }
    }

    /// The member that people name by its rank or by the first digits of its id.
    static Member member(Node node, String name) {
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
