package org.ibidem.hub;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.ibidem.identity.NodeKey;
import org.ibidem.registry.wire.Reply;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.RevokedList;
import org.ibidem.trust.Trust;

/// Looks every now and then whether certificates count no more: tells all nodes of a pool of a list
/// that they were not told of, and ends the membership of those who are on it.
final class Revoker {
    private static final Logger LOG = System.getLogger(Revoker.class.getName());
    private static final String WHY = "its certificate was revoked";

    private final Trust trust;
    private final Register register;
    private final Tasks tasks;
    private final KeptLists kept;
    private final List<Watched> files = new CopyOnWriteArrayList<>();

    /// Up to which list each was told; only the sweep's.
    private final Map<Session, BigInteger> told = new WeakHashMap<>();

    /// @param kept what it knew when it ran before
    Revoker(Trust trust, Register register, KeptLists kept, Tasks tasks) {
        this.kept = kept;
        kept.restore(trust);
        this.trust = trust;
        this.register = register;
        this.tasks = tasks;
    }

    /// Reads a list now, and again whenever its file changes.
    ///
    /// @throws NotTrusted when it does not count
    void watch(Path file) {
        var watched = new Watched(file);
        take(file, watched.look());
        files.add(watched);
    }

    private void take(Path file, RevokedList list) {
        if (trust.accept(list)) {
            LOG.log(Level.INFO, "{0} has a {1}", file, list);
            kept.keep(trust);
        }
    }

    /// To be called every now and then, by one thread at a time.
    void sweep() {
        for (var file : files) {
            if (file.hasChanged()) {
                try {
                    take(file.path(), file.look());
                } catch (NotTrusted e) {
                    LOG.log(
                            Level.WARNING,
                            "{0} is not taken, the list before it remains valid: {1}",
                            file.path(),
                            e.getMessage());
                }
            }
        }
        if (trust.pools().stream().anyMatch(pool -> trust.revokedList(pool).isPresent())) {
            look();
        }
    }

    private void look() {
        var revoked = new HashMap<String, Set<NodeId>>();
        for (var session : register.all()) {
            var list = trust.revokedList(session.pool());
            if (list.isEmpty()) {
                continue;
            }
            tell(session, list.get());
            if (revoked.computeIfAbsent(session.pool(), this::revoked).contains(session.id())) {
                end(session);
            }
        }
    }

    private Set<NodeId> revoked(String pool) {
        return trust.revoked(pool).stream()
                .map(key -> NodeKey.of(key).id())
                .collect(Collectors.toSet());
    }

    private void tell(Session session, RevokedList list) {
        if (!list.number().equals(told.put(session, list.number()))) {
            session.send(new Reply.Revoked(list.bytes()));
        }
    }

    private void end(Session session) {
        LOG.log(Level.WARNING, "node {0} is disconnected: {1}", session.id(), WHY);
        if (!session.visits()) {
            register.proved(session, WHY);
        }
        tasks.start("send a revoked node away", () -> session.end(WHY));
    }
}
