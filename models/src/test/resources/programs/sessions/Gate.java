package sessions;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Gate extends Remote {
    Session login(String user, String password) throws RemoteException, Denied;

    int open() throws RemoteException;
}
