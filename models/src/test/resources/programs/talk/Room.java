package talk;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Room extends Remote {
    void join(String name, Listener listener) throws RemoteException;

    int say(String name, String line) throws RemoteException;

    boolean leave(String name) throws RemoteException;
}
