package bank;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Map;

public interface Bank extends Remote {
    Account open(String owner) throws RemoteException;

    Map<String, Long> balances() throws RemoteException;

    Account[] all() throws RemoteException;
}
