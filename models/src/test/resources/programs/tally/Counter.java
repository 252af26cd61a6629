package tally;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Counter extends Remote {
    long next() throws RemoteException;

    void awaitValue(long value) throws RemoteException, InterruptedException;

    long value() throws RemoteException;
}
