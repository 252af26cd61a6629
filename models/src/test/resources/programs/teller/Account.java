package teller;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Account extends Remote {
    long deposit(long amount) throws RemoteException;

    long withdraw(long amount) throws RemoteException, Refused;

    void audit(String by) throws RemoteException;
}
