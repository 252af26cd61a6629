package org.ibidem.rmi;

import java.rmi.AlreadyBoundException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.registry.Node;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.topology.NodeId;

/// Names of remote objects. Those of the pool, here, are held by the hub: each is an election that
/// the node wins which binds it, so a name has one object at most, and is free again when its node
/// has left or died. Those of a node, [#of], are its own affair.
public final class Names {
    private static final String ELECTION = "rmi/";
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration NEWS = Duration.ofMillis(250);

    private final Part part;
    private final Node node;
    private final SortedMap<String, Remote> pool = new ConcurrentSkipListMap<>();
    private final SortedMap<String, Remote> own = new ConcurrentSkipListMap<>();

    /// What other nodes may ask.
    interface Held extends Directory {
        /// The object of a name of the pool that this node has bound.
        Remote held(String name) throws RemoteException, NotBoundException;

        /// Names of the pool that this node has bound.
        List<String> holds() throws RemoteException;

        /// Gives a name of the pool up.
        boolean giveUp(String name) throws RemoteException;

        /// The caller has a stub of an object.
        ///
        /// @param number increases with each word of the caller about it
        void hold(long object, long number) throws RemoteException;

        /// The caller has no stub of an object any more.
        void release(long object, long number) throws RemoteException;

        /// The caller has no stub of any object any more.
        void releaseAll() throws RemoteException;
    }

    private final class Here implements Held {
        @Override
        public Remote lookup(String name) throws NotBoundException {
            return found(own, name);
        }

        @Override
        public List<String> list() {
            return List.copyOf(own.keySet());
        }

        @Override
        public Remote held(String name) throws NotBoundException {
            return found(pool, name);
        }

        @Override
        public List<String> holds() {
            return List.copyOf(pool.keySet());
        }

        @Override
        public boolean giveUp(String name) {
            return Names.this.release(name);
        }

        private NodeId caller() {
            return Objects.requireNonNull(part.serving().calledBy()).node();
        }

        @Override
        public void hold(long object, long number) throws NoSuchObjectException {
            if (!part.heard(caller(), object, true, number)) {
                throw new NoSuchObjectException("it is no longer exported");
            }
        }

        @Override
        public void release(long object, long number) {
            part.heard(caller(), object, false, number);
        }

        @Override
        public void releaseAll() {
            part.heardNothing(caller());
        }
    }

    Names(Part part) {
        this.part = part;
        this.node = part.node();
        part.export(new Here(), Exports.DIRECTORY);
        part.named(this::has);
    }

    /// Whether an object of this node has a name.
    private boolean has(long object) {
        return Stream.of(pool, own)
                .flatMap(names -> names.values().stream())
                .map(Stub::of)
                .anyMatch(stub ->
                        stub != null
                                && stub.reference().node().equals(node.id())
                                && stub.reference().object() == object);
    }

    private static Remote found(Map<String, Remote> in, String name) throws NotBoundException {
        var found = in.get(name);
        if (found == null) {
            throw new NotBoundException(name);
        }
        return found;
    }

    /// Gives an object a name in the pool, as long as this node lives.
    ///
    /// @param object a stub, or an exported object of this node
    /// @throws AlreadyBoundException when the name is another's; says whose
    /// @throws org.ibidem.registry.HubUnreachable when the hub does not answer
    public void bind(String name, Remote object) throws AlreadyBoundException {
        var stub = stub(object);
        if (pool.putIfAbsent(name, stub) != null) {
            throw new AlreadyBoundException(name + ", by this node");
        }
        boolean mine = false;
        try {
            var winner = node.elections().elect(ELECTION + name).winner().id();
            mine = winner.equals(node.id());
            if (!mine) {
                node.elections().withdraw(ELECTION + name);
                throw new AlreadyBoundException(name + ", by node " + winner.brief());
            }
        } finally {
            if (!mine) {
                pool.remove(name, stub);
            }
        }
    }

    /// The same for a name that may be another's: it is no more.
    ///
    /// @throws RemoteException when the node that has it does not answer
    public void rebind(String name, Remote object) throws RemoteException {
        var stub = stub(object);
        while (true) {
            if (pool.replace(name, stub) != null) {
                return;
            }
            try {
                bind(name, stub);
                return;
            } catch (AlreadyBoundException _) {
                unbindIfThere(name);
            }
        }
    }

    private Remote stub(Remote object) {
        if (Stub.of(object) != null) {
            return object;
        }
        var exported = part.exports().of(object);
        if (exported == null) {
            throw new IllegalArgumentException(
                    "export this "
                            + object.getClass().getName()
                            + " before it is given a name: Rmi.export");
        }
        return (Remote) part.stub(exported.reference(), exported.types(), CallSettings.USUAL);
    }

