package org.ibidem.rmi.program;

import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import org.jspecify.annotations.Nullable;

/// Stands for `java.rmi.registry.LocateRegistry`. A registry is one of the pool, by its port
/// number; the host is not looked at, since behind hubs and NATs a host name says nothing of who is
/// meant. It needs nobody who has created it.
public final class LocateRegistry {
    private LocateRegistry() {}

    /// The registry 1099 of the pool.
    public static Registry getRegistry() throws RemoteException {
        return PoolRegistry.of(Registry.REGISTRY_PORT);
    }

    /// That of this port.
    public static Registry getRegistry(int port) throws RemoteException {
        return PoolRegistry.of(port);
    }

    /// The registry 1099 of the pool.
    public static Registry getRegistry(@Nullable String host) throws RemoteException {
        return PoolRegistry.of(Registry.REGISTRY_PORT);
    }

    /// That of this port.
    public static Registry getRegistry(@Nullable String host, int port) throws RemoteException {
        return PoolRegistry.of(port);
    }

    /// That of this port; the factory must be null.
    public static Registry getRegistry(
            @Nullable String host, int port, @Nullable RMIClientSocketFactory factory)
            throws RemoteException {
        UnicastRemoteObject.requireNone(factory, null);
        return PoolRegistry.of(port);
    }

    /// Makes it this process's, so that nobody else creates it; for port 0 one that is known to
    /// those it is given.
    ///
    /// @throws java.rmi.server.ExportException when somebody of the pool has created it
    public static Registry createRegistry(int port) throws RemoteException {
        return PoolRegistry.created(port);
    }

    /// The same; factories must be null.
    public static Registry createRegistry(
            int port,
            @Nullable RMIClientSocketFactory client,
            @Nullable RMIServerSocketFactory server)
            throws RemoteException {
        UnicastRemoteObject.requireNone(client, server);
        return PoolRegistry.created(port);
    }
}
