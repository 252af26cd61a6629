package org.ibidem.apps.sor;

import java.rmi.Remote;
import java.rmi.RemoteException;

/// A process as the others call it.
public interface Worker extends Remote {
    /// Takes the cells of one colour in the row above or below this process's block.
    ///
    /// @param above whether it is the row above
    /// @param step how many rows were taken from there before
    void take(boolean above, long step, double[] cells) throws RemoteException;

    /// Takes what one process came to, waits until all have called it, and gives what they came to
    /// together. Of rank 0.
    Tally reduce(Tally one) throws RemoteException, InterruptedException;

    /// A row of this process's block; waits until it is finished.
    double[] row(int row) throws RemoteException, InterruptedException;

    /// Rank 0 has all that it wants of this process.
    void done() throws RemoteException;
}
