package org.ibidem.rmi.program;

import java.io.Serializable;
import java.rmi.AlreadyBoundException;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.rmi.Names;

/// A registry that is nowhere: its names are those of the pool that begin with its own. A name is
/// free again when the process that has bound it has ended. It is there when somebody has created
/// it, or bound a name in it; who may bind needs nobody who has created it.
///
/// @param space what its names begin with
record PoolRegistry(String space) implements Registry, Serializable {
    private static final SecureRandom CHANCE = new SecureRandom();
    private static final String CREATED = "rmi-registry/";
    private static final String ASKED = "rmi-asked";

    /// For news that the hub's answer may have overtaken.
    private static final Duration NEWS = Duration.ofMillis(250);

    private static final int LAST_PORT = 65_535;

    /// Of those that this process has created, the names that it has bound.
    private static final ConcurrentHashMap<String, Set<String>> OWN = new ConcurrentHashMap<>();

    static PoolRegistry of(int port) throws RemoteException {
        Home.own();
        return new PoolRegistry((port <= 0 ? REGISTRY_PORT : port) + "/");
    }

    static PoolRegistry created(int port) throws RemoteException {
        if (port < 0 || port > LAST_PORT) {
            throw new IllegalArgumentException("a port is 0 to " + LAST_PORT + ", not " + port);
        }
        var made = new PoolRegistry(port == 0 ? "0-" + CHANCE.nextLong() + "/" : port + "/");
        if (OWN.putIfAbsent(made.space, ConcurrentHashMap.newKeySet()) != null) {
            throw new ExportException("internal error: ObjID already in use");
        }
        boolean mine = false;
        try {
            mine = Home.asked(made::isMine);
        } finally {
            if (!mine) {
                OWN.remove(made.space);
            }
        }
        if (!mine) {
            throw new ExportException("Port already in use: " + port + ", by this pool");
        }
        return made;
    }

    private boolean isMine() throws RemoteException {
        var node = Home.own().node();
        boolean mine = node.elections().elect(CREATED + space).winner().id().equals(node.id());
        if (!mine) {
            node.elections().withdraw(CREATED + space);
        }
        return mine;
    }

    /// What this process has bound is bound no more, and somebody else may create it.
    ///
    /// @throws NoSuchObjectException when this process has not created it
    boolean end() throws NoSuchObjectException {
        var bound = OWN.remove(space);
        if (bound == null) {
            throw new NoSuchObjectException("object not exported: registry " + space);
        }
        if (!space.startsWith("0-")) {
            JdkRegistries.end(Integer.parseInt(space.substring(0, space.length() - 1)));
        }
        try {
            for (var name : bound) {
                try {
                    unbind(name);
                } catch (NotBoundException _) {
                    // somebody else has taken it away
                }
            }
            return Home.asked(() -> {
                Home.own().node().elections().withdraw(CREATED + space);
                return true;
            });
        } catch (RemoteException e) {
            var none = new NoSuchObjectException("its names could not be taken away");
            none.initCause(e);
            throw none;
        }
    }

    private static Names names() throws RemoteException {
        return Home.own().rmi().names();
    }

    @Override
    public Remote lookup(String name) throws RemoteException, NotBoundException {
        try {
            return Home.asked(() -> names().lookup(space + name));
        } catch (NotBoundException e) {
            requireThere();
            throw as(name, e);
        }
    }

    /// As where nobody listens at the port: programs try so whether they are to create it, or are
    /// to wait.
    ///
    /// @throws ConnectException when nobody has created it, nor bound a name in it
    private void requireThere() throws RemoteException {
        if (OWN.containsKey(space) || Home.asked(this::isCreated) || bound().length > 0) {
            return;
        }
        throw new ConnectException(
                "Connection refused: nobody in this pool has created registry "
                        + space.substring(0, space.length() - 1)
                        + ", nor bound a name in it");
    }

    private boolean isCreated() throws RemoteException {
        var elections = Home.own().node().elections();
        elections.withdraw(ASKED); // behind the hub's answer comes all that was before
        return elections.result(CREATED + space, NEWS).isPresent();
    }

    private static NotBoundException as(String name, NotBoundException e) {
        var made = new NotBoundException(name);
        made.initCause(e);
        return made;
    }

    @Override
    public void bind(String name, Remote object) throws RemoteException, AlreadyBoundException {
        try {
            Home.asked(() -> {
                names().bind(space + name, object);
                return true;
            });
        } catch (AlreadyBoundException _) {
            throw new AlreadyBoundException(name);
        } catch (IllegalArgumentException e) {
            throw notExported(object, e);
        }
        bound(name);
    }

    @Override
    public void rebind(String name, Remote object) throws RemoteException {
        try {
            Home.asked(() -> {
                names().rebind(space + name, object);
                return true;
            });
        } catch (IllegalArgumentException e) {
            throw notExported(object, e);
        }
        bound(name);
    }

    private static MarshalException notExported(Remote object, IllegalArgumentException e) {
        return new MarshalException(
                "error marshalling arguments: "
                        + object.getClass().getName()
                        + " is not exported; export it before it is bound",
                e);
    }

    private void bound(String name) {
        OWN.computeIfPresent(
                space,
                (_, all) -> {
                    all.add(name);
                    return all;
                });
    }

    @Override
    public void unbind(String name) throws RemoteException, NotBoundException {
        try {
            Home.asked(() -> {
                names().unbind(space + name);
                return true;
            });
        } catch (NotBoundException e) {
            requireThere();
            throw as(name, e);
        }
        OWN.computeIfPresent(
                space,
                (_, all) -> {
                    all.remove(name);
                    return all;
                });
    }

    @Override
    public String[] list() throws RemoteException {
        var all = bound();
        if (all.length == 0) {
            requireThere();
        }
        return all;
    }

    private String[] bound() throws RemoteException {
        return Home.asked(() -> names().list()).stream()
                .filter(name -> name.startsWith(space))
                .map(name -> name.substring(space.length()))
                .toArray(String[]::new);
    }
}
