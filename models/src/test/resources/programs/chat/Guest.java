package chat;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Guest extends Remote {
    void hear(String line) throws RemoteException;
}
