package roaming;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Host extends Remote {
    String name() throws RemoteException;

    void accept(Agent agent) throws RemoteException;
}
