package org.ibidem.rmi;

import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/// The names that one node has given to objects; every node has one.
public interface Directory extends Remote {
    /// The object of a name.
    ///
    /// @throws NotBoundException when this node has no such name
    Remote lookup(String name) throws RemoteException, NotBoundException;

    /// Its names, in order.
    List<String> list() throws RemoteException;
}
