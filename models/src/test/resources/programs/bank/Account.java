package bank;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Account extends Remote {
    String owner() throws RemoteException;

    long balance() throws RemoteException;

    void deposit(long amount) throws RemoteException;

    void withdraw(long amount) throws RemoteException, Overdrawn;

    void transfer(Account to, long amount) throws RemoteException, Overdrawn;
}
