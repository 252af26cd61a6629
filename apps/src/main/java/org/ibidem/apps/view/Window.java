package org.ibidem.apps.view;

import java.rmi.Remote;
import java.rmi.RemoteException;

/// What one process of a job shows of what it computes.
public interface Window extends Remote {
    /// Its name at its node.
    String NAME = "window";

    /// What there is to see after a later step than `after`; waits for it. When the last step is
    /// over, what stays.
    ///
    /// @param after the step of what was seen last; -1: nothing was
    Sample look(long after) throws RemoteException, InterruptedException;
}