    /// Takes a name of the pool away, whoever has it.
    ///
    /// @throws NotBoundException when nobody has
    /// @throws RemoteException when the node that has it does not answer
    public void unbind(String name) throws NotBoundException, RemoteException {
        if (!unbindIfThere(name)) {
            throw new NotBoundException(name);
        }
    }

    private boolean unbindIfThere(String name) throws RemoteException {
        if (release(name)) {
            return true;
        }
        return givenUp(holder(name), name) || givenUp(askedHolder(name), name);
    }

    private boolean givenUp(Optional<NodeId> holder, String name) throws RemoteException {
        return holder.isPresent()
                && !holder.get().equals(node.id())
                && held(holder.get()).giveUp(name);
    }

    private boolean release(String name) {
        boolean mine = pool.remove(name) != null;
        if (mine) {
            node.elections().withdraw(ELECTION + name);
        }
        return mine;
    }

    /// The object of a name of the pool.
    ///
    /// @throws NotBoundException when nobody has bound it
    /// @throws RemoteException when the node that has it does not answer
    public Remote lookup(String name) throws NotBoundException, RemoteException {
        var mine = pool.get(name);
        if (mine != null) {
            return mine;
        }
        try {
            return at(holder(name), name);
        } catch (NotBoundException _) { // by who had it: it may have become another's since
            return at(askedHolder(name), name);
        }
    }

    private Remote at(Optional<NodeId> holder, String name)
            throws NotBoundException, RemoteException {
        if (holder.isEmpty()) {
            throw new NotBoundException(name);
        }
        return holder.get().equals(node.id()) ? found(pool, name) : held(holder.get()).held(name);
    }

    /// The same with the type that is wanted.
    public <T extends Remote> T lookup(String name, Class<T> type)
            throws NotBoundException, RemoteException {
        return type.cast(lookup(name));
    }

    /// The same, waiting until somebody has bound it.
    ///
    /// @throws NotBoundException when nobody has within the limit
    public <T extends Remote> T lookup(String name, Class<T> type, Duration limit)
            throws NotBoundException, RemoteException {
        if (!pool.containsKey(name) && node.elections().result(ELECTION + name, limit).isEmpty()) {
            throw new NotBoundException(name + ", for " + limit.toSeconds() + " s");
        }
        return lookup(name, type);
    }

    /// Whose a name is, as far as this node has heard.
    private Optional<NodeId> holder(String name) {
        var heard = node.elections().result(ELECTION + name);
        return heard.isEmpty() ? askedHolder(name) : heard.map(each -> each.winner().id());
    }

    /// What this node has heard may be old: the hub is asked. Its answer may overtake the news of
    /// what happened just before, for which nobody waits who finds a name.
    private Optional<NodeId> askedHolder(String name) {
        if (!pool.containsKey(name)) {
            node.elections().withdraw(ELECTION + name);
        }
        return node.elections().result(ELECTION + name, NEWS).map(each -> each.winner().id());
    }

    /// The names of the pool, in order; those of nodes that do not answer within 10 seconds are
    /// left out.
    public List<String> list() {
        var all = new TreeSet<>(pool.keySet());
        for (var member : node.members()) {
            if (!member.id().equals(node.id())) {
                try {
                    all.addAll(held(member.id()).holds());
                } catch (RemoteException _) {
                    // it takes no part, or is gone
                }
            }
        }
        return List.copyOf(all);
    }

    private Held held(NodeId id) {
        return part.directory(id, LIMIT);
    }

    /// The names that a node has given by [#bindHere].
    public Directory of(NodeId id) {
        return held(id);
    }

    /// Gives an object a name at this node only.
    ///
    /// @throws AlreadyBoundException when it is another's
    public void bindHere(String name, Remote object) throws AlreadyBoundException {
        if (own.putIfAbsent(name, stub(object)) != null) {
            throw new AlreadyBoundException(name);
        }
    }

    /// Takes a name of this node away.
    ///
    /// @throws NotBoundException when there is none
    public void unbindHere(String name) throws NotBoundException {
        if (own.remove(name) == null) {
            throw new NotBoundException(name);
        }
    }

    void close() {
        try {
            for (var name : List.copyOf(pool.keySet())) {
                release(name);
            }
        } catch (IbidemException _) {
            pool.clear(); // this node is closed, or its hub away: they are free when it has left
        }
    }
}
