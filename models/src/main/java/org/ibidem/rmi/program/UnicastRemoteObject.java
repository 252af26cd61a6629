package org.ibidem.rmi.program;

import java.io.ObjectInputFilter;
import java.io.Serial;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.ServerCloneException;
import org.jspecify.annotations.Nullable;

/// Stands for `java.rmi.server.UnicastRemoteObject`. Ports mean nothing: calls come by whatever way
/// reaches the node. Who gives socket factories or filters, which would not be used, is refused.
public class UnicastRemoteObject extends RemoteServer {
    @Serial private static final long serialVersionUID = 1L;

    /// Exports itself.
    protected UnicastRemoteObject() throws RemoteException {
        this(0);
    }

    /// The same; the port means nothing.
    @SuppressWarnings("this-escape") // as the class it stands for does
    protected UnicastRemoteObject(int port) throws RemoteException {
        exportObject(this, port);
    }

    /// The same; factories must be null.
    @SuppressWarnings("this-escape") // as the class it stands for does
    protected UnicastRemoteObject(
            int port,
            @Nullable RMIClientSocketFactory client,
            @Nullable RMIServerSocketFactory server)
            throws RemoteException {
        exportObject(this, port, client, server);
    }

    /// A copy, which is exported, too.
    @Override
    public Object clone() throws CloneNotSupportedException {
        var copy = (UnicastRemoteObject) super.clone();
        try {
            Exporting.export(copy);
            return copy;
        } catch (RemoteException e) {
            throw new ServerCloneException("Clone failed", e);
        }
    }

    /// Has an object called by others.
    ///
    /// @return a stub
    /// @throws ExportException when it is exported already, or its interfaces are not as remote
    ///   ones must be
    public static Remote exportObject(Remote object) throws RemoteException {
        return Exporting.export(object);
    }

    /// The same; the port means nothing.
    public static Remote exportObject(Remote object, int port) throws RemoteException {
        return Exporting.export(object);
    }

    /// The same; factories must be null.
    public static Remote exportObject(
            Remote object,
            int port,
            @Nullable RMIClientSocketFactory client,
            @Nullable RMIServerSocketFactory server)
            throws RemoteException {
        requireNone(client, server);
        return Exporting.export(object);
    }

    /// The same; the filter must be null.
    public static Remote exportObject(Remote object, int port, @Nullable ObjectInputFilter filter)
            throws RemoteException {
        requireNone(filter);
        return Exporting.export(object);
    }

    /// The same; factories and filter must be null.
    public static Remote exportObject(
            Remote object,
            int port,
            @Nullable RMIClientSocketFactory client,
            @Nullable RMIServerSocketFactory server,
            @Nullable ObjectInputFilter filter)
            throws RemoteException {
        requireNone(client, server);
        requireNone(filter);
        return Exporting.export(object);
    }

    /// Nobody can call it any more.
    ///
    /// @param force whether also when a call of it runs
    /// @return false: a call of it runs
    /// @throws NoSuchObjectException when it is not exported
    public static boolean unexportObject(Remote object, boolean force)
            throws NoSuchObjectException {
        return Exporting.unexport(object, force);
    }

    static void requireNone(
            @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server)
            throws ExportException {
        if (client != null || server != null) {
            throw new ExportException(
                    "calls do not go over sockets of their own, so socket factories would not be"
                            + " used: give null; for TLS see docs/guide/trust.md");
        }
    }

    private static void requireNone(@Nullable ObjectInputFilter filter) throws ExportException {
        if (filter != null) {
            throw new ExportException(
                    "arguments do not come through java.io streams, so a filter would not be used:"
                            + " give null; what is let in say remote interfaces and"
                            + " ibidem.rmi.allow");
        }
    }
}
