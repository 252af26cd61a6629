package org.ibidem.apps.barnes;

import java.rmi.Remote;
import java.rmi.RemoteException;

/// A process as the others call it.
public interface Post extends Remote {
    /// Takes the numbers of a process for its next round.
    void take(int rank, double[] numbers) throws RemoteException;
}
